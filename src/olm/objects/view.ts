import type { JsonObject } from '../../text/documents/index.js';
import type { Api } from '../resolver/predicate.js';
import type { OperatorGroup } from '../operator-groups/objects.js';
import type { Namespace } from '../operator-groups/surface.js';
import type { CatalogSource, Csv, Subscription } from './classic-objects.js';
import type { Catalog } from '../catalogs/catalog.js';
import type { GrantedRule } from './roles.js';

/** A catalog under the name that the cluster's ClusterCatalog or CatalogSource has. */
export interface KnownCatalog {
  readonly name: string;
  /** Higher wins; what the cluster's ClusterCatalog says comes before it. */
  readonly priority: number;
  readonly catalog: Catalog;
}

export const lookedUpKinds = [
  'APIService',
  'ClusterCatalog',
  'ClusterRole',
  'ClusterVersion',
  'ConfigMap',
  'CustomResourceDefinition',
  'Namespace',
  'OperatorCondition',
  'PriorityClass',
  'ServiceAccount',
] as const;
export type LookedUpKind = (typeof lookedUpKinds)[number];

export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

export type FoundManifest =
  | { readonly object: JsonObject }
  /** `isTooMuch`: more than is read; `isUnfinished`: the time was over. */
  | { readonly unread: string; readonly isTooMuch?: true; readonly isUnfinished?: true };

/** Consumers of a definition, each found in time that depends on the hits alone. */
export interface ConsumerIndex {
  /** ClusterServiceVersions that require a version and do not own the definition. */
  csvsRequiring(definition: string, version: string): readonly JsonObject[];
  /** Roles and ClusterRoles that name a subresource, whatever its group: `widgets/scale`. */
  rolesGranting(resource: string): readonly JsonObject[];
}

/** Synchronous look-ups in indexes: none costs more with objects that it does not return. */
export interface OlmView {
  groupsIn(namespace: string): readonly OperatorGroup[];
  /** Groups whose surface (status and, with it, their own namespace) shares one of the namespaces; `['']` asks for all. */
  groupsCovering(namespaces: readonly string[]): readonly OperatorGroup[];
  /** Groups whose `olm.providedAPIs` names the API. */
  groupsProviding(api: Api): readonly OperatorGroup[];
  /** Copied CSVs are left out in every method of this view. */
  csvsIn(namespace: string): readonly Csv[];
  csvs(): Iterable<Csv>;
  csvsOwningCrd(name: string): readonly Csv[];
  subscriptionsIn(namespace: string): readonly Subscription[];
  catalogsIn(namespace: string): readonly CatalogSource[];
  clusterExtensions(): Iterable<JsonObject>;
  /** All namespaces; walked only for a selector. */
  namespaces(): Iterable<Namespace>;
  /** The object, undefined when there is none, null when this view cannot say. */
  lookUp(kind: LookedUpKind, name: string, namespace?: string): JsonObject | undefined | null;
  /** A manifest of the bundle that OLM unpacked into a ConfigMap. */
  manifest(configMap: NamespacedName, wanted: WantedManifest): FoundManifest;
  /** Rights of a service account in a namespace, or with `''` everywhere; null when this view cannot say. */
  rulesOf(
    serviceAccount: string,
    itsNamespace: string,
    namespace: string,
  ): readonly GrantedRule[] | null;
  /** Catalogs whose contents are known here; null when none is. */
  readonly knownCatalogs: readonly KnownCatalog[] | null;
  /** Whose catalogs every namespace resolves from; null when there is none. */
  readonly globalCatalogNamespace: string | null;
  /** The API server's `gitVersion`; null when not known. */
  readonly kubernetesVersion: string | null;
}

export type ListedKind =
  'OperatorGroup' | 'ClusterServiceVersion' | 'Subscription' | 'CatalogSource';

export abstract class DelegatedView implements OlmView {
  constructor(protected readonly view: OlmView) {}

  /** Every list of these kinds passes here. */
  protected abstract listed<Item extends NamespacedName>(
    kind: ListedKind,
    ask: (view: OlmView) => readonly Item[],
  ): readonly Item[];

  get knownCatalogs(): OlmView['knownCatalogs'] {
    return this.view.knownCatalogs;
  }

  get globalCatalogNamespace(): string | null {
    return this.view.globalCatalogNamespace;
  }

  get kubernetesVersion(): string | null {
    return this.view.kubernetesVersion;
  }

  groupsIn(namespace: string): ReturnType<OlmView['groupsIn']> {
    return this.listed('OperatorGroup', (view) => view.groupsIn(namespace));
  }

  groupsCovering(namespaces: readonly string[]): ReturnType<OlmView['groupsCovering']> {
    return this.listed('OperatorGroup', (view) => view.groupsCovering(namespaces));
  }

  groupsProviding(
    api: Parameters<OlmView['groupsProviding']>[0],
  ): ReturnType<OlmView['groupsProviding']> {
    return this.listed('OperatorGroup', (view) => view.groupsProviding(api));
  }

  csvsIn(namespace: string): ReturnType<OlmView['csvsIn']> {
    return this.listed('ClusterServiceVersion', (view) => view.csvsIn(namespace));
  }

  csvs(): ReturnType<OlmView['csvs']> {
    return this.listed('ClusterServiceVersion', (view) => [...view.csvs()]);
  }

  csvsOwningCrd(name: string): ReturnType<OlmView['csvsOwningCrd']> {
    return this.listed('ClusterServiceVersion', (view) => view.csvsOwningCrd(name));
  }

  subscriptionsIn(namespace: string): ReturnType<OlmView['subscriptionsIn']> {
    return this.listed('Subscription', (view) => view.subscriptionsIn(namespace));
  }

  catalogsIn(namespace: string): ReturnType<OlmView['catalogsIn']> {
    return this.listed('CatalogSource', (view) => view.catalogsIn(namespace));
  }

  clusterExtensions(): ReturnType<OlmView['clusterExtensions']> {
    return this.view.clusterExtensions();
  }

  namespaces(): ReturnType<OlmView['namespaces']> {
    return this.view.namespaces();
  }

  lookUp(kind: LookedUpKind, name: string, namespace?: string): JsonObject | undefined | null {
    return this.view.lookUp(kind, name, namespace);
  }

  manifest(...asked: Parameters<OlmView['manifest']>): ReturnType<OlmView['manifest']> {
    return this.view.manifest(...asked);
  }

  rulesOf(...asked: Parameters<OlmView['rulesOf']>): ReturnType<OlmView['rulesOf']> {
    return this.view.rulesOf(...asked);
  }
}

export interface WantedManifest {
  readonly kind: string;
  readonly name: string;
}
