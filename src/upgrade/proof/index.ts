/** What looks for proof. It brings the API server's whole validation of objects with it. */
export { proveUpgrade } from './proof.js';
export type { ProofJudgement, ProofResult } from './result.js';
