/** Writes words into a witness where the search made up single letters. */
import {
  isObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';

/** One for each letter that occurs, in their order. */
const words = ['example', 'another', 'third'];
const madeUp = /^[a-z]$/;
const identityFields = new Set(['apiVersion', 'kind', 'metadata']);

/** Equal letters become equal words, since lists may have to repeat them. */
export function withWords(object: JsonObject, holds: (other: JsonObject) => boolean): JsonObject {
  let best = object;
  const letters = [...lettersIn(object)].slice(0, words.length);
  for (const [index, letter] of letters.entries()) {
    const worded = replaced(best, letter, words[index] as string, true) as JsonObject;
    if (holds(worded)) best = worded;
  }
  return best;
}

function lettersIn(object: JsonObject): Set<string> {
  const letters = new Set<string>();
  const open: JsonValue[] = Object.entries(object).flatMap(([name, value]) =>
    identityFields.has(name) || value === undefined ? [] : [value],
  );
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && madeUp.test(value)) letters.add(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isObject(value)) {
      for (const item of Object.values(value)) if (item !== undefined) open.push(item);
    }
  }
  return letters;
}

function replaced(value: JsonValue, letter: string, word: string, isRoot = false): JsonValue {
  if (value === letter) return word;
  if (Array.isArray(value)) return value.map((item) => replaced(item, letter, word));
  if (!isObject(value)) return value;
  return mapMembers(value, (item, name) =>
    isRoot && identityFields.has(name) ? item : replaced(item, letter, word),
  );
}
