/** What a resolution means for a verdict. */
export { findingsOf } from './findings.js';
export { resolutionRules } from './rules.js';
