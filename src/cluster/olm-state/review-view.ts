/** One review's view: what is followed, with single objects read live, and nothing guessed. */
import type { JsonObject } from '../../text/documents/index.js';
import {
  DelegatedView,
  type FoundManifest,
  type ListedKind,
  type LookedUpKind,
  manifestFrom,
  type NamespacedName,
  type OlmView,
  type WantedManifest,
} from '../../olm/index.js';
import { ClusterError } from '../view/view.js';
import type { JudgedState } from './olm-state.js';

export interface Wanted {
  readonly kind: LookedUpKind;
  readonly name: string;
  readonly namespace: string;
}

/** The cluster would not say. */
interface Unread {
  readonly unread: string;
}

/** Undefined: there is none. */
export type Answer = { readonly object: JsonObject | undefined } | Unread;

export type Answers = ReadonlyMap<string, Answer>;

/** The groups of one namespace as a list at this moment has them. */
export interface NamespaceGroups {
  readonly namespace: string;
  readonly list: ReturnType<OlmView['groupsIn']>;
}

export interface WantedInBundle {
  readonly bundle: NamespacedName;
  readonly wanted: WantedManifest;
}

export type AskedKind = LookedUpKind | ListedKind | 'ClusterExtension' | 'ClusterRoleBinding';

export interface ReviewViewOptions {
  /** Manifests in bundles, as far as they are known; without it bundles are unpacked at once. */
  readonly manifests?: ReadonlyMap<string, FoundManifest>;
  readonly groups: NamespaceGroups | undefined;
  /** Whether what is followed will do where it has the object, if only its metadata. */
  readonly takesFollowed: boolean;
}

export function keyOfWanted({ kind, namespace, name }: Wanted): string {
  return `${kind}/${namespace}/${name}`;
}

export function keyInBundle({ bundle, wanted }: WantedInBundle): string {
  return `${bundle.namespace}/${bundle.name} ${wanted.kind}/${wanted.name}`;
}

export class ReviewView extends DelegatedView {
  /** Objects that were looked up, may differ from those followed, and have no answer yet. */
  readonly wanted = new Map<string, Wanted>();
  /** The same for what bundles hold. */
  readonly wantedInBundles = new Map<string, WantedInBundle>();
  /** Questions that could not be answered, a reason each; the caller that reports them clears them. */
  readonly gaps = new Set<string>();
  /** Kinds of other objects that were asked about. */
  readonly asked = new Set<AskedKind>();

  /**
   * @param answers objects that were read live
   */
  constructor(
    private readonly state: JudgedState,
    private readonly answers: Answers,
    private readonly options: ReviewViewOptions,
  ) {
    super(state.view);
  }

  override get knownCatalogs(): OlmView['knownCatalogs'] {
    return this.state.knownCatalogs;
  }

  override get globalCatalogNamespace(): string | null {
    return this.state.globalCatalogNamespace;
  }

  override get kubernetesVersion(): string | null {
    return this.state.kubernetesVersion;
  }

  override groupsIn(namespace: string): ReturnType<OlmView['groupsIn']> {
    const { groups } = this.options;
    this.asked.add('OperatorGroup');
    return groups?.namespace === namespace ? groups.list : super.groupsIn(namespace);
  }

  override clusterExtensions(): ReturnType<OlmView['clusterExtensions']> {
    return this.known('ClusterExtension').clusterExtensions();
  }

  /** Throws only when the result is iterated: most groups name their namespaces. */
  override namespaces(): ReturnType<OlmView['namespaces']> {
    return { [Symbol.iterator]: () => this.known('Namespace').namespaces()[Symbol.iterator]() };
  }

  override lookUp(kind: LookedUpKind, name: string, namespace = ''): JsonObject | undefined | null {
    this.asked.add(kind);
    const wanted = { kind, name, namespace };
    const key = keyOfWanted(wanted);
    const answer = this.answers.get(key);
    if (answer !== undefined && 'unread' in answer) {
      // A rule of its own names the steps that are in ConfigMaps.
      if (kind !== 'ConfigMap') this.gaps.add(answer.unread);
      return null;
    }
    if (answer !== undefined) return answer.object;
    if (!this.state.askedLive.has(kind)) {
      return this.state.unknown(kind) === undefined || !isFollowed(kind)
        ? this.view.lookUp(kind, name, namespace)
        : null;
    }
    const followed = isFollowed(kind) && this.state.unknown(kind) === undefined;
    const found = followed ? this.view.lookUp(kind, name, namespace) : null;
    // A namespace that is followed is as good as one that is read; one that is not there may be new.
    if (found && (kind === 'Namespace' || this.options.takesFollowed)) return found;
    this.wanted.set(key, wanted);
    return found;
  }

  override manifest(bundle: NamespacedName, wanted: WantedManifest): FoundManifest {
    const { manifests } = this.options;
    this.asked.add('ConfigMap');
    if (manifests === undefined) {
      return manifestFrom(this.lookUp('ConfigMap', bundle.name, bundle.namespace), bundle, wanted);
    }
    const key = keyInBundle({ bundle, wanted });
    const found = manifests.get(key);
    if (found === undefined) this.wantedInBundles.set(key, { bundle, wanted });
    else if ('unread' in found && found.isUnfinished === true) this.gaps.add(found.unread);
    return found ?? { unread: 'it is not read yet' };
  }

  override rulesOf(
    account: string,
    its: string,
    namespace: string,
  ): ReturnType<OlmView['rulesOf']> {
    this.asked.add('ClusterRoleBinding');
    const [reason] = grantingKinds.flatMap((kind) => this.state.unknown(kind) ?? []);
    if (reason === undefined) return this.view.rulesOf(account, its, namespace);
    this.gaps.add(reason);
    return null;
  }

  protected override listed<Item>(
    kind: ListedKind,
    ask: (view: OlmView) => readonly Item[],
  ): readonly Item[] {
    return ask(this.known(kind));
  }

  private known(kind: AskedKind): OlmView {
    this.asked.add(kind);
    const reason = this.state.unknown(kind);
    if (reason !== undefined) throw new ClusterError(reason);
    return this.view;
  }
}

const grantingKinds = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

function isFollowed(kind: LookedUpKind): boolean {
  return (
    kind === 'Namespace' || kind === 'CustomResourceDefinition' || kind === 'OperatorCondition'
  );
}
