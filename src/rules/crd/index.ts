/** CRD upgrade safety by the reference profiles; what looks for proof is in proof.ts. */
export {
  isWorthSaying,
  proofMessage,
  proofProfile,
  proofRule,
  unfinishedProof,
} from '../../proof/proof-findings.js';
export type { CrdifyError, Phase } from './crdify.js';
export {
  type CustomResourceDefinition,
  type DefinitionVersion,
  isCustomResourceDefinition,
  readCustomResourceDefinition,
  requireCrd,
} from '../../crd/custom-resource-definition.js';
export type { ValidatorError } from './olm-v1.js';
export type { Location } from '../../crd/place.js';
export {
  asRefusedByKubernetes,
  findingsOfOld,
  judgeUpgrade,
  referenceProfiles,
  refusedByKubernetes,
  upgradeMessage,
  type UpgradeJudgement,
} from './profiles.js';
export type { DefinitionRule, PropertyRule, ReferenceProfile } from './rule.js';
export { rules } from './table.js';
export { schemaKeys, valueAt, type Keys } from '../../crd/schema-keys.js';
