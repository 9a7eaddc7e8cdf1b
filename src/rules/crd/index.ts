/** CRD upgrade safety by the reference profiles; what looks for proof is in proof.ts. */
export {
  proofMessage,
  proofProfile,
  proofRule,
  unfinishedProof,
} from '../../proof/proof-findings.js';
export { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
export { judgeByReference, referenceProfiles, upgradeMessage } from './profiles.js';
export type { ReferenceProfile } from './rule.js';
export type { Keys } from '../../crd/schema-keys.js';
