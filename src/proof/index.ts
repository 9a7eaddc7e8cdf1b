/**
 * What looks for proof. Apart from index.ts, because it brings the API server's whole validation of
 * objects with it, which a gate that leaves proofs to its worker threads need not load.
 */
export { defaultLimits, proveUpgrade, type ProofJudgement, type ProofResult } from './proof.js';
