import { exampleSubscription } from '../example-objects.js';
import type { CatalogBundle } from '../../../catalogs/index.js';
import { readSubscription, subscriptionReference } from '../../../objects/subscription.js';
import type { OlmView } from '../../../objects/view.js';
import { type Finding, from, sources } from '../../../../rule/index.js';
import { afterInstall } from '../cluster-service-version/after-install.js';
import { defineOlmRule } from '../rule.js';
import { bundleAhead } from './subscribed-package.js';

export const subscriptionInstallFails = defineOlmRule({
  id: 'SubscriptionInstallFails',
  subject: 'Subscription',
  family: 'operator-groups',
  severity: 'warning',
  protects: 'own-namespace',
  blocksUpgrade: true,
  withoutNames:
    'the bundle that OLM installs next does not fit its OperatorGroup or this Kubernetes version',
  checks:
    'The bundle that OLM installs next for a Subscription fits the OperatorGroup of its namespace and the version of Kubernetes, as far as the catalog is known here.',
  why: 'Resolution looks at neither install modes nor APIs of other groups nor minKubeVersion: OLM installs the bundle, and its ClusterServiceVersion fails or stays Pending.',
  otherwise: 'phase Failed, reason UnsupportedOperatorGroup or InterOperatorGroupOwnerConflict',
  instead:
    'Change the OperatorGroup or upgrade the cluster first, or subscribe in a namespace whose group fits.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  ),
  messages: {
    fails: 'OLM installs {csv}, which then fails: {problem}',
    waits: 'OLM installs {csv}, which then stays Pending: {problem}',
  },
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: work, namespace: work }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }
      ---
      { schema: olm.package, name: cats, defaultChannel: stable }
      ---
      { schema: olm.channel, package: cats, name: stable, entries: [{ name: cats.v1.0.0 }] }
      ---
      { schema: olm.bundle, package: cats, name: cats.v1.0.0, image: quay.io/example/cats, properties: [{ type: olm.package, value: { packageName: cats, version: 1.0.0 } }, { type: olm.csv.metadata, value: { installModes: [{ type: AllNamespaces, supported: true }] } }] }`,
    after: exampleSubscription('', { package: 'cats', name: 'cats' }),
    says: 'OLM installs cats.v1.0.0, which then fails: UnsupportedOperatorGroup: ',
    accepted: exampleSubscription('', { package: 'cats', name: 'cats', namespace: 'elsewhere' }),
  },
  *judge(context) {
    const { namespace } = readSubscription(context.object);
    // Another rule is about a namespace without one group.
    if (context.view.groupsIn(namespace).length !== 1) return;
    const bundle = context.fact(bundleAhead);
    if (bundle === undefined) return;
    for (const { id, problem } of afterInstall(bundle, namespace, context.view)) {
      yield { id, data: { csv: bundle.name, problem }, path: '$.spec' };
    }
  },
});

/** The same of a bundle that a resolution has chosen. */
export function installFailures(
  bundle: CatalogBundle,
  subscription: { readonly namespace: string; readonly name: string },
  view: OlmView,
): Finding[] {
  return afterInstall(bundle, subscription.namespace, view).map(({ id, problem }) => ({
    ...subscriptionInstallFails.finding({ id, data: { csv: bundle.name, problem } }),
    object: subscriptionReference(subscription, subscription.name),
  }));
}
