/** How much there is in a value, which is what it costs to look at all of it. */
import { isObject, NumberText, type JsonValue } from '../text/documents/index.js';

export interface JsonSize {
  /** Values, and characters of text. */
  readonly weight: number;
  /** Lists and objects inside each other. */
  readonly depth: number;
}

export function sizeOf(root: JsonValue): JsonSize {
  let weight = 0;
  let depth = 0;
  let level: readonly JsonValue[] = [root];
  for (; level.length > 0; depth++) {
    const below: JsonValue[] = [];
    for (const value of level) {
      weight++;
      if (typeof value === 'string') weight += value.length;
      else if (value instanceof NumberText) weight += value.text.length;
      else if (Array.isArray(value)) for (const item of value) below.push(item);
      else if (isObject(value)) {
        for (const key of Object.keys(value)) {
          weight += key.length;
          below.push(value[key] ?? null);
        }
      }
    }
    level = below;
  }
  return { weight, depth };
}
