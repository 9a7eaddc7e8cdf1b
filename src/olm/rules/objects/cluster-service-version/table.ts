import type { OlmRule } from '../rule.js';
import { csvContentRules } from './csv-contents.js';
import { groupMembershipRules } from './group-membership.js';
import {
  operatorConditionNotUpgradeable,
  ownerConflict,
  sharedCrdVersions,
} from './other-operators.js';
import { requirementsNotMet } from './requirements-not-met.js';
import { conversionWebhook, invalidWebhookDescription } from './webhooks.js';

/** Rules about ClusterServiceVersions, in the order in which OLM would stumble. */
export const csvRules: readonly OlmRule[] = [
  ...groupMembershipRules,
  operatorConditionNotUpgradeable,
  requirementsNotMet,
  invalidWebhookDescription,
  conversionWebhook,
  ownerConflict,
  sharedCrdVersions,
  ...csvContentRules,
];
