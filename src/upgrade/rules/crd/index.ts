/** CRD upgrade safety by the reference profiles; what looks for proof is in proof.ts. */
export { judgeByReference, referenceProfiles } from './profiles.js';
export type { ReferenceProfile } from './rule.js';
export type { Keys } from '../../crd/schema-keys.js';
