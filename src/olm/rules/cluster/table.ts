import type { ScanRule } from './rule.js';
import { targetNamespacesOverlap } from './target-namespaces-overlap.js';
import { operatorNotUpgradeable } from './operator-not-upgradeable.js';
import { catalogUnhealthy } from './catalog-unhealthy.js';
import { blocksClusterUpgrade } from './blocks-cluster-upgrade.js';
import { updatePending } from './update-pending.js';
import { bypassInForce } from './bypass-in-force.js';
import { deletionPending } from './deletion-pending.js';
import { definitionOwned } from './definition-owned.js';
import { operatorFailing } from './operator-failing.js';
import { installPlanFailed } from './install-plan-failed.js';
import { subscriptionFailing } from './subscription-failing.js';
import { extensionFailing } from './extension-failing.js';
import { clusterCatalogFailing } from './cluster-catalog-failing.js';
import { revisionFailing } from './revision-failing.js';

export const scanRules: readonly ScanRule[] = [
  targetNamespacesOverlap,
  operatorNotUpgradeable,
  catalogUnhealthy,
  blocksClusterUpgrade,
  updatePending,
  bypassInForce,
  deletionPending,
  definitionOwned,
  operatorFailing,
  installPlanFailed,
  subscriptionFailing,
  extensionFailing,
  clusterCatalogFailing,
  revisionFailing,
];
