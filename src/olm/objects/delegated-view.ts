import type { JsonObject } from '../../text/documents/index.js';
import type { LookedUpKind, NamespacedName, OlmView } from './view.js';

/** Kinds of which rules ask for lists. */
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
