/** The values that documents hold: JSON, with numbers that keep their text where JavaScript would lose it. */

/** `1.0`, `1e3`, `9007199254740993`, `1e400`, `-0`: JavaScript would print them otherwise. */
export class NumberText {
  /** Whether one of them has ever been past the range of a double: most runs need not look for any. */
  static isAnyInfinite = false;

  constructor(readonly text: string) {
    if (!Number.isFinite(this.value)) NumberText.isAnyInfinite = true;
  }

  /** The nearest double; ±Infinity past its range. */
  get value(): number {
    return Number(this.text);
  }

  /** Go's JSON decoder reads a literal without fraction and exponent as an integer, any other as a float. */
  get isIntegerLiteral(): boolean {
    return !/[.eE]/.test(this.text);
  }

  toString(): string {
    return this.text;
  }

  /** Plain `JSON.stringify` gets the double; `stringifyJson` writes the text. */
  toJSON(): unknown {
    return NumberText.replaceInJson === undefined
      ? this.value
      : NumberText.replaceInJson(this.text);
  }

  /** Set by `stringifyJson` for the length of one synchronous call. */
  static replaceInJson: ((text: string) => string) | undefined;
}

export type JsonValue = null | boolean | number | string | NumberText | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A JSON object: not null, not a list, not a number that keeps its text. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NumberText)
  );
}

/** Looks a key of user data up without meeting `Object.prototype`. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key of user data; `__proto__` is an ordinary name here. */
export function defineOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[key] = value;
  }
}

/** A copy, each member as `change` makes it; without those for which it gives undefined. */
export function mapMembers(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    const value = change(object[key] as JsonValue, key);
    if (value !== undefined) defineOwn(copy, key, value);
  }
  return copy;
}

/** Equal in whatever order keys stand; absent equals absent only. Values may nest as deep as memory allows. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const pairs = [a, b];
  while (pairs.length > 0) {
    const right = pairs.pop();
    const left = pairs.pop();
    if (left === right) continue;
    if (left instanceof NumberText) {
      if (!(right instanceof NumberText) || left.text !== right.text) return false;
    } else if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (let index = left.length - 1; index >= 0; index--) pairs.push(left[index], right[index]);
    } else {
      if (!isObject(left) || !isObject(right)) return false;
      const keys = Object.keys(left);
      if (keys.length !== Object.keys(right).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(right, key)) return false;
        pairs.push(left[key], right[key]);
      }
    }
  }
  return true;
}

/** Deeper values stay as they are. */
const maxDepth = 500;

/** Shares JSON that is the same at the same place in the same order: a walk through both sees it by identity. */
export function shareParts(old: JsonValue, next: JsonValue): void {
  isSame(old, next, 0);
}

function isSame(old: JsonValue | undefined, next: JsonValue, depth: number): boolean {
  if (old === next) return true;
  if (depth > maxDepth || old === undefined) return false;
  if (next instanceof NumberText) return old instanceof NumberText && old.text === next.text;
  if (Array.isArray(next)) return Array.isArray(old) && shareItems(old, next, depth);
  return isObject(next) && isObject(old) && shareEntries(old, next, depth);
}

function shareItems(old: JsonValue[], next: JsonValue[], depth: number): boolean {
  let isAlike = old.length === next.length;
  for (let index = 0; index < next.length; index++) {
    const was = old[index];
    if (!isSame(was, next[index] as JsonValue, depth + 1)) isAlike = false;
    else if (next[index] !== was) next[index] = was as JsonValue;
  }
  return isAlike;
}

function shareEntries(old: JsonObject, next: JsonObject, depth: number): boolean {
  const keys = Object.keys(next);
  const before = Object.keys(old);
  let isAlike = keys.length === before.length;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (before[index] !== key) isAlike = false;
    const was = Object.hasOwn(old, key) ? old[key] : undefined;
    if (!isSame(was, next[key] as JsonValue, depth + 1)) isAlike = false;
    else if (next[key] !== was) defineOwn(next, key, was as JsonValue);
  }
  return isAlike;
}
