/** The values that documents hold: JSON, with numbers that keep their text where JavaScript would lose it. */

/** `1.0`, `1e3`, `9007199254740993`, `1e400`, `-0`: JavaScript would print them otherwise. */
export class NumberText {
  constructor(readonly text: string) {}

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
