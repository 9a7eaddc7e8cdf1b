/** Versions and version ranges, as each part of OLM reads them. */
export {
  InvalidVersionError,
  invalidRange,
  type Version,
  compareIdentifiers,
  compareVersions,
  formatVersion,
  parseIdentifier,
  parseVersion,
  readVersion,
  type Integer,
  readUint64,
  parseTolerantVersion,
  readTolerantVersion,
  compareKubernetesVersions,
} from './version.js';
export {
  type BlangComparison,
  type VersionPredicate,
  parseBlangRange,
  readBlangRange,
} from './blang-range.js';
export { parseMastermindsRange } from './masterminds-range.js';
export { apiAccepts } from './api-range.js';
export { type Disagreement, type RangeExplanation, type Reading, explainRange } from './explain.js';
