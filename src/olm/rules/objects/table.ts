import { catalogSourceImageTemplate } from './catalog-source/catalog-source-image-template.js';
import { catalogSourcePod } from './catalog-source/catalog-source-pod.js';
import { catalogSourcePriority } from './catalog-source/catalog-source-priority.js';
import { catalogSourceRegistryPoll } from './catalog-source/catalog-source-registry-poll.js';
import { catalogSourceSecurityContext } from './catalog-source/catalog-source-security-context.js';
import { catalogSourceSpecInvalid } from './catalog-source/catalog-source-spec-invalid.js';
import { clusterExtensionChannel } from './cluster-extension/cluster-extension-channel.js';
import { clusterExtensionDeprecated } from './cluster-extension/cluster-extension-deprecated.js';
import { clusterExtensionForcing } from './cluster-extension/cluster-extension-forcing.js';
import { clusterExtensionInstallFails } from './cluster-extension/cluster-extension-install-fails.js';
import { clusterExtensionPackage } from './cluster-extension/cluster-extension-package.js';
import { clusterExtensionRange } from './cluster-extension/cluster-extension-range.js';
import { clusterExtensionResolution } from './cluster-extension/cluster-extension-resolution.js';
import { clusterExtensionSelfCertified } from './cluster-extension/cluster-extension-self-certified.js';
import { clusterExtensionServiceAccount } from './cluster-extension/cluster-extension-service-account.js';
import { clusterExtensionUnresolvable } from './cluster-extension/cluster-extension-unresolvable.js';
import { clusterExtensionUpgradePath } from './cluster-extension/cluster-extension-upgrade-path.js';
import { clusterExtensionVersion } from './cluster-extension/cluster-extension-version.js';
import { clusterUpdateBlocked } from './cluster-version/cluster-update-blocked.js';
import { installPlanBundleTooLarge } from './install-plan/install-plan-bundle-too-large.js';
import { installPlanCrdSafety } from './install-plan/install-plan-crd-safety.js';
import { installPlanCsv } from './install-plan/install-plan-csv.js';
import { installPlanOperatorGroup } from './install-plan/install-plan-operator-group.js';
import { installPlanUnchecked } from './install-plan/install-plan-unchecked.js';
import { groupRoleCollision } from './operator-group/group-role-collision.js';
import { misspeltProvidedApis } from './operator-group/misspelt-provided-apis.js';
import { multipleOperatorGroups } from './operator-group/multiple-operator-groups.js';
import { operatorGroupInUse } from './operator-group/operator-group-in-use.js';
import { operatorGroupIntersection } from './operator-group/operator-group-intersection.js';
import { operatorGroupTargets } from './operator-group/operator-group-targets.js';
import { operatorGroupNameTaken } from './operator-group/operator-group-name-taken.js';
import { selectorIgnored } from './operator-group/selector-ignored.js';
import { selectorMatchesNothing } from './operator-group/selector-matches-nothing.js';
import { selectorSelectsAll } from './operator-group/selector-selects-all.js';
import { serviceAccountNotFound } from './operator-group/service-account-not-found.js';
import { severalTargetNamespaces } from './operator-group/several-target-namespaces.js';
import { staticProtectionLost } from './operator-group/static-protection-lost.js';
import { staticProvidedApis } from './operator-group/static-provided-apis.js';
import { targetNamespaceMissing } from './operator-group/target-namespace-missing.js';
import { unreadableProvidedApis } from './operator-group/unreadable-provided-apis.js';
import { unsupportedMembers } from './operator-group/unsupported-members.js';
import { bundleDeprecated } from './subscription/bundle-deprecated.js';
import { catalogSourceMissing } from './subscription/catalog-source-missing.js';
import { catalogSourcesUnhealthy } from './subscription/catalog-sources-unhealthy.js';
import { channelDeprecated } from './subscription/channel-deprecated.js';
import { duplicateSubscription } from './subscription/duplicate-subscription.js';
import { manualApprovalSpreads } from './subscription/manual-approval-spreads.js';
import { packageDeprecated } from './subscription/package-deprecated.js';
import { subscriptionChannel } from './subscription/subscription-channel.js';
import { subscriptionDeadEnd } from './subscription/subscription-dead-end.js';
import { subscriptionUnownedOperator } from './subscription/subscription-unowned-operator.js';
import { subscriptionInstallFails } from './subscription/subscription-install-fails.js';
import { subscriptionLimitsCluster } from './subscription/subscription-limits-cluster.js';
import { subscriptionOperatorGroup } from './subscription/subscription-operator-group.js';
import { subscriptionPackage } from './subscription/subscription-package.js';
import { subscriptionStartingCsv } from './subscription/subscription-starting-csv.js';
import { csvRules } from './cluster-service-version/table.js';
import type { OlmRule } from './rule.js';

export const olmRules: readonly OlmRule[] = [
  operatorGroupTargets,
  operatorGroupIntersection,
  unsupportedMembers,
  staticProvidedApis,
  multipleOperatorGroups,
  selectorSelectsAll,
  selectorIgnored,
  selectorMatchesNothing,
  targetNamespaceMissing,
  unreadableProvidedApis,
  misspeltProvidedApis,
  severalTargetNamespaces,
  operatorGroupNameTaken,
  staticProtectionLost,
  serviceAccountNotFound,
  groupRoleCollision,
  operatorGroupInUse,
  ...csvRules,
  catalogSourcesUnhealthy,
  catalogSourceMissing,
  subscriptionOperatorGroup,
  duplicateSubscription,
  subscriptionUnownedOperator,
  manualApprovalSpreads,
  subscriptionPackage,
  subscriptionChannel,
  subscriptionStartingCsv,
  subscriptionInstallFails,
  subscriptionLimitsCluster,
  subscriptionDeadEnd,
  packageDeprecated,
  channelDeprecated,
  bundleDeprecated,
  installPlanOperatorGroup,
  installPlanCrdSafety,
  installPlanCsv,
  installPlanBundleTooLarge,
  installPlanUnchecked,
  catalogSourceSpecInvalid,
  catalogSourcePod,
  catalogSourceRegistryPoll,
  catalogSourceImageTemplate,
  catalogSourceSecurityContext,
  catalogSourcePriority,
  clusterExtensionRange,
  clusterExtensionPackage,
  clusterExtensionChannel,
  clusterExtensionVersion,
  clusterExtensionUpgradePath,
  clusterExtensionForcing,
  clusterExtensionSelfCertified,
  clusterExtensionUnresolvable,
  clusterExtensionInstallFails,
  clusterExtensionDeprecated,
  clusterExtensionServiceAccount,
  clusterExtensionResolution,
  clusterUpdateBlocked,
];
