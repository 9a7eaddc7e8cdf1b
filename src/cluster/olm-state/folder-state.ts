/** The state of OLM as a folder of YAML files has it, read again when a file changes. */
import { FolderCluster, type ReadFolderOptions } from '../view/folder.js';
import type { ClusterView, ListOptions, ResourceName } from '../view/view.js';
import { type JsonObject, metaOf, own } from '../../text/documents/index.js';
import { type ChangeWatch, watchFolder } from '../../text/documents/changes.js';
import type { LookedUpKind } from '../../olm/index.js';
import { followedResources, notFollowedWhole } from './kinds.js';
import {
  globalNamespaces,
  HeldState,
  StateIndex,
  type KindState,
  type OlmState,
} from './olm-state.js';
import { transformMetadata, withOwners } from './transform.js';

export interface FolderStateOptions extends Pick<ReadFolderOptions, 'onSkipped'> {
  readonly globalCatalogNamespace?: string;
  /** Read again when files change. */
  readonly watch?: boolean;
  /** Why the folder could not be read again; what was read before stays in force. */
  readonly onProblem?: (error: unknown) => void;
}

/** A folder without any object of these kinds cannot say that one is missing: they were not exported. */
const maybeNotExported: readonly string[] = [
  ...notFollowedWhole,
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
];

const trims = new Map([
  ...followedResources.map(({ kind, trim }): [string, typeof trim] => [kind, trim]),
  // Rules compare whole definitions, and there is no API server to ask for them.
  ['CustomResourceDefinition', withOwners(transformMetadata)] as const,
]);

const groups = new Map(followedResources.map(({ kind, resource }) => [kind, resource.group]));

export class FolderState extends HeldState implements OlmState {
  readonly askedLive: ReadonlySet<LookedUpKind> = new Set<LookedUpKind>();
  kubernetesVersion: OlmState['kubernetesVersion'] = null;
  knownCatalogs: OlmState['knownCatalogs'] = null;
  globalCatalogNamespace: string | null = null;
  readonly cluster: ClusterView = ((folder: () => FolderCluster) => ({
    isOfFiles: true,
    get isEmpty(): boolean {
      return folder().isEmpty;
    },
    get: (resource: ResourceName, name: string, namespace?: string) =>
      folder().get(resource, name, namespace),
    list: (resource: ResourceName, options?: ListOptions) => folder().list(resource, options),
  }))(() => this.folder);
  private folder = FolderCluster.of([]);
  private readonly kinds = new Set<string>();
  private watch: ChangeWatch | undefined;
  private readTime = performance.now();

  private constructor(
    private readonly options: FolderStateOptions,
    private readonly unknownKinds = new Set(maybeNotExported),
  ) {
    super(new StateIndex(unknownKinds));
  }

  /** @throws InvalidInputError for a folder or a file that cannot be read. */
  static async read(path: string, options: FolderStateOptions = {}): Promise<FolderState> {
    const state = new FolderState(options);
    const { onSkipped } = options;
    state.take(await FolderCluster.read(path, { keeps: isNoCopy, onSkipped }));
    if (options.watch === true) {
      state.watch = await watchFolder(path, async () => {
        try {
          state.take(await FolderCluster.read(path, { keeps: isNoCopy }));
        } catch (error) {
          options.onProblem?.(error);
        }
      });
    }
    return state;
  }

  /** @param objects whole objects with apiVersion, kind and metadata */
  static of(objects: Iterable<JsonObject>, options: FolderStateOptions = {}): FolderState {
    const state = new FolderState(options);
    state.take(FolderCluster.of(objects));
    return state;
  }

  kindStates(): KindState[] {
    const stalenessSeconds =
      this.watch === undefined ? (performance.now() - this.readTime) / 1000 : 0;
    return followedResources.map(({ kind }) => ({ kind, state: 'current', stalenessSeconds }));
  }

  unknown(kind: string): string | undefined {
    return this.unknownKinds.has(kind) ? `the folder has no ${kind} objects` : undefined;
  }

  close(): Promise<void> {
    this.watch?.close();
    return Promise.resolve();
  }

  private take(folder: FolderCluster): void {
    const byKind = new Map<string, JsonObject[]>([...this.kinds].map((kind) => [kind, []]));
    for (const object of folder.all()) {
      const kind = own(object, 'kind');
      if (typeof kind !== 'string' || isAnothers(kind, object) || !isNoCopy(object)) continue;
      const held = byKind.get(kind) ?? [];
      held.push(trims.get(kind)?.(object) ?? object);
      byKind.set(kind, held);
      this.kinds.add(kind);
    }
    this.folder = folder;
    this.readTime = performance.now();
    for (const kind of maybeNotExported) {
      if ((byKind.get(kind)?.length ?? 0) > 0) this.unknownKinds.delete(kind);
      else this.unknownKinds.add(kind);
    }
    for (const [kind, objects] of byKind) this.index.store.replace(kind, objects);
    this.globalCatalogNamespace = this.options.globalCatalogNamespace ?? this.findGlobal(folder);
  }

  private findGlobal(folder: FolderCluster): string {
    const { openshift, upstream } = globalNamespaces;
    for (const object of folder.all()) {
      const kind = own(object, 'kind');
      const meta = metaOf(object);
      const place = kind === 'Namespace' ? meta.name : meta.namespace;
      if (place === openshift) return openshift;
    }
    return upstream;
  }
}

/** Other groups have Subscriptions too. */
function isAnothers(kind: string, object: JsonObject): boolean {
  const group = groups.get(kind);
  const apiVersion = own(object, 'apiVersion');
  if (group === undefined || typeof apiVersion !== 'string') return false;
  return !apiVersion.startsWith(group === '' ? 'v' : `${group}/`);
}

/** Copies are most of what a large cluster has, and no rule is about them. */
function isNoCopy(object: JsonObject): boolean {
  if (own(object, 'kind') !== 'ClusterServiceVersion') return true;
  return metaOf(object).label('olm.copiedFrom') === undefined;
}
