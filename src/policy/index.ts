export { withCrdifyFile } from './crdify-file.js';
export { evaluateBypasses, whyNot } from './bypass.js';
export { type Checked, type Question, check, checkOffline } from './check.js';
export { acknowledgedBy, identity, isReached } from './decide.js';
export { type CommentOptions, applyComments } from './exemption-comments.js';
export {
  type JudgedSubject,
  type Subject,
  expiredWarning,
  groupsOf,
  idleExemptions,
  isNamed,
  exemptionsOfNothing,
  misspeltExemptions,
  shortNameOf,
} from './exemptions.js';
export { explainExempt, explainWarned } from './explain.js';
export {
  type GuardedRequest,
  guarantee,
  isDeletedByWrite,
  isNeverDenied,
  touchesOnlyAnnotations,
} from './guarantees.js';
export { parsePolicy } from './parse.js';
export { policyWarnings } from './policy-warnings.js';
export {
  type Policy,
  type Profile,
  defaultPolicy,
  policyForCluster,
  profiles,
  rollbackMode,
  strictPolicy,
  usualMode,
} from './policy.js';
export { groupByRemovedVersion } from './removed-version.js';
export { groupNamed, groupNames, printGroup } from './rules/audiences.js';
export { printRole } from './rules/olm-roles.js';
export { printPage } from './rules/page.js';
export { findingNamed, ruleNamed, rules } from './rules/registry.js';
export { printTerm, termNames } from './rules/terms.js';
export { crdifyOptionsSchema, reasonToFillIn } from './schema.js';
export {
  annotation,
  disableAnnotation,
  disableUntilAnnotation,
  doctorAnnotation,
  parseDisableUntil,
} from './switch-annotation.js';
export { sourceOfKind, switchOffsOn } from './switch-off.js';
