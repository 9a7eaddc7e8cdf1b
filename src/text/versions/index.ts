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
export { type Integer, readUint64 } from './integer.js';
export { parseTolerantVersion, readTolerantVersion } from './tolerant.js';
export { compareKubernetesVersions } from './kubernetes-order.js';
export {
  type BlangComparison,
  type VersionPredicate,
  parseBlangRange,
  readBlangRange,
} from './blang-range.js';
export { parseMastermindsRange } from './masterminds-range.js';
export { apiAccepts } from './api-range.js';
export { type Disagreement, type RangeExplanation, type Reading, explainRange } from './explain.js';
