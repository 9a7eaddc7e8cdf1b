export { type ConverterLimits, openConverter } from './converter/https.js';
export {
  type ServiceReference,
  authoritiesOf,
  findService,
  serviceOf,
  urlOf,
} from './converter/service.js';
export {
  type MigratedKind,
  type MigrationPlan,
  type MigrationResult,
  type Requests,
  type Verification,
} from './migration/index.js';
export { readMigrationRecord, recordName } from './migration/record.js';
export { type FolderStateOptions } from './olm-state/folder-state.js';
export { type FollowedResource, followedResources, lookedUpResources } from './olm-state/kinds.js';
export { type LiveStateOptions } from './olm-state/live-state.js';
export { type ObjectChange } from './olm-state/object-store.js';
export { type JudgedState, type OlmState, withViews } from './olm-state/olm-state.js';
export { RecentWrites } from './olm-state/recent-writes.js';
export {
  type Answer,
  type AskedKind,
  type NamespaceGroups,
  ReviewView,
  type Wanted,
  type WantedInBundle,
  keyInBundle,
  keyOfWanted,
} from './olm-state/review-view.js';
export { isAllowed, userOf } from './view/access.js';
export { boundedPages } from './view/bounded-pages.js';
export { type Connection } from './view/connection.js';
export { Discovery } from './view/discovery.js';
export { FolderCluster } from './view/folder.js';
export { LeaseHolder } from './view/lease.js';
export { LiveCluster } from './view/live.js';
export { type VersionedResource, objectPages, readPage } from './view/object-pages.js';
export { ownNamespace } from './view/own-namespace.js';
export {
  ClusterError,
  type ClusterView,
  type ResourceName,
  type UpdatedObject,
  type User,
  formatResource,
} from './view/view.js';
export {
  type Convert,
  type Answer as ConversionAnswer,
  conversionReview,
  type ConversionRequest,
  judgeAnswer,
} from './conversion/review.js';
export { convertedSides } from './conversion/round-trip.js';
