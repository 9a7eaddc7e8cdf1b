import type { JsonObject } from './value.js';

const known = new WeakMap<JsonObject, ReadonlySet<number>>();

/**
 * How long the keys of an object are: few lengths, where there may be a hundred thousand keys and as
 * many paths in which one of them is looked for.
 */
export function keyLengths(object: JsonObject): ReadonlySet<number> {
  let lengths = known.get(object);
  if (lengths === undefined) {
    known.set(object, (lengths = new Set(Object.keys(object).map((key) => key.length))));
  }
  return lengths;
}
