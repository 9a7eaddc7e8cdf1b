/** The state of OLM from an API server: a list and a watch per kind. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backoff } from '../view/backoff.js';
import type { Connection } from '../view/connection.js';
import { LiveCluster } from '../view/live.js';
import { Reflector, type ReflectorState } from '../view/reflector.js';
import { isObject, metaOf, parseJson } from '../../text/documents/index.js';
import { formatResource } from '../view/view.js';
import type { LookedUpKind } from '../../olm/index.js';
import { followedResources, notFollowedWhole, type FollowedResource } from './kinds.js';
import {
  globalNamespaces,
  HeldState,
  StateIndex,
  type KindState,
  type OlmState,
} from './olm-state.js';
import { textAt } from '../../text/documents/fields.js';

export interface LiveStateOptions {
  readonly resources?: readonly FollowedResource[];
  /** Where catalogs for every namespace live; found out when not given. */
  readonly globalCatalogNamespace?: string;
  readonly backoff?: Backoff;
  readonly maxBytes?: number;
  /** Called at each change of a kind's state. */
  readonly onState?: (kind: string, state: ReflectorState, reason: string | undefined) => void;
}

interface Followed {
  readonly kind: string;
  /** Name of its CustomResourceDefinition, if it has one. */
  readonly definition: string;
  readonly reflector: Reflector;
  reason: string | undefined;
  wasListed: boolean;
  /** Whether every object fits, and whether all have since the last list. */
  isWhole: boolean;
  fitted: boolean;
}

const noRoom = 'they take more memory than there is for them';

/** A server that says nothing at all is reported kind by kind after this time; nothing waits longer. */
const patienceMilliseconds = 30_000;

export class LiveState extends HeldState implements OlmState {
  readonly cluster: LiveCluster;
  readonly askedLive: ReadonlySet<LookedUpKind> = new Set(notFollowedWhole);
  knownCatalogs: OlmState['knownCatalogs'] = null;
  kubernetesVersion: string | null = null;
  private readonly followed: readonly Followed[];

  private constructor(
    readonly connection: Connection,
    private readonly options: LiveStateOptions,
  ) {
    super(new StateIndex(new Set(), options.maxBytes));
    const { maxBytes } = options;
    // Whole objects, for as long as one review asks about them.
    const maxListBytes = maxBytes === undefined ? {} : { maxListBytes: maxBytes / 2 };
    this.cluster = new LiveCluster(connection, maxListBytes);
    this.followed = (options.resources ?? followedResources).map((each) =>
      this.follow(each, options),
    );
  }

  /** Starts to follow; resolves when it is known of every kind what there is, or that it cannot be. */
  static async start(connection: Connection, options: LiveStateOptions = {}): Promise<LiveState> {
    const state = new LiveState(connection, options);
    for (const { reflector } of state.followed) reflector.start();
    const known = Promise.all([
      ...state.followed.map(({ reflector }) => reflector.settled),
      state.readVersion(),
    ]);
    const patience = new AbortController();
    const waited = sleep(patienceMilliseconds, undefined, { signal: patience.signal });
    await Promise.race([known, waited.catch(() => undefined)]);
    patience.abort();
    return state;
  }

  /** OpenShift's may come after the gate. */
  get globalCatalogNamespace(): string {
    const { openshift, upstream } = globalNamespaces;
    const found = this.view.lookUp('Namespace', openshift) ? openshift : upstream;
    return this.options.globalCatalogNamespace ?? found;
  }

  kindStates(): KindState[] {
    const definitions = this.followed.find(({ kind }) => kind === 'CustomResourceDefinition');
    return this.followed.map(({ kind, reflector, reason, isWhole }) => ({
      kind,
      state: isWhole ? reflector.state : 'failing',
      // Its definition, when it comes, is seen at once.
      stalenessSeconds: (reflector.state === 'not-installed' && definitions !== undefined
        ? definitions.reflector
        : reflector
      ).stalenessSeconds,
      ...(isWhole ? (reason === undefined ? {} : { reason }) : { reason: noRoom }),
    }));
  }

  unknown(kind: string): string | undefined {
    const followed = this.followed.find((each) => each.kind === kind);
    if (followed === undefined) return `${kind} objects are not followed`;
    const { reflector, reason, wasListed, isWhole, definition } = followed;
    if (!isWhole) return `${kind} objects are not all known: ${noRoom}`;
    if (reflector.state === 'current') return undefined;
    if (reflector.state === 'not-installed') {
      const isDefined = isObject(this.view.lookUp('CustomResourceDefinition', definition));
      return isDefined ? `${kind} objects were not listed yet: their definition is new` : undefined;
    }
    // An interruption leaves the last copy in use; a right that was taken away does not come back by itself.
    if (reflector.state === 'failing' && wasListed) return undefined;
    return `${kind} objects cannot be read: ${reason ?? 'they were not listed yet'}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.followed.map(({ reflector }) => reflector.stop()));
    this.connection.close();
  }

  private follow(followed: FollowedResource, options: LiveStateOptions): Followed {
    const { kind, resource, labelSelector, fieldSelector, metadataOnly, trim } = followed;
    const { store } = this.index;
    const whyNot = (): string | undefined => (entry.isWhole ? undefined : noRoom);
    const reflector = new Reflector(this.connection, {
      resource,
      trim,
      sink: {
        listing: () => (entry.fitted = true),
        listed: (keys) => {
          entry.wasListed = true;
          store.retain(kind, keys);
          if (entry.isWhole === entry.fitted) return;
          entry.isWhole = entry.fitted;
          options.onState?.(kind, entry.isWhole ? 'current' : 'failing', whyNot());
        },
        put: (object) => {
          if (kind === 'CustomResourceDefinition') this.wakeFollowerOf(metaOf(object).name);
          if (store.put(kind, object)) return;
          entry.fitted = false;
          if (!entry.isWhole || !entry.wasListed) return;
          entry.isWhole = false;
          options.onState?.(kind, 'failing', whyNot());
        },
        remove: (object) => store.remove(kind, object),
      },
      isWhole: () => entry.isWhole,
      onState: (state, reason) => {
        entry.reason = reason;
        options.onState?.(kind, state, reason);
        if (state === 'current' && this.kubernetesVersion === null) void this.readVersion();
      },
      labelSelector,
      fieldSelector,
      metadataOnly,
      backoff: options.backoff,
    });
    const entry: Followed = {
      kind,
      definition: formatResource(resource),
      reflector,
      reason: undefined,
      wasListed: false,
      isWhole: true,
      fitted: true,
    };
    return entry;
  }

  private wakeFollowerOf(definition: string): void {
    this.followed.find((each) => each.definition === definition)?.reflector.wake();
  }

  private async readVersion(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(5_000);
      const answer = parseJson(await this.connection.read({ path: '/version', signal }));
      this.kubernetesVersion = textAt(answer, 'gitVersion') ?? this.kubernetesVersion;
    } catch {
      // Rules that ask for it say nothing until the server is back.
    }
  }
}
