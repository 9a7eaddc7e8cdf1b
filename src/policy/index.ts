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
export { explainExempt, explainWarned, groupByRemovedVersion } from './explain.js';
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
export {
  groupNamed,
  groupNames,
  printGroup,
  printRole,
  printTerm,
  termNames,
} from './rules/glossary.js';
export { printPage } from './rules/page.js';
export { findingNamed, ruleNamed, rules } from './rules/registry.js';
export { crdifyOptionsSchema, reasonToFillIn } from './schema.js';
export {
  annotation,
  disableAnnotation,
  disableUntilAnnotation,
  doctorAnnotation,
  parseDisableUntil,
} from './switch-annotation.js';
export { sourceOfKind, switchOffsOn } from './switch-off.js';
