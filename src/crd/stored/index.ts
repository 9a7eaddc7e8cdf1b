/** Stored objects: who breaks, by name. */
export {
  count,
  deletionFindings,
  laterVersionFindings,
  noRightFinding,
  storedFindings,
  stored,
  uncheckedFinding,
  unreachableFindings,
  unseenFinding,
  withoutObjects,
  finding as storedFinding,
  type Counted,
  type StoredSubject,
} from './findings.js';
export {
  addTallies,
  emptyTally,
  StoredJudge,
  type HarmedObject,
  type StoredTally,
} from './judge.js';
export {
  migrationFindings,
  storedVersionsWriters,
  trimmedVersions,
  unnamedVersions,
  unprovenFinding,
  unrecordedVersions,
  type UnprovenVersions,
} from './migration.js';
export { planStored, storedResource, type StoredPlan } from './plan.js';
export { withWriters, type Writer } from './writers.js';
