/** Stored objects: who breaks, by name. */
export {
  deletionFindings,
  noRightFinding,
  storedFindings,
  uncheckedFinding,
  unreachableFindings,
  type Counted,
  type StoredSubject,
} from './findings.js';
export { addTallies, StoredJudge, type HarmedObject, type StoredTally } from './judge.js';
export {
  migrationFindings,
  unnamedVersions,
  unprovenFinding,
  type UnprovenVersions,
} from './migration.js';
export { planStored, storedResource, type StoredPlan } from './plan.js';
export { type Writer } from './writers.js';
