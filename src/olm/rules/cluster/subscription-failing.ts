import { metaOf } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { textAt } from '../../../text/documents/fields.js';
import { conditionText, reportedConditions } from './reported-condition.js';
import { defineScanRule } from './rule.js';

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

export const subscriptionFailing = defineScanRule({
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
