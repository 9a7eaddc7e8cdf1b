/** The state that rules about OLM's objects may look at, by what the requester may read. */
import { ClusterError, type JudgedState, withViews } from '../../cluster/index.js';
import {
  DelegatedView,
  IndexedView,
  lookedUpKinds,
  type NamespacedName,
  type OlmView,
} from '../../olm/index.js';

type Settings = Pick<JudgedState, 'globalCatalogNamespace' | 'kubernetesVersion' | 'knownCatalogs'>;
const noSettings: Settings = {
  globalCatalogNamespace: null,
  kubernetesVersion: null,
  knownCatalogs: null,
};

/** Knows nothing: each rule that would look says so. @param settings what the gate was started with */
export function emptyState(reason: string, settings = noSettings): JudgedState {
  const { globalCatalogNamespace, kubernetesVersion, knownCatalogs } = settings;
  const refuse = (): Promise<never> => Promise.reject(new ClusterError(reason));
  return {
    globalCatalogNamespace,
    kubernetesVersion,
    knownCatalogs,
    view: new IndexedView({ globalCatalogNamespace, kubernetesVersion }),
    cluster: { get: refuse, list: refuse },
    askedLive: new Set(lookedUpKinds),
    unknown: () => reason,
  };
}

/** Kinds that rules look at beyond the object itself; those of rights are one. */
export const readKinds = {
  OperatorGroup: { group: 'operators.coreos.com', resource: 'operatorgroups' },
  ClusterServiceVersion: { group: 'operators.coreos.com', resource: 'clusterserviceversions' },
  Subscription: { group: 'operators.coreos.com', resource: 'subscriptions' },
  CatalogSource: { group: 'operators.coreos.com', resource: 'catalogsources' },
  ClusterExtension: { group: 'olm.operatorframework.io', resource: 'clusterextensions' },
  Namespace: { group: '', resource: 'namespaces' },
  ConfigMap: { group: '', resource: 'configmaps' },
  ClusterRoleBinding: { group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' },
} as const;
export type ReadKind = keyof typeof readKinds;

export type MayRead = (kind: ReadKind, namespace?: string) => boolean;

/** The same state as a user with limited read access would see it. */
export function filterByAccess(state: JudgedState, may: MayRead): JudgedState {
  const { cluster } = state;
  return withViews(state, {
    view: new ReadableView(state.view, may),
    cluster: {
      // A plan may refer to any object of another namespace.
      get: (resource, name, namespace, ...more) =>
        resource.resource === readKinds.ConfigMap.resource && !may('ConfigMap', namespace)
          ? Promise.reject(notTheirs())
          : cluster.get(resource, name, namespace, ...more),
      // Only the OperatorGroups of one namespace are listed at the moment of a question.
      list: (resource, options) =>
        may('OperatorGroup', options?.namespace)
          ? cluster.list(resource, options)
          : Promise.reject(notTheirs()),
    },
  });
}

const notTheirs = (): ClusterError => new ClusterError('not for the requester');

class ReadableView extends DelegatedView {
  constructor(
    view: OlmView,
    private readonly may: MayRead,
  ) {
    super(view);
  }

  protected override listed<Item extends NamespacedName>(
    kind: ReadKind,
    ask: (view: OlmView) => readonly Item[],
  ): readonly Item[] {
    return ask(this.view).filter(({ namespace }) => this.may(kind, namespace));
  }

  override clusterExtensions(): ReturnType<OlmView['clusterExtensions']> {
    return this.may('ClusterExtension') ? super.clusterExtensions() : [];
  }

  override namespaces(): ReturnType<OlmView['namespaces']> {
    return this.may('Namespace') ? super.namespaces() : [];
  }

  override rulesOf(...asked: Parameters<OlmView['rulesOf']>): ReturnType<OlmView['rulesOf']> {
    return this.may('ClusterRoleBinding') ? super.rulesOf(...asked) : null;
  }
}
