/** Losses of a new catalog for users who have installed from the old one. */
export { type CrdVerdict } from './crd-edges.js';
