import { exampleSubscription } from '../example-objects.js';
import { isLeaving } from '../../../objects/cluster-service-version.js';
import { packagesOf } from '../../../objects/namespace-state.js';
import { readSubscription } from '../../../objects/subscription.js';
import { textAt } from '../../../../text/documents/fields.js';
import { from, sources } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';

export const subscriptionUnownedOperator = defineSubscriptionRule({
  id: 'SubscriptionUnownedOperator',
  family: 'resolution',
  severity: 'warning',
  blocksUpgrade: true,
  withoutNames: 'its namespace has an operator of this package that no Subscription owns',
  checks:
    'No ClusterServiceVersion of the package runs in the namespace without a Subscription that owns it (`status.installedCSV`).',
  why: 'What no Subscription owns has to stay, and a namespace holds one operator of a package, so nothing in the namespace can be resolved.',
  otherwise:
    'constraints not satisfiable: clusterserviceversion … exists and is not referenced by a subscription',
  instead:
    'Delete the ClusterServiceVersion, so that OLM installs the operator by the Subscription; its definitions and their objects stay.',
  source: sources(
    from.olm('pkg/controller/registry/resolver/resolver.go', 'addInvariants'),
    from.olm('pkg/controller/registry/resolver/source_csvs.go'),
  ),
  messages: {
    unowned:
      'OLM resolves nothing in {namespace}: ClusterServiceVersion {csv} is of package {wanted} already, and no Subscription owns it',
  },
  example: {
    before: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata: { name: queue.v1.0.0, namespace: work, annotations: { operatorframework.io/properties: '{"properties":[{"type":"olm.package","value":{"packageName":"queue","version":"1.0.0"}}]}' } }
      spec: { version: 1.0.0 }
      status: { phase: Succeeded }`,
    after: exampleSubscription(),
    says: 'ClusterServiceVersion queue.v1.0.0 is of package queue already, and no Subscription owns it',
    accepted: exampleSubscription('', { package: 'topic', name: 'topic' }),
  },
  *judge({ object, oldObject, view }) {
    const { namespace, name, package: wanted } = readSubscription(object);
    const subscribed = view.subscriptionsIn(namespace);
    // Another one may own it; DuplicateSubscription is about them.
    if (subscribed.some((other) => other.name !== name && other.package === wanted)) return;
    const own = ['installedCSV', 'currentCSV'].flatMap((field) =>
      [object, oldObject ?? {}].map((each) => textAt(each, 'status', field)),
    );
    const csv = view
      .csvsIn(namespace)
      .find(
        (each) =>
          !own.includes(each.name) && !isLeaving(each) && packagesOf(each.object).includes(wanted),
      )?.name;
    if (csv !== undefined)
      yield { id: 'unowned', data: { namespace, csv, wanted }, path: '$.spec.name' };
  },
});
