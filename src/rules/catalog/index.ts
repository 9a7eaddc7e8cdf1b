/** What is wrong with a catalog by itself: opm's own complaints, and what opm never checks. */
export { catalogFindings, validationRules } from './findings.js';
export { warningRules, type CatalogFinding } from './warnings.js';
