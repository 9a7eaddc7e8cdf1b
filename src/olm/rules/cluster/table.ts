/** What a scan says beyond the rules of the gate. */
import type { ScanRule } from './rule.js';
import { targetNamespacesOverlap } from './target-namespaces-overlap.js';
import { operatorNotUpgradeable } from './operator-not-upgradeable.js';
import { catalogUnhealthy } from './catalog-unhealthy.js';
import { blocksClusterUpgrade } from './blocks-cluster-upgrade.js';
import { updatePending } from './update-pending.js';
import { bypassInForce } from './bypass-in-force.js';
import { deletionPending } from './deletion-pending.js';

export const scanRules: readonly ScanRule[] = [
  targetNamespacesOverlap,
  operatorNotUpgradeable,
  catalogUnhealthy,
  blocksClusterUpgrade,
  updatePending,
  bypassInForce,
  deletionPending,
];
