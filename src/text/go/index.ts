/**
 * Go's own ways to print, read and order, so that verdicts read as the references' do.
 * Imports of documents only what they are made of: values and tokens.
 */
export {
  corruptBase64,
  decodeBase64,
  byteLength,
  runeCount,
  escaped,
  indexOfUnprintable,
  unescaped,
  quote,
  compareBytes,
  sortedUnique,
  trimSpace,
} from './text.js';
export {
  field,
  mismatch,
  type Shape,
  cannotUnmarshal,
  jsonKind,
  type JsonKind,
  syntaxError,
} from './decode-json.js';
export { decimalOf, parseDuration, formatFloat } from './numbers.js';
export {
  formatBool,
  formatList,
  formatNumber,
  formatValue,
  typeName,
  float64Of,
  int64Of,
  isNumber,
  maxInt64,
  minInt64,
  type JsonNumber,
  encodeJson,
  marshalJson,
  marshalTexts,
  writeTree,
  type Notation,
} from './marshal-json.js';
