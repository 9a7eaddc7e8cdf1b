import type { OlmRule } from './rule.js';
import * as membership from './csv-membership.js';
import { ownerConflict, sharedCrd } from './csv-ownership.js';
import { requirementsNotMet } from './csv-requirements.js';
import { operatorConditionNotUpgradeable } from './csv-upgrade.js';
import { conversionWebhook, invalidWebhookDescription } from './csv-webhooks.js';

/** Rules about ClusterServiceVersions, in the order in which OLM would stumble. */
export const csvRules: readonly OlmRule[] = [
  membership.noOperatorGroup,
  membership.tooManyOperatorGroups,
  membership.noTargetNamespaces,
  membership.invalidInstallModes,
  membership.unsupportedOperatorGroup,
  membership.cannotModifyStaticGroup,
  membership.interOperatorGroupOwnerConflict,
  operatorConditionNotUpgradeable,
  requirementsNotMet,
  invalidWebhookDescription,
  conversionWebhook,
  ownerConflict,
  sharedCrd,
];
