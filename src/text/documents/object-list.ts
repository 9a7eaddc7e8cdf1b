/** Lists of objects: in manifests, and in the pages that an API server answers with. */
import { invalidInput } from './error.js';
import { isObject, own, type JsonObject, type JsonValue } from './value.js';

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
