import { type JsonObject, metaOf } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { numberAt, objectsAt, textAt, textsAt } from '../../../text/documents/fields.js';
import { conditionText, isSettling, reportedConditions, sinceText } from './reported-condition.js';
import { defineScanRule, type ScanContext } from './rule.js';

const csv = (status: string): string => `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata: { name: cats.v1, namespace: pets }
      status: ${status}`;

const operatorFailing = defineScanRule({
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

const plan = (name: string, generation: number, status: string): string => `
      apiVersion: operators.coreos.com/v1alpha1
      kind: InstallPlan
      metadata: { name: ${name}, namespace: pets }
      spec: { approved: true, generation: ${generation}, clusterServiceVersionNames: [cats.v1] }
      status: ${status}`;
const failed = plan(
  'install-a',
  1,
  "{ phase: Failed, conditions: [{ type: Installed, status: 'False', reason: InstallComponentFailed, message: no space }] }",
);

const installPlanFailed = defineScanRule({
  id: 'InstallPlanFailed',
  severity: 'error',
  family: 'install-plans',
  kinds: ['InstallPlan'],
  otherwise: 'phase Failed',
  source: from.olm('pkg/controller/operators/catalog/operator.go', 'transitionInstallPlanState'),
  checks: 'InstallPlans that have failed, while no later plan of their namespace is complete.',
  why: 'OLM classic does not try a failed plan again: what it was to install or update stays as it is.',
  instead:
    'Remove what the message names, then delete the InstallPlan, and the ClusterServiceVersion of the new version where there is one, so that OLM makes a new plan.',
  messages: { failed: 'failed{why}{since}{said}; it was to install {csvs}' },
  example: {
    after: failed,
    says: 'failed with reason InstallComponentFailed: no space',
    accepted: `${failed}
      ---${plan('install-b', 2, '{ phase: Complete }')}`,
  },
  *judge({ objects, now }) {
    const completed = new Map<string, number>();
    for (const object of objects('InstallPlan')) {
      if (textAt(object, 'status', 'phase') !== 'Complete') continue;
      const { namespace } = metaOf(object);
      const latest = completed.get(namespace) ?? -1;
      completed.set(namespace, Math.max(latest, generationOf(object)));
    }
    for (const object of objects('InstallPlan')) {
      if (textAt(object, 'status', 'phase') !== 'Failed') continue;
      const { name, namespace } = metaOf(object);
      if ((completed.get(namespace) ?? -1) > generationOf(object)) continue;
      const { reason, message, since } = failureOf(object);
      const why = reason === '' ? '' : ` with reason ${reason}`;
      const said = message === '' ? '' : `: ${message}`;
      const csvs = textsAt(object, 'spec', 'clusterServiceVersionNames');
      yield {
        object,
        id: 'failed',
        data: { why, since: sinceText(since, now), said, csvs },
        cause: reason,
        fix: `Remove what the message names, then run: kubectl delete installplan ${name} -n ${namespace}`,
      };
    }
  },
});

const generationOf = (plan: JsonObject): number => numberAt(plan, 'spec', 'generation') ?? 0;

function failureOf(plan: JsonObject) {
  const failures = [
    ...[...reportedConditions(plan).values()].filter(({ status }) => status === 'False'),
    ...objectsAt(plan, 'status', 'bundleLookups')
      .flatMap((lookup) => [...reportedConditions({ status: lookup }).values()])
      .filter(({ type, status }) => type === 'BundleLookupFailed' && status === 'True'),
  ];
  const message = textAt(plan, 'status', 'message') ?? '';
  return failures[0] ?? { reason: '', message, since: undefined };
}

const subscription = (conditions: string): string => `
      apiVersion: operators.coreos.com/v1alpha1
      kind: Subscription
      metadata: { name: queue, namespace: work }
      spec: { name: queue, source: community, sourceNamespace: olm }
      status: { conditions: [${conditions}] }`;

/** Conditions of OLM classic that are bad when they are True, and what ends them. */
const remedies = new Map<string, (namespace: string) => string>([
  [
    'ResolutionFailed',
    (namespace) =>
      `See which demands conflict and what would mend it: olm-guard resolve --namespace ${namespace}`,
  ],
  [
    'BundleUnpackFailed',
    (namespace) =>
      `Look at the unpack job: kubectl get jobs -n ${namespace} -l operatorframework.io/bundle-unpack-ref; OLM unpacks again once the job is deleted.`,
  ],
  [
    'CatalogSourcesUnhealthy',
    (namespace) =>
      `The catalog's owner: repair or delete the catalog that is not READY: kubectl get catalogsources -A; nothing in ${namespace} is resolved until then.`,
  ],
  [
    'InstallPlanMissing',
    () => 'Somebody deleted the InstallPlan; OLM makes a new one when the Subscription changes.',
  ],
]);

const subscriptionFailing = defineScanRule({
  id: 'SubscriptionFailing',
  severity: 'error',
  family: 'resolution',
  kinds: ['Subscription'],
  otherwise: 'ResolutionFailed: constraints not satisfiable: …',
  source: sources(
    from.olmApi('pkg/operators/v1alpha1/subscription_types.go', 'SubscriptionConditionType'),
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
  ),
  checks:
    'Subscriptions for which OLM classic reports ResolutionFailed, BundleUnpackFailed, CatalogSourcesUnhealthy or InstallPlanMissing.',
  why: 'Neither the operator nor, mostly, any other of the namespace is installed or updated.',
  instead: 'Correct what OLM’s message names; the finding says where to look.',
  messages: {
    nothing: '{report}; nothing is installed',
    stays: '{report}; {installed} stays installed',
  },
  example: {
    after: subscription(
      "{ type: ResolutionFailed, status: 'True', reason: ConstraintsNotSatisfiable, message: 'constraints not satisfiable: …' }",
    ),
    says: 'ResolutionFailed is True with reason ConstraintsNotSatisfiable: constraints not satisfiable',
    accepted: subscription("{ type: ResolutionFailed, status: 'False' }"),
  },
  *judge({ objects, now }) {
    for (const object of objects('Subscription')) {
      const { namespace } = metaOf(object);
      for (const condition of reportedConditions(object).values()) {
        const remedy = remedies.get(condition.type);
        if (remedy === undefined || condition.status !== 'True') continue;
        const installed = textAt(object, 'status', 'installedCSV') ?? '';
        const report = conditionText(condition, now);
        yield {
          object,
          ...(installed === ''
            ? { id: 'nothing', data: { report } }
            : { id: 'stays', data: { report, installed } }),
          cause: `${condition.type} ${condition.reason}`,
          fix: remedy(namespace),
        };
      }
    }
  },
});

export const classicFailingRules = [operatorFailing, installPlanFailed, subscriptionFailing];
