/** Every rule about OLM's objects, in one table. docs/rules.md is generated from it. */
import type { Finding } from '../../finding.js';
import type { OlmKind, OlmRule, RuleContext } from './rule.js';
import * as catalogSource from './catalog-source-rules.js';
import { clusterUpdateBlocked } from './cluster-version-rules.js';
import { csvRules } from './csv-rules.js';
import * as extensionOutcome from './extension-outcome-rules.js';
import * as extension from './extension-rules.js';
import { operatorGroupIntersection } from './group-intersection.js';
import { groupInUse, unsupportedMembers } from './group-members.js';
import {
  groupRoleCollision,
  groupServiceAccount,
  multipleOperatorGroups,
} from './group-neighbours.js';
import * as groupTargets from './group-targets.js';
import * as installPlan from './install-plan-rules.js';
import {
  staticProtectionLost,
  staticProvidedApis,
  unreadableProvidedApis,
} from './static-group.js';
import * as subscriptionCatalog from './subscription-catalog-rules.js';
import * as subscription from './subscription-rules.js';

export const olmRules: readonly OlmRule[] = [
  groupTargets.invalidTargets,
  operatorGroupIntersection,
  unsupportedMembers,
  staticProvidedApis,
  multipleOperatorGroups,
  groupTargets.emptySelector,
  groupTargets.selectorIgnored,
  groupTargets.selectorMatchesNothing,
  groupTargets.targetNamespaceMissing,
  unreadableProvidedApis,
  staticProtectionLost,
  groupServiceAccount,
  groupRoleCollision,
  groupInUse,
  ...csvRules,
  subscription.catalogSourcesUnhealthy,
  subscription.catalogSourceMissing,
  subscription.subscriptionOperatorGroup,
  subscription.duplicateSubscription,
  subscription.manualApprovalSpreads,
  subscriptionCatalog.subscriptionPackage,
  subscriptionCatalog.subscriptionChannel,
  subscriptionCatalog.subscriptionStartingCsv,
  subscriptionCatalog.packageDeprecated,
  subscriptionCatalog.channelDeprecated,
  subscriptionCatalog.bundleDeprecated,
  installPlan.installPlanOperatorGroup,
  installPlan.installPlanCrd,
  installPlan.installPlanCsv,
  installPlan.installPlanBundleTooLarge,
  installPlan.installPlanUnchecked,
  catalogSource.catalogSourceSpec,
  catalogSource.catalogSourcePoll,
  catalogSource.catalogSourceTemplate,
  catalogSource.catalogSourceSecurity,
  catalogSource.catalogSourcePriority,
  extension.extensionRange,
  extension.extensionPackage,
  extension.extensionChannel,
  extension.extensionVersion,
  extension.extensionUpgradePath,
  extension.extensionForcing,
  extension.extensionSelfCertified,
  extensionOutcome.extensionUnresolvable,
  extensionOutcome.extensionDeprecated,
  extensionOutcome.extensionResolution,
  clusterUpdateBlocked,
];

/** Asks every rule that is about this kind and request, in the table's order. */
export function runOlmRules(kind: OlmKind, context: RuleContext): Finding[] {
  return olmRules
    .filter((rule) => rule.kind === kind && rule.requests.includes(context.request))
    .flatMap((rule) => [...rule.check(context)]);
}
