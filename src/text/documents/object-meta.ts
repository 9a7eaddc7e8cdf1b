/** Empty text stands for a text that is absent, or of another type, as in Go's `metav1.ObjectMeta`. */
import { isObject, NumberText, own, type JsonObject, type JsonValue } from './value.js';
import { invalidInput } from './error.js';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export class ObjectMeta {
  constructor(private readonly fields: JsonObject) {}

  get name(): string {
    return this.text('name');
  }

  /** Empty for what belongs to the cluster as a whole. */
  get namespace(): string {
    return this.text('namespace');
  }

  /** `namespace/name`, which no two objects of a kind share. */
  get key(): string {
    return `${this.namespace}/${this.name}`;
  }

  get uid(): string {
    return this.text('uid');
  }

  get resourceVersion(): string {
    return this.text('resourceVersion');
  }

  get generation(): number {
    const value = own(this.fields, 'generation');
    if (value instanceof NumberText) return value.value;
    return typeof value === 'number' ? value : 0;
  }

  /** Set as long as an object waits for its finalizers. */
  get deletionTimestamp(): string | undefined {
    const value = own(this.fields, 'deletionTimestamp');
    return typeof value === 'string' ? value : undefined;
  }

  get finalizers(): readonly string[] {
    const list = own(this.fields, 'finalizers');
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  }

  get labels(): ReadonlyMap<string, string> {
    return this.texts('labels');
  }

  get annotations(): ReadonlyMap<string, string> {
    return this.texts('annotations');
  }

  label(name: string): string | undefined {
    const value = this.entry('labels', name);
    return typeof value === 'string' ? value : undefined;
  }

  annotation(name: string): string | undefined {
    const value = this.writtenAnnotation(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** The value as a file has it; only on a cluster is it always a string. */
  writtenAnnotation(name: string): JsonValue | undefined {
    return this.entry('annotations', name);
  }

  get ownerReferences(): readonly OwnerReference[] {
    return this.list('ownerReferences').map((reference) => ({
      apiVersion: textIn(reference, 'apiVersion'),
      kind: textIn(reference, 'kind'),
      name: textIn(reference, 'name'),
      uid: textIn(reference, 'uid'),
    }));
  }

  get managedFields(): readonly JsonObject[] {
    return this.list('managedFields');
  }

  private text(field: string): string {
    return textIn(this.fields, field);
  }

  private entry(field: string, name: string): JsonValue | undefined {
    const map = own(this.fields, field);
    return isObject(map) ? own(map, name) : undefined;
  }

  private texts(field: string): ReadonlyMap<string, string> {
    const map = own(this.fields, field);
    const entries = isObject(map) ? Object.entries(map) : [];
    return new Map(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }

  private list(field: string): JsonObject[] {
    const list = own(this.fields, field);
    return Array.isArray(list) ? list.filter(isObject) : [];
  }
}

const nothing = new ObjectMeta({});

export function metaOf(object: unknown): ObjectMeta {
  const metadata = isObject(object) ? own(object, 'metadata') : undefined;
  return isObject(metadata) ? new ObjectMeta(metadata) : nothing;
}

export function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const metadata = own(object, 'metadata');
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), namespace } };
}

function textIn(object: JsonObject, field: string): string {
  const value = own(object, field);
  return typeof value === 'string' ? value : '';
}

export interface ListedObject {
  readonly value: JsonValue;
  readonly path: readonly (string | number)[];
}

/**
 * The objects of a document, as kubectl takes them: whatever has a list of `items` is a list, of any kind
 * and inside another one too. What only its kind does not call a list is given itself as well.
 *
 * Source: k8s.io/apimachinery/pkg/apis/meta/v1/unstructured (detectList, decodeToList, IsList), k8s.io/cli-runtime/pkg/resource
 * (FlattenListVisitor).
 */
export function* objectsOf(
  value: JsonValue,
  path: ListedObject['path'] = [],
): Generator<ListedObject> {
  const items = isObject(value) ? own(value, 'items') : undefined;
  if (!isObject(value) || !Array.isArray(items)) {
    yield { value, path };
    return;
  }
  const kind = own(value, 'kind');
  if (typeof kind !== 'string' || !kind.endsWith('List')) yield { value, path };
  for (const [index, item] of items.entries()) {
    yield* objectsOf(withKindOfList(item, value), [...path, 'items', index]);
  }
}

/** Items of a list such as ConfigMapList need not name their kind; API servers leave it out too. */
function withKindOfList(item: JsonValue, list: JsonObject): JsonValue {
  const text = (value: JsonValue, key: string): string => {
    const named = isObject(value) ? own(value, key) : undefined;
    return typeof named === 'string' ? named : '';
  };
  const kind = text(list, 'kind').replace(/List$/, '');
  if (!isObject(item) || kind === '' || text(item, 'kind') !== '') return item;
  if (text(item, 'apiVersion') !== '') return item;
  return { ...item, apiVersion: text(list, 'apiVersion'), kind };
}

/** How much a page holds and what comes after it. */
export interface PlaceInList {
  readonly count: number;
  readonly next: string;
  /** Objects on later pages, as far as the cluster says. */
  readonly remaining?: number;
}

export interface ObjectList extends PlaceInList {
  readonly objects: readonly JsonObject[];
}

/** @throws InvalidInputError `E_INPUT` for what is not an object */
export function readList(list: JsonValue): ObjectList {
  if (!isObject(list)) throw invalidInput('a list must be an object');
  const items = own(list, 'items');
  const objects = Array.isArray(items) ? items.filter(isObject) : [];
  const metadata = own(list, 'metadata');
  const said = (key: string) => (isObject(metadata) ? own(metadata, key) : undefined);
  const [next, remaining] = [said('continue'), said('remainingItemCount')];
  return {
    objects,
    count: objects.length,
    next: typeof next === 'string' ? next : '',
    ...(typeof remaining === 'number' ? { remaining } : {}),
  };
}
