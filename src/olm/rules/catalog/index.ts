/** What is wrong with a catalog by itself: opm's own complaints, and what opm never checks. */
export { catalogFindings } from './findings.js';
