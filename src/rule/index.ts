export {
  deprecating,
  exampleDocuments,
  examplePackage,
  oneVersion,
  queueCatalog,
  sameInBothVersions,
  twoVersions,
} from './example-catalog.js';
export {
  type Audience,
  describeStoredWrites,
  docsFor,
  type Effect,
  effects,
  endedBy,
  families,
  type Family,
  type Finding,
  type FindingPlace,
  foundAt,
  type MildHarm,
  mildHarms,
  type ObjectReference,
  type ProvenDifference,
  provenBy,
  type Remedy,
  severities,
  type Severity,
  type StoredAnswers,
  type StoredWrites,
  type Verdict,
  type WitnessAnswer,
  type WitnessRequest,
  writeAnswers,
} from './finding.js';
export { type MessageData, type MessageOf, type Messages, renderMessage } from './message.js';
export { formatReference, referenceTo, referenceToDefinition } from './reference.js';
export {
  defineRule,
  formatWords,
  namesOf,
  type Remark,
  type Rule,
  type RuleDescription,
  rulesWith,
  type Subject,
} from './rule.js';
export { followedByProfile, followedVersions, from, sources } from './source.js';
