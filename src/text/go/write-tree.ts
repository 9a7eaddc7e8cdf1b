/** Writes a decoded JSON value from its parts, however deep it nests. */
import { NumberText, type JsonObject, type JsonValue } from '../documents/value.js';
import { sortedKeys } from './order.js';

export type Scalar = Exclude<JsonValue, JsonObject | JsonValue[]>;

/** How Go's packages differ in what they write; keys come in their order everywhere. */
export interface Notation {
  readonly scalar: (value: Scalar) => string;
  /** With what is between it and its value. */
  readonly key: (key: string) => string;
  /** Opening, separating and closing text. */
  readonly list: readonly [string, string, string];
  readonly map: readonly [string, string, string];
}

/** @param most characters after which no further value is begun */
export function writeTree(root: JsonValue, notation: Notation, most = Infinity): string {
  if (isScalar(root)) return notation.scalar(root);
  let written = '';
  /** A stack of values still to be written, with the text between them. */
  const ahead: (JsonValue | Between)[] = [root];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (written.length > most) break;
    if (next instanceof Between) written += next.text;
    else if (isScalar(next)) written += notation.scalar(next);
    else if (Array.isArray(next)) {
      const [open, separator, close] = notation.list;
      written += open;
      ahead.push(new Between(close));
      for (let index = next.length - 1; index >= 0; index--) {
        ahead.push(next[index] as JsonValue);
        if (index > 0) ahead.push(new Between(separator));
      }
    } else {
      const [open, separator, close] = notation.map;
      written += open;
      ahead.push(new Between(close));
      const keys = sortedKeys(next);
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index] as string;
        ahead.push(next[key] as JsonValue);
        ahead.push(new Between(`${index > 0 ? separator : ''}${notation.key(key)}`));
      }
    }
  }
  return written;
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== 'object' || value === null || value instanceof NumberText;
}

class Between {
  constructor(readonly text: string) {}
}
