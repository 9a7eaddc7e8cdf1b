/** Versions and version ranges, as each part of OLM reads them. */
export { InvalidRangeError, InvalidVersionError } from './error.js';
export {
  type Version,
  compareIdentifiers,
  compareVersions,
  formatVersion,
  parseIdentifier,
  parseVersion,
  readVersion,
} from './version.js';
export { type Integer } from './integer.js';
export { quote } from './quote.js';
export { compareKubernetesVersions } from './kubernetes-order.js';
export {
  type BlangComparison,
  type BlangRange,
  type VersionPredicate,
  parseBlangRange,
  readBlangRange,
} from './blang-range.js';
export { parseMastermindsRange } from './masterminds-range.js';
export { readMastermindsRange } from './masterminds-parse.js';
export { apiAccepts } from './api-range.js';
