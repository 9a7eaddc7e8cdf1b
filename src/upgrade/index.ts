export { type Clause, type Fault, keyOf } from './rules/conversion/fault.js';
export { type ClassicUpgrade, judgeClassicUpgrade } from './crd/classic/upgrade.js';
export {
  collectCrds,
  type Collection,
  definitionAt,
  definitionOf,
  type FoundCrd,
  placeInFile,
} from './crd/collect.js';
export {
  type CustomResourceDefinition,
  isCustomResourceDefinition,
  readCustomResourceDefinition,
} from './crd/custom-resource-definition.js';
export { droppedFields } from './crd/narrower.js';
export { pairCrds } from './crd/pairs.js';
export {
  type Counted,
  deletionFindings,
  removalFinding,
  laterVersionFindings,
  noneStoredFinding,
  noRightFinding,
  describeStored,
  storedFindings,
  type StoredSubject,
  uncheckedFinding,
  unreachableFindings,
  withoutObjects,
} from './rules/stored/findings.js';
export {
  addTallies,
  emptyTally,
  type HarmedObject,
  StoredJudge,
  type StoredTally,
} from './crd/stored/judge.js';
export {
  migrationFindings,
  storedVersionsWriters,
  trimmedVersions,
  unnamedVersions,
  unprovenFinding,
  type UnprovenVersions,
  unrecordedVersions,
} from './rules/stored/migration.js';
export { planStored, type StoredPlan, storedResource } from './crd/stored/plan.js';
export { withWriters, type Writer } from './crd/stored/writers.js';
export {
  asUnprovable,
  fallbackFindings,
  Judge,
  type JudgePolicy,
  previousFindings,
} from './judge/judge.js';
export type { Judgement } from './judge/judge.js';
export { fixLimits, hintLimits, withMarkers, withPatches } from './judge/patches.js';
export { type PairOptions, UpgradePair } from './pair.js';
export { addBounds, type RefusedBound } from './proof/fixes/add-bounds.js';
export type { RefusedCandidate, Repair } from './proof/fixes/repair.js';
export {
  effectWords,
  proofMessage,
  proofProfile,
  proofRule,
  provenHarm,
  unfinishedProof,
  writesOf,
} from './rules/crd/proof-findings.js';
export { isAboutAnnotations } from './proof/differences/annotations.js';
export { proveUpgrade } from './proof/proof.js';
export { type ProofJudgement, type ProofResult, shownResult } from './proof/result.js';
export { judgeContract } from './rules/contract/judge.js';
export { requestSentence } from './rules/contract/requests.js';
export { judgeRollback } from './rules/contract/judge-rollback.js';
export { servedVersionRemoved } from './rules/contract/versions.js';
export { rollbackRule } from './rules/contract/rollback.js';
export { conversionUnchecked } from './rules/conversion/rules.js';
export {
  conversionClient,
  conversionFindings,
  prunedFindings,
} from './rules/conversion/findings.js';
export {
  changeName,
  changesOf,
  isQualifiedRuleName,
  qualifiedRuleName,
  ruleOfChange,
} from './rules/crd/change-name.js';
export { definitionOfExample, isAboutSchema } from './rules/crd/example-definition.js';
export { worstResult } from './rules/crd/effects.js';
export { referenceProfiles, upgradeMessage } from './rules/crd/profiles.js';
export { remedyFor, withRemedy } from './rules/crd/remedy.js';
export type { CrdifyOptions, ReferenceProfile } from './rules/crd/rule.js';
export { propertyRulesOf } from './rules/crd/table.js';
export { unreadableObject } from './rules/crd/comparisons.js';
export { type ExplainedCost, explainedCosts } from './rules/definition/explained-costs.js';
export { definitionFindings } from './rules/definition/findings.js';
export { judgeForServers, type ServersJudgement } from './rules/definition/judge.js';
export { withSoundFixes } from './rules/definition/sound-fixes.js';
export { unknownFieldFindings } from './rules/definition/unknown-fields.js';
export {
  ownerReferenceCollects,
  ownerReferenceUnknown,
  storedObjectsRefused,
  storedObjectsUnchecked,
  storedVersionMigration,
  storedVersionUnproven,
} from './rules/stored/rules.js';
export { frozenChanged } from './rules/bookkeeping-rules.js';
export { newSwitchOff } from './rules/bookkeeping-rules.js';
export {
  indexByName,
  isRefusedByServer,
  type RuleIndex,
  upgradeRuleNamed,
  upgradeRules,
} from './rules/upgrade-rules.js';
export {
  type ManifestFix,
  manifestFixOf,
  type PlacedChange,
  withFixes,
  type WrittenAt,
} from './rules/objects/fixes.js';
export { judgeManifest, type ManifestSource } from './rules/objects/judge.js';
export { judgeChart, type RenderedRelease } from './rules/chart/judge.js';
export {
  type Consumer,
  type FieldPath,
  fieldsOfObject,
  fieldsOfVersion,
  type Need as ConsumerNeed,
  preferred,
  lossesOf,
  type Losses,
  readRequirement,
} from './rules/consumers/consumer.js';
export { judgeConsumers } from './rules/consumers/judge.js';
export { compatibilityRequirementUnmet, consumerFieldRemoved } from './rules/consumers/rules.js';
export { sizeOf } from './proof/size.js';
export { smallerOnes } from './proof/search/minimise.js';
export { sampleFew, sampleObjects } from './proof/values/samples.js';
export { Budget } from './proof/budget.js';
export { servedVersions, versionsOf } from './crd/named-versions.js';
export { formatName, schemaKeys } from './crd/schema-keys.js';
export { storedIn } from './proof/cross-version.js';
