/** Findings about a catalog by itself: opm's own complaints, and those that opm never checks. */
export { catalogFindings } from './findings.js';
