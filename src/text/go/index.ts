/**
 * Go's own ways to print, read and order, so that verdicts read as the references' do. A file
 * has the name of what Go calls it. Imports of documents only what they are made of: values and tokens.
 */
export { corruptBase64, decodeBase64, byteLength, runeCount } from './base64.js';
export {
  field,
  mismatch,
  type Shape,
  cannotUnmarshal,
  jsonKind,
  type JsonKind,
} from './decode-json.js';
export { decimalOf } from './decimal.js';
export { parseDuration } from './duration.js';
export { escaped, indexOfUnprintable, unescaped, quote } from './quote.js';
export { formatFloat } from './format-float.js';
export { formatBool, formatList, formatNumber, formatValue, typeName } from './format-value.js';
export {
  float64Of,
  int64Of,
  isNumber,
  maxInt64,
  minInt64,
  type JsonNumber,
  encodeJson,
  marshalJson,
  marshalTexts,
} from './marshal-json.js';
export { syntaxError } from './json-syntax.js';
export { compareBytes, sortedUnique } from './order.js';
export { trimSpace } from './trim-space.js';
export { writeTree, type Notation } from './write-tree.js';
