export { definitionFindings } from './findings.js';
export { definitionRules } from './table.js';
