/** The state of OLM on a cluster or in a folder, kept current: what rules, scan and metrics ask. */
import type { Connection } from '../view/connection.js';
import type { ClusterView } from '../view/view.js';
import type { JsonObject } from '../../text/documents/index.js';
import {
  type ConsumerIndex,
  IndexedView,
  type KnownCatalog,
  type LookedUpKind,
  type OlmView,
} from '../../olm/index.js';
import { ObjectStore, type ChangeListener } from './object-store.js';

export interface KindState {
  readonly kind: string;
  readonly state: 'starting' | 'current' | 'not-installed' | 'forbidden' | 'failing';
  /** Why it is not current. */
  readonly reason?: string;
  readonly stalenessSeconds: number;
}

export interface OlmState {
  /** The API server it comes from; a folder has none. */
  readonly connection?: Connection;
  readonly view: OlmView;
  readonly consumers: ConsumerIndex;
  /** For single objects and for what is asked at the moment of the question. */
  readonly cluster: ClusterView;
  /** Kinds of which `view` knows at most names: single objects are read from `cluster`. */
  readonly askedLive: ReadonlySet<LookedUpKind>;
  /** Catalogs whose contents are known; their reader sets them. */
  knownCatalogs: readonly KnownCatalog[] | null;
  readonly globalCatalogNamespace: string | null;
  /** The API server's `gitVersion`; null when not known. */
  readonly kubernetesVersion: string | null;
  objects(kind: string): Iterable<JsonObject>;
  count(kind: string): number;
  kindStates(): KindState[];
  /** Why the objects of a kind are not known, in a sentence; undefined when they are. */
  unknown(kind: string): string | undefined;
  onChange(listener: ChangeListener): void;
  close(): Promise<void>;
}

/** The part of the state that judging one object looks at. */
export type JudgedState = Pick<
  OlmState,
  | 'askedLive'
  | 'cluster'
  | 'globalCatalogNamespace'
  | 'knownCatalogs'
  | 'kubernetesVersion'
  | 'unknown'
  | 'view'
>;

/** The same state seen through others' eyes, or as it will be. */
export function withViews(
  state: JudgedState,
  views: Pick<JudgedState, 'view' | 'cluster'>,
): JudgedState {
  const { askedLive, globalCatalogNamespace, knownCatalogs, kubernetesVersion } = state;
  return {
    askedLive,
    globalCatalogNamespace,
    knownCatalogs,
    kubernetesVersion,
    unknown: (kind) => state.unknown(kind),
    ...views,
  };
}

/** Store and view over the same objects. */
export class StateIndex {
  readonly store: ObjectStore;
  readonly view: IndexedView;

  /** @param maxBytes of the heap that all objects may take together */
  constructor(unknownKinds: ReadonlySet<string>, maxBytes?: number) {
    this.store = new ObjectStore(maxBytes);
    const settings = { globalCatalogNamespace: null, kubernetesVersion: null, unknownKinds };
    this.view = new IndexedView(settings);
    this.store.onChange(({ old, object }) => {
      if (object !== undefined) this.view.set(object);
      else if (old !== undefined) this.view.delete(old);
    });
  }
}

/** Where catalogs for every namespace live: OpenShift's, or upstream's. */
export const globalNamespaces = { openshift: 'openshift-marketplace', upstream: 'olm' } as const;

export abstract class HeldState {
  protected constructor(protected readonly index: StateIndex) {}

  get view(): IndexedView {
    return this.index.view;
  }

  get consumers(): ConsumerIndex {
    return this.index.view;
  }

  objects(kind: string): Iterable<JsonObject> {
    return this.index.store.objects(kind);
  }

  count(kind: string): number {
    return this.index.store.count(kind);
  }

  onChange(listener: ChangeListener): void {
    this.index.store.onChange(listener);
  }
}
