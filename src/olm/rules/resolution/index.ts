/** Findings about a resolution. */
export { findingsOf } from './findings.js';
export { resolutionRules } from './rules.js';
