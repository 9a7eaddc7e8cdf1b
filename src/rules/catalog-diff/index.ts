/** What a new catalog takes away from those who have installed from the old one. */
export { diffCatalogs, type PackageDiff } from './catalog-diff.js';
export { BreakingUpdates, type CrdQuestion, type CrdVerdict } from './crd-edges.js';
export { catalogDiffRules } from './rules.js';
