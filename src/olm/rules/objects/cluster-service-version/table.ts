import type { OlmRule } from '../rule.js';
import { cannotModifyStaticOperatorGroupProvidedApis } from './cannot-modify-static-operator-group-provided-apis.js';
import { conversionWebhook } from './conversion-webhook.js';
import { installedConstraints } from './installed-constraints.js';
import { interOperatorGroupOwnerConflict } from './inter-operator-group-owner-conflict.js';
import { invalidInstallModes } from './invalid-install-modes.js';
import { invalidWebhookDescription } from './invalid-webhook-description.js';
import { noOperatorGroup } from './no-operator-group.js';
import { noTargetNamespaces } from './no-target-namespaces.js';
import { operatorConditionNotUpgradeable } from './operator-condition-not-upgradeable.js';
import { ownerConflict } from './owner-conflict.js';
import { removedApiPermissions } from './removed-api-permissions.js';
import { requirementsNotMet } from './requirements-not-met.js';
import { sharedCrdVersions } from './shared-crd-versions.js';
import { tooManyOperatorGroups } from './too-many-operator-groups.js';
import { unreadableOpenShiftLimit } from './unreadable-open-shift-limit.js';
import { unsupportedOperatorGroup } from './unsupported-operator-group.js';

/** Rules about ClusterServiceVersions, in the order in which OLM would stumble. */
export const csvRules: readonly OlmRule[] = [
  noOperatorGroup,
  tooManyOperatorGroups,
  noTargetNamespaces,
  invalidInstallModes,
  unsupportedOperatorGroup,
  cannotModifyStaticOperatorGroupProvidedApis,
  interOperatorGroupOwnerConflict,
  operatorConditionNotUpgradeable,
  requirementsNotMet,
  invalidWebhookDescription,
  conversionWebhook,
  ownerConflict,
  sharedCrdVersions,
  unreadableOpenShiftLimit,
  installedConstraints,
  removedApiPermissions,
];
