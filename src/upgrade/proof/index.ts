/** Entry point of the proof; importing it loads the API server's whole validation of objects. */
export { proveUpgrade } from './proof.js';
export type { ProofJudgement, ProofResult } from './result.js';
