export { checkpointStore } from './checkpoint.js';
export { readKind } from './definition.js';
export type { MigratedKind } from './migrated-kind.js';
export { planMigration, type MigrationPlan } from './plan.js';
export { MigrationRefusal, Requests } from './requests.js';
export { runMigration, type MigrationResult } from './run.js';
export { verifyMigration, type Verification } from './verify.js';
