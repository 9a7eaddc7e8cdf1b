export { type CrdVerdict } from './crd-edges.js';
