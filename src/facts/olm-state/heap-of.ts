/** How much memory an object takes. */
import type { JsonValue } from '../../text/documents/index.js';

/** What V8 keeps for a value, its place in its parent and, for text, its head. */
const bytesOfValue = 32;

/** About how many bytes of the heap a value takes; no walk recurses, however deep it nests. */
export function heapOf(value: JsonValue): number {
  let bytes = 0;
  const waiting: JsonValue[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    bytes += bytesOfValue;
    if (typeof each === 'string') bytes += each.length;
    else if (typeof each === 'object' && each !== null) {
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
