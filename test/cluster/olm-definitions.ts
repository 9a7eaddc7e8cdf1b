/** OLM's kinds on a test's API server: small definitions that take any field, with the status apart as OLM's own have it. */
import type { JsonObject } from '../../src/text/documents/index.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** As OLM has them, for whoever types. */
  readonly shortNames?: readonly string[];
}

const olm = 'operators.coreos.com';
const kinds: readonly Kind[] = [
  namespaced('OperatorGroup', 'operatorgroups', 'v1', ['og']),
  namespaced('ClusterServiceVersion', 'clusterserviceversions', 'v1alpha1', ['csv', 'csvs']),
  namespaced('Subscription', 'subscriptions', 'v1alpha1', ['sub', 'subs']),
  namespaced('InstallPlan', 'installplans', 'v1alpha1', ['ip']),
  namespaced('CatalogSource', 'catalogsources', 'v1alpha1', ['catsrc']),
  namespaced('OperatorCondition', 'operatorconditions', 'v2', ['condition']),
  clusterWide('ClusterExtension', 'clusterextensions', 'olm.operatorframework.io'),
  clusterWide('ClusterExtensionRevision', 'clusterextensionrevisions', 'olm.operatorframework.io'),
  clusterWide('ClusterObjectSet', 'clusterobjectsets', 'olm.operatorframework.io'),
  clusterWide('ClusterCatalog', 'clustercatalogs', 'olm.operatorframework.io'),
  clusterWide('ClusterVersion', 'clusterversions', 'config.openshift.io'),
];

function namespaced(
  kind: string,
  plural: string,
  version: string,
  shortNames: readonly string[],
): Kind {
  return { group: olm, version, kind, plural, scope: 'Namespaced', shortNames };
}

function clusterWide(kind: string, plural: string, group: string): Kind {
  return { group, version: 'v1', kind, plural, scope: 'Cluster' };
}

const builtIn: readonly Kind[] = [
  { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' },
  {
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    scope: 'Namespaced',
  },
  { group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' },
  ...(['Role', 'RoleBinding'] as const).map((kind) => ({
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced' as const,
  })),
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    scope: 'Cluster',
  },
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    scope: 'Cluster',
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    scope: 'Cluster',
  },
];

/** Where an object lives, or with `name` its collection. */
export function pathOf(object: JsonObject, what: 'object' | 'collection' = 'object'): string {
  const kind = [...kinds, ...builtIn].find((each) => each.kind === object['kind']);
  if (kind === undefined) throw new Error(`no path for kind ${JSON.stringify(object['kind'])}`);
  const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
  const base = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/${kind.version}`;
  const within = kind.scope === 'Namespaced' ? `/namespaces/${namespace ?? 'default'}` : '';
  const collection = `${base}${within}/${kind.plural}`;
  return what === 'collection' ? collection : `${collection}/${name}`;
}

export function withApiVersion(object: JsonObject): JsonObject {
  const kind = [...kinds, ...builtIn].find((each) => each.kind === object['kind']);
  if (kind === undefined) throw new Error(`unknown kind ${JSON.stringify(object['kind'])}`);
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return { ...object, apiVersion };
}

/** Registers OLM's kinds and waits until they are served. */
export async function installOlm(cluster: TestCluster): Promise<void> {
  for (const { group, version, kind, plural, scope, shortNames = [] } of kinds) {
    await cluster.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope,
        names: { kind, plural, shortNames },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    });
  }
  for (const { group, version, plural } of kinds) {
    await until(`${plural} to be served`, async () => {
      const { code } = await cluster.request('GET', `/apis/${group}/${version}/${plural}`);
      return code === 200 || undefined;
    });
  }
}

/** Creates objects in order, each after its namespace. @throws Error for what is not created */
export async function createAll(
  cluster: TestCluster,
  objects: readonly JsonObject[],
): Promise<void> {
  for (const object of objects) {
    const { namespace } = object['metadata'] as { namespace?: string };
    if (namespace !== undefined) await createNamespace(cluster, namespace);
    const answer = await until(`${pathOf(object)} to be created`, async () => {
      const given = await cluster.request(
        'POST',
        pathOf(object, 'collection'),
        withApiVersion(object),
      );
      // A kind is listed a moment before it can be written.
      return given.code === 404 || given.code === 429 ? undefined : given;
    });
    if (answer.code !== 201 && answer.code !== 409) {
      throw new Error(`${pathOf(object)} was not created: ${answer.text}`);
    }
    if (answer.code === 201 && kinds.some(({ kind }) => kind === object['kind'])) {
      await writeStatus(cluster, object);
    }
  }
}

/** Writes the object's status, as OLM would; one without status is left as it is. */
export async function writeStatus(cluster: TestCluster, object: JsonObject): Promise<void> {
  if (object['status'] === undefined) return;
  const answer = await cluster.request(
    'PATCH',
    `${pathOf(object)}/status`,
    { status: object['status'] },
    { contentType: 'application/merge-patch+json' },
  );
  if (answer.code !== 200) throw new Error(`${pathOf(object)} got no status: ${answer.text}`);
}

export async function createNamespace(
  cluster: TestCluster,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  await cluster.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
}
