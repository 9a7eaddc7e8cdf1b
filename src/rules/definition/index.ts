export { definitionFindings } from './findings.js';
