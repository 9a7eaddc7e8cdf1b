import { exampleSubscription } from '../examples.js';
import type { CatalogBundle } from '../../../catalogs/catalog.js';
import { readSubscription, subscriptionReference } from '../../../objects/classic-objects.js';
import { type Finding, from, sources } from '../../../../rule/index.js';
import { brokenDefinitions } from '../definitions.js';
import { defineSubscriptionRule, RuleContext } from '../rule.js';
import { bundleAhead } from './subscribed-package.js';
import { isObject } from '../../../../text/documents/index.js';
import { textField } from '../../../catalogs/properties.js';
import type { OlmView } from '../../../objects/view.js';
import {
  cannotModifyStaticOperatorGroupProvidedApis,
  interOperatorGroupOwnerConflict,
  noTargetNamespaces,
  unsupportedOperatorGroup,
} from '../cluster-service-version/group-membership.js';
import { reviewedCsv } from '../cluster-service-version/csv-review.js';
import {
  requirementsNotMet,
  unmetKubernetesVersion,
} from '../cluster-service-version/requirements-not-met.js';

export const subscriptionInstallFails = defineSubscriptionRule({
  id: 'SubscriptionInstallFails',
  family: 'operator-groups',
  severity: 'warning',
  blocksUpgrade: true,
  withoutNames:
    'the bundle that OLM installs next does not fit its OperatorGroup, this Kubernetes version or the definitions on the cluster',
  checks:
    'The bundle that OLM installs next for a Subscription fits the OperatorGroup of its namespace and the version of Kubernetes, and breaks no definition on the cluster, as far as the catalog is known here. Of the gate’s catalogs no definitions are kept: it judges those of the InstallPlan instead (InstallPlanCRDSafety).',
  why: 'Resolution looks at neither install modes nor APIs of other groups nor minKubeVersion nor definitions: OLM installs the bundle, and its InstallPlan or its ClusterServiceVersion fails or waits, or objects break.',
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
    breaks:
      'OLM installs {csv}, whose CustomResourceDefinition {definition} breaks the one on the cluster: {problem}',
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
    for (const failure of failuresOf(bundle, namespace, context))
      yield { ...failure, path: '$.spec' };
  },
});

type Context = Pick<RuleContext, 'view' | 'crdSafety'>;

function failuresOf(bundle: CatalogBundle, namespace: string, context: Context) {
  const csv = bundle.name;
  return [
    ...afterInstall(bundle, namespace, context.view).map(({ id, problem }) => ({
      ...{ id, data: { csv, problem } },
    })),
    ...brokenDefinitions(bundle, context).map(({ definition, problem }) => ({
      ...{ id: 'breaks' as const, data: { csv, definition, problem }, cause: definition },
      fix: 'migrate its objects first, or stay until a release keeps the definition',
    })),
  ];
}

/** The same of a bundle that a resolution has chosen. */
export function installFailures(
  bundle: CatalogBundle,
  subscription: { readonly namespace: string; readonly name: string },
  context: Context,
): Finding[] {
  return failuresOf(bundle, subscription.namespace, context).map((failure) => ({
    ...subscriptionInstallFails.finding(failure),
    object: subscriptionReference(subscription, subscription.name),
  }));
}

const allModes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

interface AfterInstall {
  readonly id: 'fails' | 'waits';
  readonly problem: string;
}

/** Resolution looks neither at install modes nor at other groups' APIs. Without metadata in the catalog, only APIs are judged. */
function afterInstall(
  { name, properties, installation }: CatalogBundle,
  namespace: string,
  view: OlmView,
): AfterInstall[] {
  const owned = properties.flatMap(({ type, value }) =>
    type === 'olm.gvk' && isObject(value)
      ? [
          {
            // The plural is not in a catalog, and the group is what counts.
            name: `x.${textField(value, 'group')}`,
            version: textField(value, 'version'),
            kind: textField(value, 'kind'),
          },
        ]
      : [],
  );
  const context = new RuleContext({
    request: 'CREATE',
    object: {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: { name, namespace },
      spec: {
        installModes: (installation?.modes ?? allModes).map((type) => ({ type, supported: true })),
        customresourcedefinitions: { owned },
        minKubeVersion: installation?.minKubeVersion ?? '',
      },
    },
    oldObject: null,
    view,
    crdSafety: () => [],
  });
  const rules = [
    noTargetNamespaces,
    unsupportedOperatorGroup,
    cannotModifyStaticOperatorGroupProvidedApis,
    interOperatorGroupOwnerConflict,
  ];
  const failures = rules.flatMap((rule) =>
    rule
      .judge(context)
      .filter(({ severity }) => severity === 'error' || rule === noTargetNamespaces)
      .map(({ message }) => (message.startsWith(rule.id) ? message : `${rule.id}: ${message}`)),
  );
  const unmet = [...unmetKubernetesVersion(context.fact(reviewedCsv), view)];
  return [
    ...failures.map((problem) => ({ id: 'fails' as const, problem })),
    ...unmet.map(({ message }) => ({
      id: 'waits' as const,
      problem: `${requirementsNotMet.id}: ${message}`,
    })),
  ];
}
