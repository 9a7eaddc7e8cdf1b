import { exampleExtension } from '../examples.js';
import { type CatalogBundle, contentsOf } from '../../../catalogs/catalog.js';
import { bundleCrds, textField } from '../../../catalogs/properties.js';
import { installedBundle, readClusterExtension } from '../../../objects/cluster-extension.js';
import { type ExtensionOutcome, outcomeOf } from '../../../objects/extension-outcome.js';
import type { OlmView } from '../../../objects/view.js';
import { isObject, metaOf } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { brokenDefinitions } from '../definitions.js';
import { defineExtensionRule } from '../rule.js';

export const clusterExtensionInstallFails = defineExtensionRule({
  id: 'ClusterExtensionInstallFails',
  severity: 'warning',
  blocksUpgrade: true,
  withoutNames:
    'the bundle that OLM v1 chooses brings an API that something else provides already, or breaks a definition',
  checks:
    'No other ClusterExtension, no operator of OLM classic and no definition on the cluster has an API that the chosen bundle of a ClusterExtension brings, and the bundle breaks no definition that is its own, as far as the catalog says.',
  why: 'OLM v1 resolves the bundle all the same, and then takes over no object of others: the ClusterExtension stays at Progressing with reason Retrying.',
  otherwise:
    'revision object collisions in phase …; with Helm: exists and cannot be imported into the current release',
  instead: 'Keep one of the two, or choose a version that does not bring the API.',
  source: sources(
    from.operatorController('internal/operator-controller/applier/boxcutter.go'),
    from.operatorController(
      'internal/operator-controller/controllers/clusterobjectset_controller.go',
    ),
  ),
  messages: {
    collides:
      'OLM v1 installs {bundle}, which then fails: {what} is there already and belongs to {owner}; OLM v1 takes over no object of others',
    breaks:
      'OLM v1 installs {bundle}, whose CustomResourceDefinition {definition} breaks the one on the cluster: {problem}',
  },
  example: {
    before: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata: { name: queue.v1.0.0, namespace: work }
      spec: { customresourcedefinitions: { owned: [{ name: queues.example.com, version: v1, kind: Queue }] } }
      ---
      { schema: olm.package, name: queue, defaultChannel: stable }
      ---
      { schema: olm.channel, package: queue, name: stable, entries: [{ name: queue.v1.0.0 }, { name: queue.v0.9.0 }] }
      ---
      { schema: olm.bundle, package: queue, name: queue.v0.9.0, image: quay.io/example/queue:0, properties: [{ type: olm.package, value: { packageName: queue, version: 0.9.0 } }] }
      ---
      { schema: olm.bundle, package: queue, name: queue.v1.0.0, image: quay.io/example/queue:1, properties: [{ type: olm.package, value: { packageName: queue, version: 1.0.0 } }, { type: olm.gvk, value: { group: example.com, version: v1, kind: Queue } }] }`,
    after: exampleExtension(),
    says: 'OLM v1 installs queue.v1.0.0, which then fails: the API Queue (example.com) is there already and belongs to ClusterServiceVersion work/queue.v1.0.0',
    accepted: exampleExtension('version: 0.9.0'),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'resolved' || found.outcome.resolution.stays) return;
    const { chosen } = found.outcome.resolution;
    const { extension, catalogs } = found;
    const bundle = bundleIn(catalogs, extension.packageName, chosen.name);
    if (bundle === undefined) return;
    const path = extension.packagePath;
    for (const { what, owner } of collisions(bundle, found, context.view)) {
      yield { id: 'collides', data: { bundle: bundle.name, what, owner }, path, cause: what };
    }
    for (const broken of brokenDefinitions(bundle, context)) {
      const data = { bundle: bundle.name, ...broken };
      yield { id: 'breaks', data, path, cause: broken.definition };
    }
  },
});

function bundleIn(
  catalogs: ExtensionOutcome['catalogs'],
  packageName: string,
  name: string | undefined,
): CatalogBundle | undefined {
  return catalogs
    .flatMap(({ catalog }) => contentsOf(catalog, packageName).bundles)
    .find((each) => each.name === name);
}

/** By group and kind, whose plurals a catalog does not have. */
function kindsOf({ properties }: CatalogBundle): Set<string> {
  return new Set(
    properties.flatMap(({ type, value }) =>
      type === 'olm.gvk' && isObject(value)
        ? [`${textField(value, 'kind')} (${textField(value, 'group')})`]
        : [],
    ),
  );
}

const definitionNames = (bundle: CatalogBundle | undefined): string[] =>
  (bundle && bundleCrds(bundle))?.map((each) => metaOf(each).name) ?? [];

const ownerLabel = 'olm.operatorframework.io/owner-name';

/** The first owner of each API that the bundle brings and another has. */
function* collisions(
  bundle: CatalogBundle,
  { extension, catalogs }: ExtensionOutcome,
  view: OlmView,
): Generator<{ readonly what: string; readonly owner: string }> {
  const kinds = kindsOf(bundle);
  const shared = new Map<string, string>();
  for (const csv of kinds.size === 0 ? [] : view.csvs()) {
    for (const { name, kind } of csv.ownedCrds) {
      const key = `${kind} (${name.slice(name.indexOf('.') + 1)})`;
      if (kinds.has(key)) shared.set(key, `ClusterServiceVersion ${csv.namespace}/${csv.name}`);
    }
  }
  for (const object of kinds.size === 0 ? [] : view.clusterExtensions()) {
    const { name, packageName } = readClusterExtension(object);
    if (name === extension.name) continue;
    const theirs = bundleIn(catalogs, packageName, installedBundle(object)?.name);
    for (const key of theirs === undefined ? [] : kindsOf(theirs)) {
      if (kinds.has(key)) shared.set(key, `ClusterExtension ${name}`);
    }
  }
  for (const [key, owner] of shared) yield { what: `the API ${key}`, owner };
  const own = new Set(
    definitionNames(bundleIn(catalogs, extension.packageName, extension.installed?.name)),
  );
  for (const name of definitionNames(bundle)) {
    const stored = own.has(name) ? undefined : view.lookUp('CustomResourceDefinition', name);
    if (stored === undefined || stored === null) continue;
    const owner = metaOf(stored).label(ownerLabel);
    if (owner === extension.name) continue;
    const whose = owner === undefined ? 'no ClusterExtension' : `ClusterExtension ${owner}`;
    yield { what: `CustomResourceDefinition ${name}`, owner: whose };
  }
}
