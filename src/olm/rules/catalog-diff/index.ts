/** Losses of a new catalog for users who have installed from the old one. */
export { diffCatalogs, type PackageDiff } from './catalog-diff.js';
export { type CrdQuestion, type CrdVerdict } from './crd-edges.js';
