/** The namespace that `resolve` is asked about: what the cluster has, and what the options change. */
import { ClusterError, type ClusterView } from '../../cluster/index.js';
import { invalidInput, metaOf, type JsonObject } from '../../text/documents/index.js';
import { didYouMean } from '../../text/nearest.js';
import {
  type CatalogSource,
  type CatalogState,
  catalogState,
  connectionText,
  isHealthy,
  namespaceState,
  type NamespaceState,
  readCatalogSource,
  readSubscription,
  type Semantics,
  type SubscriptionState,
} from '../../olm/index.js';
import {
  ignoreClusterError,
  readCatalogOption,
  readKnownCatalogs,
  type KnownCatalogOptions,
  type KnownCatalog,
} from '../options/known-catalogs.js';
import { append } from '../../text/long-lists.js';

export interface ResolveSource {
  readonly namespace: string;
  /** Undefined: `openshift-marketplace` where catalogs are in it, else `olm`. */
  readonly globalCatalogNamespace?: string;
  /** `PACKAGE` or `PACKAGE@CHANNEL`; `:` does as well. */
  readonly subscribe: readonly string[];
  readonly catalogs: readonly KnownCatalog[];
  readonly semantics: Semantics;
}

export interface FoundNamespace {
  readonly state: NamespaceState;
  /** From each namespace that could be read. */
  readonly operatorGroups: readonly JsonObject[];
  /** Objects of the namespace, by kind, that show how earlier steps ended. */
  readonly history: ReadonlyMap<string, readonly JsonObject[]>;
  /** Null where it is not known, as in a folder. */
  readonly kubernetesVersion: string | null;
  readonly warnings: readonly string[];
}

const olm = 'operators.coreos.com';

export async function readNamespace(
  view: ClusterView,
  source: ResolveSource,
): Promise<FoundNamespace> {
  const { namespace } = source;
  const list = (resource: string, where?: string) =>
    view.list({ group: olm, resource }, { namespace: where });
  const [operatorGroups, subscriptions, csvs, sources] = await Promise.all([
    list('operatorgroups', namespace),
    list('subscriptions', namespace),
    list('clusterserviceversions', namespace),
    list('catalogsources'),
  ]);
  const [plans, conditions] = await Promise.all(
    ['installplans', 'operatorconditions'].map((resource) =>
      list(resource, namespace).catch(ignoreClusterError),
    ),
  );
  const kubernetesVersion = await view.serverVersion?.().catch(ignoreClusterError);
  const elsewhere = await list('operatorgroups').catch(ignoreClusterError);
  const known = sources.map(readCatalogSource);
  const global = source.globalCatalogNamespace ?? globalNamespaceOf(known);
  const visible = known.filter((each) => each.namespace === namespace || each.namespace === global);
  const warnings: string[] = [];
  if (elsewhere === undefined) {
    warnings.push(
      'the OperatorGroups of other namespaces could not be read: whether one of them provides the same API was not asked',
    );
  }
  if (plans === undefined || conditions === undefined) {
    warnings.push(
      `the InstallPlans and OperatorConditions of ${namespace} could not be read: whether an earlier step holds this one up was not asked`,
    );
  }
  const catalogs = source.catalogs.map((named) => {
    // Its own goes before a global one of that name; what is elsewhere is not seen from here.
    const found = known.filter(({ name }) => name === named.name);
    const inNamespace = (where: string) => found.find((each) => each.namespace === where);
    const one = inNamespace(namespace) ?? inNamespace(global) ?? found[0];
    if (one === undefined) {
      warnings.push(
        `the cluster has no CatalogSource ${named.name}: this is what OLM does once it is READY in ${global}, and nothing before`,
      );
    }
    return catalogState(named.catalog, {
      name: named.name,
      namespace: one?.namespace ?? global,
      priority: one?.priority ?? named.priority,
    });
  });
  for (const each of visible.filter((catalog) => !isHealthy(catalog))) {
    const { name, namespace: where, connectionState } = each;
    const then =
      connectionState === ''
        ? 'this is what OLM does once it is READY, and nothing before'
        : `OLM resolves nothing in ${namespace} until it is READY`;
    warnings.push(`CatalogSource ${where}/${name} ${connectionText(each)}: ${then}`);
  }
  const state = namespaceState({
    namespace,
    globalCatalogNamespace: global,
    operatorGroups,
    subscriptions,
    csvs,
    catalogs: withFailing(catalogs, visible),
  });
  const changed = source.subscribe.reduce(subscribe, { ...state, semantics: source.semantics });
  append(warnings, missingCatalogs(changed, visible));
  if (operatorGroups.length + subscriptions.length + csvs.length === 0) {
    await demandNamespace(view, namespace);
  }
  return {
    ...{ state: changed, warnings },
    history: new Map([
      ['ClusterServiceVersion', csvs],
      ['Subscription', subscriptions],
      ['InstallPlan', plans ?? []],
      ['OperatorCondition', conditions ?? []],
    ]),
    ...{
      operatorGroups: elsewhere ?? operatorGroups,
      kubernetesVersion: kubernetesVersion ?? null,
    },
  };
}

/** One catalog that is not READY keeps OLM from resolving anything, whatever the others hold. */
function withFailing(
  catalogs: readonly CatalogState[],
  visible: readonly CatalogSource[],
): CatalogState[] {
  const failing = visible
    .filter((each) => each.connectionState !== '' && !isHealthy(each))
    .map((each) => {
      const { name, namespace, priority } = each;
      return { name, namespace, priority, noClient: true };
    });
  const isFailing = ({ name, namespace }: CatalogState): boolean =>
    failing.some((each) => each.name === name && each.namespace === namespace);
  return [...catalogs.filter((each) => !isFailing(each)), ...failing];
}

/** @throws InvalidInputError where it is not there: the answer would be right, and about nothing */
async function demandNamespace(view: ClusterView, namespace: string): Promise<void> {
  let names: string[];
  try {
    names = (await view.list({ group: '', resource: 'namespaces' })).map((it) => metaOf(it).name);
  } catch (error) {
    // A user who may look into one namespace need not be allowed to list them all.
    if (error instanceof ClusterError) return;
    throw error;
  }
  // A folder of files need not hold its namespaces.
  if (names.length === 0 || names.includes(namespace)) return;
  throw invalidInput(`there is no namespace "${namespace}"${didYouMean(namespace, names)}`);
}

/** One OperatorGroup for all namespaces, and the catalogs that are given. */
export function emptyNamespace(
  namespace: string,
  catalogs: readonly Pick<KnownCatalog, 'name' | 'priority'>[],
): JsonObject[] {
  return [
    {
      apiVersion: `${olm}/v1`,
      kind: 'OperatorGroup',
      metadata: { name: 'global', namespace },
      spec: {},
      status: { namespaces: [''] },
    },
    ...catalogs.map(({ name, priority }) => ({
      apiVersion: `${olm}/v1alpha1`,
      kind: 'CatalogSource',
      metadata: { name, namespace: 'olm' },
      spec: { sourceType: 'grpc', priority },
      status: { connectionState: { lastObservedState: 'READY' } },
    })),
  ];
}

/** The packages whose bundles may bring definitions that the cluster has. */
export async function subscribedPackages(
  view: ClusterView,
  namespace: string,
): Promise<ReadonlySet<string>> {
  const subscriptions = await view.list({ group: olm, resource: 'subscriptions' }, { namespace });
  return new Set(subscriptions.map((each) => readSubscription(each).package));
}

function globalNamespaceOf(catalogs: readonly CatalogSource[]): string {
  const openShift = 'openshift-marketplace';
  return catalogs.some(({ namespace }) => namespace === openShift) ? openShift : 'olm';
}

/** @throws InvalidInputError for a catalog that is there and was not given: no answer would be worth anything */
function missingCatalogs(state: NamespaceState, visible: readonly CatalogSource[]): string[] {
  const isGiven = (name: string, namespace: string): boolean =>
    (state.catalogs ?? []).some((each) => each.name === name && each.namespace === namespace);
  for (const { name, catalog, catalogNamespace } of state.subscriptions ?? []) {
    const exists = visible.some(
      (each) => each.name === catalog && each.namespace === catalogNamespace,
    );
    if (!exists || isGiven(catalog, catalogNamespace)) continue;
    throw invalidInput(
      `Subscription ${name} is to catalog ${catalog} of ${catalogNamespace}, whose contents are not given; add --catalog ${catalog}=DIR`,
    );
  }
  return visible
    .filter(({ name, namespace }) => !isGiven(name, namespace))
    .map(
      ({ name, namespace }) =>
        `CatalogSource ${namespace}/${name} is not given by --catalog; what OLM would find there for dependencies is not considered`,
    );
}

/** As if a subscription were made, or moved to another channel. */
function subscribe(state: NamespaceState, wanted: string): NamespaceState {
  const [packageName = '', channel] = wanted.split(/[@:]/);
  if (channel === '') {
    throw invalidInput(
      `--subscribe ${wanted}: no channel is named after ${packageName}; leave the sign away for the default channel`,
    );
  }
  const subscriptions = state.subscriptions ?? [];
  const existing = subscriptions.find((each) => each.package === packageName);
  if (existing !== undefined && channel !== undefined) {
    const moved: SubscriptionState = { ...existing, channel };
    return { ...state, subscriptions: subscriptions.map((it) => (it === existing ? moved : it)) };
  }
  if (existing !== undefined) return state;
  const having = (state.catalogs ?? [])
    .filter(({ packages }) => packages?.some(({ name }) => name === packageName))
    .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  const [catalog] = having;
  if (catalog === undefined) {
    const names = (state.catalogs ?? []).flatMap(({ packages }) =>
      (packages ?? []).map(({ name }) => name),
    );
    throw invalidInput(
      `--subscribe: no catalog has a package "${packageName}"${didYouMean(packageName, names)}`,
    );
  }
  const fresh: SubscriptionState = {
    name: packageName,
    namespace: state.namespace,
    package: packageName,
    channel: channel ?? '',
    catalog: catalog.name,
    catalogNamespace: catalog.namespace,
  };
  return { ...state, subscriptions: [...subscriptions, fresh] };
}

/** @throws InvalidInputError where two have one name: it is what a Subscription refers to */
export async function readCatalogs(
  values: readonly string[],
  kept: KnownCatalogOptions = {},
): Promise<KnownCatalog[]> {
  const names = new Set<string>();
  for (const { name } of values.map(readCatalogOption)) {
    if (names.has(name)) {
      throw invalidInput(`two catalogs are called "${name}"; give them names: --catalog NAME=DIR`);
    }
    names.add(name);
  }
  return readKnownCatalogs(values, kept);
}
