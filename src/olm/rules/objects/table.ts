import { catalogSourceRules } from './catalog-source/catalog-source-rules.js';
import { clusterExtensionInstallFails } from './cluster-extension/cluster-extension-install-fails.js';
import * as path from './cluster-extension/extension-path.js';
import * as request from './cluster-extension/extension-request.js';
import { csvRules } from './cluster-service-version/table.js';
import { clusterUpdateBlocked } from './cluster-version/cluster-update-blocked.js';
import { installPlanRules } from './install-plan/install-plan-rules.js';
import { groupFailureRules } from './operator-group/group-failures.js';
import { groupSpecRules } from './operator-group/group-spec.js';
import { groupSurroundingRules } from './operator-group/group-surroundings.js';
import { subscriptionInstallFails } from './subscription/subscription-install-fails.js';
import { subscriptionNamespaceRules } from './subscription/subscription-namespace.js';
import * as subscribed from './subscription/subscription-package.js';
import type { OlmRule } from './rule.js';

export const olmRules: readonly OlmRule[] = [
  ...groupFailureRules,
  ...groupSpecRules,
  ...groupSurroundingRules,
  ...csvRules,
  ...subscriptionNamespaceRules,
  subscribed.subscriptionPackage,
  subscribed.subscriptionChannel,
  subscribed.subscriptionStartingCsv,
  subscriptionInstallFails,
  subscribed.subscriptionLimitsCluster,
  subscribed.subscriptionDeadEnd,
  subscribed.packageDeprecated,
  subscribed.channelDeprecated,
  subscribed.bundleDeprecated,
  ...installPlanRules,
  ...catalogSourceRules,
  request.clusterExtensionRange,
  request.clusterExtensionPackage,
  request.clusterExtensionChannel,
  request.clusterExtensionVersion,
  path.clusterExtensionUpgradePath,
  path.clusterExtensionForcing,
  request.clusterExtensionSelfCertified,
  path.clusterExtensionUnresolvable,
  clusterExtensionInstallFails,
  request.clusterExtensionDeprecated,
  request.clusterExtensionServiceAccount,
  path.clusterExtensionResolution,
  clusterUpdateBlocked,
];
