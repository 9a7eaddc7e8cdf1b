/** Objects by kind and name, and word of every change to them. */
import {
  type JsonObject,
  metaOf,
  stringifyJson,
  type JsonValue,
} from '../../text/documents/index.js';

export interface ObjectChange {
  readonly kind: string;
  readonly old?: JsonObject;
  readonly object?: JsonObject;
}

export type ChangeListener = (change: ObjectChange) => void;

export class ObjectStore {
  private readonly kinds = new Map<string, Map<string, JsonObject>>();
  private readonly listeners: ChangeListener[] = [];
  private bytes = 0;

  /** @param maxBytes of the heap that all objects may take together */
  constructor(private readonly maxBytes = Infinity) {}

  /** Listeners hear of what comes later; what is there already is in {@link objects}. */
  onChange(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  objects(kind: string): Iterable<JsonObject> {
    return this.kinds.get(kind)?.values() ?? [];
  }

  count(kind: string): number {
    return this.kinds.get(kind)?.size ?? 0;
  }

  /** These are all there are; what is not among them is gone. Unchanged ones are no news. */
  replace(kind: string, objects: Iterable<JsonObject>): void {
    const keys = new Set<string>();
    for (const object of objects) {
      keys.add(metaOf(object).key);
      this.put(kind, object);
    }
    this.retain(kind, keys);
  }

  retain(kind: string, keys: ReadonlySet<string>): void {
    for (const object of [...this.objects(kind)]) {
      if (!keys.has(metaOf(object).key)) this.remove(kind, object);
    }
  }

  /** False if it does not fit: then neither it nor its earlier state is kept. */
  put(kind: string, object: JsonObject): boolean {
    const held = this.heldOf(kind);
    const key = metaOf(object).key;
    const old = held.get(key);
    if (old !== undefined && isSameVersion(old, object)) return true;
    if (!this.take(heapOf(object) - (old === undefined ? 0 : heapOf(old)))) {
      if (old !== undefined) this.remove(kind, old);
      return false;
    }
    held.set(key, object);
    this.tell({ kind, object, old });
    return true;
  }

  remove(kind: string, object: JsonObject): void {
    const held = this.heldOf(kind);
    const key = metaOf(object).key;
    const old = held.get(key);
    if (old === undefined) return;
    held.delete(key);
    this.bytes -= heapOf(old);
    this.tell({ kind, old });
  }

  private take(bytes: number): boolean {
    if (bytes > 0 && this.bytes + bytes > this.maxBytes) return false;
    this.bytes += bytes;
    return true;
  }

  private heldOf(kind: string): Map<string, JsonObject> {
    let held = this.kinds.get(kind);
    if (held === undefined) this.kinds.set(kind, (held = new Map<string, JsonObject>()));
    return held;
  }

  private tell(change: ObjectChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

/** Files often have no resourceVersion: then the contents say whether they changed. */
function isSameVersion(a: JsonObject, b: JsonObject): boolean {
  const version = metaOf(a).resourceVersion;
  if (version !== metaOf(b).resourceVersion) return false;
  return version !== '' || stringifyJson(a) === stringifyJson(b);
}

/** Bytes that V8 keeps for a value, its place in its parent and, for text, its head; and its part of an index. */
const bytesOfValue = 64;
/** Objects of so many keys have no shape that others share: each keeps its keys for itself. */
const sharedKeys = 32;
const bytesOfKey = 160;

/** Two bytes a character where one is outside Latin-1. */
function bytesOfText(text: string): number {
  return /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length;
}

/** About how many bytes of the heap a value takes; no walk recurses, however deep it nests. */
export function heapOf(value: JsonValue): number {
  let bytes = 0;
  const waiting: JsonValue[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    bytes += bytesOfValue;
    if (typeof each === 'string') bytes += bytesOfText(each);
    else if (typeof each === 'object' && each !== null) {
      const keys = Array.isArray(each) ? [] : Object.keys(each);
      if (keys.length > sharedKeys) for (const key of keys) bytes += bytesOfKey + key.length;
      const children: readonly (JsonValue | undefined)[] = Array.isArray(each)
        ? each
        : Object.values(each);
      for (const child of children) {
        if (child !== undefined) waiting.push(child);
      }
    }
  }
  return bytes;
}
