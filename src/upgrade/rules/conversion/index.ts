export { conversionClient, conversionFindings, prunedFindings } from './findings.js';
