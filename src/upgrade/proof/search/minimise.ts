/** Makes a witness as small as it can be while it still shows the damage. */
import {
  defineOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import type { Keys } from '../../crd/schema-keys.js';
import { valueAt } from '../../../text/documents/fields.js';
import { sizeOf } from '../size.js';

const maxTries = 300;
/** Values in all objects that are tried: a large witness may stay a little larger than it must. */
const maxValues = 40_000;
const identityFields = new Set(['apiVersion', 'kind', 'metadata']);

/** Halves of large parts, then single entries, outer ones first. @param holds false once too much was tried */
export function minimise(object: JsonObject, holds: (smaller: JsonObject) => boolean): JsonObject {
  const tries = smallerOnes(object, maxTries);
  let step = tries.next();
  while (step.done !== true) step = tries.next(holds(step.value));
  return step.value;
}

/** For damage that only the caller can detect: yields smaller objects, receives whether each shows it. */
export function* smallerOnes(
  object: JsonObject,
  limit: number,
): Generator<JsonObject, JsonObject, boolean> {
  let smallest = object;
  let left = limit;
  let values = maxValues;

  function* isRemoved(
    path: Keys,
    keys: readonly (string | number)[],
  ): Generator<JsonObject, boolean, boolean> {
    if (left <= 0) return false;
    const without = removeAt(smallest, path, new Set(keys), 0) as JsonObject;
    left--;
    values -= sizeOf(without);
    if (values <= 0) left = 0;
    if (!(yield without)) return false;
    smallest = without;
    return true;
  }

  function* shrink(path: Keys): Generator<JsonObject, void, boolean> {
    let keys = keysAt(smallest, path);
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
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) {
    const item = value[name] as JsonValue;
    if (key === undefined) {
      if (!gone.has(name)) defineOwn(copy, name, item);
    } else defineOwn(copy, name, name === key ? removeAt(item, path, gone, depth + 1) : item);
  }
  return copy;
}
