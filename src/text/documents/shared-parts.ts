/** Two values that are mostly the same, held as one where they are. */
import { isObject, NumberText, type JsonValue } from './value.js';

/** What lies deeper stays as it is. */
const maxDepth = 500;

/**
 * The new value, with the old one's lists and objects wherever the same JSON stands at the same place, in
 * the same order: whoever goes through both sees by identity what has not changed.
 */
export function withSharedParts<Value extends JsonValue>(old: JsonValue, next: Value): Value {
  return share(old, next, 0) as Value;
}

function share(old: JsonValue | undefined, next: JsonValue, depth: number): JsonValue {
  if (depth > maxDepth || old === undefined) return next;
  if (Array.isArray(next)) return Array.isArray(old) ? shareList(old, next, depth) : next;
  if (isObject(next)) return isObject(old) ? shareObject(old, next, depth) : next;
  const isSame = next instanceof NumberText && old instanceof NumberText && next.text === old.text;
  return isSame ? old : next;
}

function shareList(old: JsonValue[], next: JsonValue[], depth: number): JsonValue[] {
  let isSame = old.length === next.length;
  let shared: JsonValue[] | undefined;
  for (let index = 0; index < next.length; index++) {
    const item = next[index] as JsonValue;
    const found = share(old[index], item, depth + 1);
    if (found !== old[index]) isSame = false;
    if (found !== item) (shared ??= [...next])[index] = found;
  }
  return isSame ? old : (shared ?? next);
}

function shareObject(
  old: Record<string, JsonValue>,
  next: Record<string, JsonValue>,
  depth: number,
): Record<string, JsonValue> {
  const keys = Object.keys(next);
  const before = Object.keys(old);
  let isSame = keys.length === before.length;
  let shared: [string, JsonValue][] | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const was = Object.hasOwn(old, key) ? old[key] : undefined;
    const item = next[key] as JsonValue;
    const found = share(was, item, depth + 1);
    if (before[index] !== key || found !== was) isSame = false;
    if (found !== item) (shared ??= Object.entries(next))[index] = [key, found];
  }
  if (isSame) return old;
  return shared === undefined ? next : Object.fromEntries(shared);
}
