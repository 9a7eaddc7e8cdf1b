/** What looks for proof. It brings the API server's whole validation of objects with it. */
export { defaultLimits, proveUpgrade } from './proof.js';
export type { ProofJudgement, ProofResult } from './result.js';
