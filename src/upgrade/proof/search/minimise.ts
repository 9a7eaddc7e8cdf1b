/** Makes a witness as small as it can be while it still shows the damage. */
import {
  isObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import type { SchemaNode } from '../../../kubernetes/index.js';
import type { Keys } from '../../crd/schema-keys.js';
import { valueAt } from '../../../text/documents/fields.js';
import { type Place, type Step, stepsTo } from '../pin.js';
import { fieldOf } from '../shape.js';
import { sizeOf } from '../size.js';

const maxTries = 300;
/** Values in all objects that are tried: a large witness may stay a little larger than it must. */
const maxValues = 40_000;
const identityFields = new Set(['apiVersion', 'kind', 'metadata']);

/** Whether an object cannot show the damage without one entry, so that it need not be tried. */
export type Need = (object: JsonObject, path: Keys, key: string | number) => boolean;

/** Entries that a schema requires. */
export function needOf(schema: SchemaNode): Need {
  return (object, path, key) => isNeeded(object, [...path, key], schema, undefined);
}

/** Entries that a schema requires, and what has the only value at a place, for damage to values that are there. */
export function needAt(schema: SchemaNode, place: Place): Need {
  const steps = stepsTo(place);
  return (object, path, key) => isNeeded(object, [...path, key], schema, steps);
}

function isNeeded(
  object: JsonObject,
  keys: Keys,
  schema: SchemaNode,
  steps: readonly Step[] | undefined,
): boolean {
  let node: SchemaNode | undefined = schema;
  let value: JsonValue | undefined = object;
  let isOnTheWay = steps !== undefined;
  for (const [depth, key] of keys.entries()) {
    const step = steps?.[depth];
    const parent: SchemaNode | undefined = node;
    if (typeof key === 'number') {
      isOnTheWay &&= step?.kind === 'item' && Array.isArray(value) && value.length === 1;
      node = parent?.items;
    } else {
      isOnTheWay &&= step !== undefined && step.kind !== 'item' && step.name === key;
      node = parent && fieldOf(parent, key);
      const isLast = depth === keys.length - 1;
      if (isLast && parent?.requires(key) === true && node?.default === undefined) return true;
    }
    value = value === undefined ? undefined : valueAt(value, key);
  }
  return isOnTheWay;
}

/** Halves of large parts, then single entries, outer ones first. @param holds false once too much was tried */
export function minimise(
  object: JsonObject,
  holds: (smaller: JsonObject) => boolean,
  need?: Need,
): JsonObject {
  const tries = smallerOnes(object, maxTries, need);
  let step = tries.next();
  while (step.done !== true) step = tries.next(holds(step.value));
  return step.value;
}

/** For damage that only the caller can detect: yields smaller objects, receives whether each shows it. */
export function* smallerOnes(
  object: JsonObject,
  limit: number,
  need: Need = () => false,
): Generator<JsonObject, JsonObject, boolean> {
  let smallest = object;
  let left = limit;
  let values = maxValues;

  function* isRemoved(
    path: Keys,
    keys: readonly (string | number)[],
  ): Generator<JsonObject, boolean, boolean> {
    const gone = new Set(keys.filter((key) => !need(smallest, path, key)));
    if (left <= 0 || gone.size === 0) return false;
    const without = removeAt(smallest, path, gone, 0) as JsonObject;
    left--;
    values -= sizeOf(without);
    if (values <= 0) left = 0;
    if (!(yield without)) return false;
    smallest = without;
    return true;
  }

  function* shrink(path: Keys): Generator<JsonObject, void, boolean> {
    let keys = keysAt(smallest, path);
    if (typeof keys[0] === 'number' && keys.length >= fewKeys) {
      const middle = keys[keys.length >> 1] as number;
      let isAnyRemoved = false;
      for (const key of [keys.length - 1, middle])
        if (yield* isRemoved(path, [key])) isAnyRemoved = true;
      // A list that is refused for its length needs every item.
      if (!isAnyRemoved) return;
    }
    for (let size = Math.ceil(keys.length / 2); size > 1 && left > 0; size = Math.floor(size / 2)) {
      keys = keysAt(smallest, path);
      if (keys.length < fewKeys) break;
      for (let end = keys.length; end > 0 && left > 0; end -= size) {
        yield* isRemoved(path, keys.slice(Math.max(0, end - size), end));
      }
    }
    keys = keysAt(smallest, path);
    // An empty item is unrealistic: its first field stays.
    const isItem = typeof path.at(-1) === 'number' && typeof keys[0] === 'string';
    // From the end, so that the numbers of the items before stay.
    for (const key of keys.reverse()) {
      if (left <= 0) return;
      if (isItem && keysAt(smallest, path).length === 1) {
        yield* shrink([...path, key]);
        continue;
      }
      if (!(yield* isRemoved(path, [key]))) yield* shrink([...path, key]);
    }
  }
  yield* shrink([]);
  return smallest;
}

/** Below this, one at a time is quicker. */
const fewKeys = 12;

function keysAt(root: JsonObject, path: Keys): (string | number)[] {
  const value = valueAt(root, ...path);
  if (Array.isArray(value)) return [...value.keys()];
  if (value === undefined || !isObject(value)) return [];
  const keys = Object.keys(value);
  return path.length === 0 ? keys.filter((key) => !identityFields.has(key)) : keys;
}

function removeAt(
  value: JsonValue,
  path: Keys,
  gone: ReadonlySet<string | number>,
  depth: number,
): JsonValue {
  const key = path[depth];
  if (Array.isArray(value)) {
    return key === undefined
      ? value.filter((_, index) => !gone.has(index))
      : value.map((item, index) => (index === key ? removeAt(item, path, gone, depth + 1) : item));
  }
  if (!isObject(value)) return value;
  return mapMembers(value, (item, name) => {
    if (key === undefined) return gone.has(name) ? undefined : item;
    return name === key ? removeAt(item, path, gone, depth + 1) : item;
  });
}
