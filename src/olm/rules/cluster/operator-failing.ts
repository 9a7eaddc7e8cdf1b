import type { JsonObject } from '../../../text/documents/index.js';
import { metaOf } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { textAt } from '../../../text/documents/fields.js';
import { conditionText, isSettling } from './reported-condition.js';
import { defineScanRule, type ScanContext } from './rule.js';

const csv = (status: string): string => `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata: { name: cats.v1, namespace: pets }
      status: ${status}`;

export const operatorFailing = defineScanRule({
  id: 'OperatorFailing',
  severity: 'error',
  family: 'operator-groups',
  kinds: ['ClusterServiceVersion', 'Subscription'],
  otherwise: 'phase Failed, reason InstallCheckFailed',
  source: sources(
    from.olmApi('pkg/operators/v1alpha1/clusterserviceversion_types.go', 'ConditionReason'),
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
  ),
  checks:
    'ClusterServiceVersions that OLM classic reports as Failed, or that have not reached Succeeded after ten minutes.',
  why: 'The operator does not work, or works in its old version, and OLM does not go on by itself.',
  instead: 'Correct what OLM’s message names; the finding says where to look.',
  messages: {
    reported: '{report}',
    ofSubscription: '{report}; installed for Subscription {subscription}',
  },
  example: {
    after: csv('{ phase: Failed, reason: InstallCheckFailed, message: install timeout }'),
    says: 'phase is Failed with reason InstallCheckFailed: install timeout',
    accepted: csv('{ phase: Succeeded, reason: InstallSucceeded }'),
  },
  *judge(context) {
    const { objects, now } = context;
    for (const object of objects('ClusterServiceVersion')) {
      const phase = textAt(object, 'status', 'phase') ?? '';
      const reason = textAt(object, 'status', 'reason') ?? '';
      if (phase === 'Succeeded' || phase === '' || reason === 'Copied') continue;
      const since = textAt(object, 'status', 'lastTransitionTime');
      if (phase !== 'Failed' && isSettling(since, now)) continue;
      const message = textAt(object, 'status', 'message') ?? '';
      const report = conditionText({ type: 'phase', status: phase, reason, message, since }, now);
      const subscription = installerOf(object, context);
      yield {
        object,
        ...(subscription === undefined
          ? { id: 'reported', data: { report } }
          : { id: 'ofSubscription', data: { report, subscription } }),
        severity: isOperatorsOwn(reason) ? 'warning' : 'error',
        cause: `${phase} ${reason}`,
        fix: remedy(object, reason),
      };
    }
  },
});

/** The operator itself asked OLM to wait. */
function isOperatorsOwn(reason: string): boolean {
  return reason === 'OperatorConditionNotUpgradeable';
}

function installerOf(csv: JsonObject, { objects }: ScanContext): string | undefined {
  const { name, namespace } = metaOf(csv);
  for (const subscription of objects('Subscription')) {
    const meta = metaOf(subscription);
    const names = ['installedCSV', 'currentCSV'].map((key) => textAt(subscription, 'status', key));
    if (meta.namespace === namespace && names.includes(name)) {
      return `${namespace}/${meta.name}`;
    }
  }
  return undefined;
}

const ofGroups = new Set([
  ...['NoOperatorGroup', 'TooManyOperatorGroups', 'UnsupportedOperatorGroup'],
  ...['NoTargetNamespaces', 'InterOperatorGroupOwnerConflict'],
  'CannotModifyStaticOperatorGroupProvidedAPIs',
]);
const ofComponents = new Set([
  ...['InstallComponentFailed', 'InstallComponentFailedNoRetry', 'InstallCheckFailed'],
  ...['InstallWaiting', 'InstallSucceeded', 'ComponentUnhealthy', 'NeedsReinstall'],
]);

function remedy(csv: JsonObject, reason: string): string {
  const { name, namespace } = metaOf(csv);
  const get = `kubectl get csv ${name} -n ${namespace} -o`;
  if (ofGroups.has(reason)) {
    return `The namespace's administrator: correct the OperatorGroup of ${namespace}; run: olm-guard check operatorgroup`;
  }
  if (ofComponents.has(reason)) {
    return `Look at the operator's deployments: kubectl describe deployments -n ${namespace} -l olm.owner=${name}`;
  }
  if (reason === 'RequirementsNotMet' || reason === 'RequirementsUnknown') {
    return `See what is missing: ${get} jsonpath='{.status.requirementStatus}'`;
  }
  if (isOperatorsOwn(reason)) {
    return 'Let the operator finish, or set an override of condition Upgradeable in spec.overrides of its OperatorCondition.';
  }
  return `See how it came to this: ${get} jsonpath='{.status.conditions}'`;
}
