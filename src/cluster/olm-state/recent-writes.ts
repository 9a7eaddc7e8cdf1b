/**
 * Objects of OLM whose writes were allowed a moment ago, and that no watch has shown yet. Two requests
 * that conflict may come at once, and each is right by what is known without the other.
 */
import { metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { DelegatedView, IndexedView, type NamespacedName, type OlmView } from '../../olm/index.js';
import { followedResources } from './kinds.js';
import { type JudgedState, type OlmState, withViews } from './olm-state.js';
import { numberAt } from '../../text/documents/fields.js';

/** A write that was allowed may still fail: then it counts no longer than this. */
const maxAgeMilliseconds = 5_000;
const maxObjects = 500;
/** Of JSON, of all objects together. */
const maxBytes = 4 * 1024 * 1024;

/** Kinds of which one object stands in the way of another. */
const kinds: ReadonlySet<string> = new Set([
  'OperatorGroup',
  'ClusterServiceVersion',
  'Subscription',
]);
const trims = new Map(followedResources.map(({ kind, trim }) => [kind, trim]));

interface Write {
  readonly object: JsonObject;
  readonly namespace: string;
  readonly bytes: number;
  readonly end: number;
}

export class RecentWrites {
  /** Changes with each write: a review judged by an older one has not seen all. */
  version = 0;
  private readonly writes = new Map<string, Write>();
  private bytes = 0;

  constructor(
    state: Pick<OlmState, 'onChange'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    state.onChange(({ old, object }) => {
      const seen = object ?? old;
      const key = seen === undefined ? undefined : keyOf(seen);
      const write = key === undefined ? undefined : this.writes.get(key);
      if (key === undefined || write === undefined) return;
      // An earlier write of the same object may be shown first.
      if (object === undefined || generationOf(object) >= generationOf(write.object)) {
        this.remove(key);
      }
    });
  }

  get isEmpty(): boolean {
    const now = this.now();
    for (const [key, { end }] of this.writes) if (end <= now) this.remove(key);
    return this.writes.size === 0;
  }

  add(kind: string, written: JsonObject): void {
    const trim = trims.get(kind);
    if (!kinds.has(kind) || trim === undefined) return;
    const object = trim(written);
    const key = keyOf(object);
    const bytes = Buffer.byteLength(JSON.stringify(object));
    if (bytes > maxBytes) return;
    this.remove(key);
    const { namespace } = metaOf(object);
    this.writes.set(key, { object, namespace, bytes, end: this.now() + maxAgeMilliseconds });
    this.bytes += bytes;
    this.version++;
    while (this.writes.size > maxObjects || this.bytes > maxBytes) this.removeOfMost();
  }

  /** The state as it is once all of these writes are stored. */
  over(state: JudgedState): JudgedState {
    const objects = [...this.writes.values()].map(({ object }) => object);
    return withViews(state, {
      view: new ViewWithWrites(state.view, objects),
      cluster: {
        get: (...asked) => state.cluster.get(...asked),
        list: async (resource, options) => {
          const listed = await state.cluster.list(resource, options);
          if (resource.resource !== 'operatorgroups') return listed;
          const groups = objects.filter(
            (each) =>
              own(each, 'kind') === 'OperatorGroup' &&
              metaOf(each).namespace === options?.namespace,
          );
          const names = new Set(groups.map((each) => metaOf(each).name));
          return [...listed.filter((each) => !names.has(metaOf(each).name)), ...groups];
        },
      },
    });
  }

  /** The namespace that writes most forgets first: others' writes stay. */
  private removeOfMost(): void {
    const held = new Map<string, number>();
    for (const { namespace, bytes } of this.writes.values()) {
      held.set(namespace, (held.get(namespace) ?? 0) + bytes);
    }
    const [most] = [...held].reduce((left, right) => (right[1] > left[1] ? right : left));
    for (const [key, { namespace }] of this.writes) {
      if (namespace === most) return this.remove(key);
    }
  }

  private remove(key: string): void {
    this.bytes -= this.writes.get(key)?.bytes ?? 0;
    this.writes.delete(key);
  }
}

function keyOf(object: JsonObject): string {
  return JSON.stringify([own(object, 'kind') ?? '', metaOf(object).namespace, metaOf(object).name]);
}

function generationOf(object: JsonObject): number {
  return numberAt(object, 'metadata', 'generation') ?? 0;
}

/** Written objects take the place of those that they replace. */
class ViewWithWrites extends DelegatedView {
  private readonly written: IndexedView;
  private readonly replaced: ReadonlySet<string>;

  constructor(view: OlmView, objects: readonly JsonObject[]) {
    super(view);
    const { globalCatalogNamespace, kubernetesVersion } = view;
    this.written = new IndexedView({ globalCatalogNamespace, kubernetesVersion }, objects);
    this.replaced = new Set(objects.map(keyOf));
  }

  protected override listed<Item extends NamespacedName>(
    kind: string,
    ask: (view: OlmView) => readonly Item[],
  ): Item[] {
    const isReplaced = ({ namespace, name }: Item): boolean =>
      this.replaced.has(JSON.stringify([kind, namespace, name]));
    return [...ask(this.view).filter((each) => !isReplaced(each)), ...ask(this.written)];
  }
}
