/** How much memory an object takes. */
import type { JsonValue } from '../../text/documents/index.js';

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
