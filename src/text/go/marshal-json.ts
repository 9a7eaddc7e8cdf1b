/** Decoded JSON as Go's `encoding/json` and its `fmt` write it. */
import { type JsonValue, NumberText, type JsonObject, isObject } from '../documents/value.js';
import { sortedKeys } from './text.js';
import { formatFloat } from './numbers.js';

/** Sorted keys, `<`, `>`, `&` escaped. @param most characters after which no further value is begun */
export function marshalJson(value: JsonValue, most = Infinity): string {
  return writeTree(value, marshalled, most);
}

/** The output of a `json.Encoder` that does not escape HTML, for a value whose numbers are all float64. */
export function encodeJson(value: JsonValue): string {
  return writeTree(value, encoded);
}

/** The output of `json.Marshal` for a `[]string`, which is `null` as long as nothing was appended. */
export function marshalTexts(texts: readonly string[]): string {
  return texts.length === 0 ? 'null' : marshalJson([...texts]);
}

function notation(
  text: (value: string) => string,
  number: (value: JsonNumber) => string,
): Notation {
  return {
    scalar: (value: Scalar) =>
      isNumber(value) ? number(value) : typeof value === 'string' ? text(value) : String(value),
    key: (key) => `${text(key)}:`,
    list: ['[', ',', ']'],
    map: ['{', ',', '}'],
  };
}

const marshalled = notation(
  (text) => escaped(text, /[<>&\u2028\u2029]/g),
  // JavaScript prints a plain number as its literal stood.
  (value) =>
    typeof value === 'number' ? float(value) : String(int64Of(value) ?? float(value.value)),
);
const encoded = notation(
  (text) => escaped(text, /[\u2028\u2029]/g),
  (value) => float(float64Of(value)),
);

function float(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Half a surrogate pair is no rune: what cannot be decoded is U+FFFD. */
function escaped(text: string, characters: RegExp): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    characters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A literal without fraction and exponent that fits 64 bits is an int64, others float64: `1` is not `1.0`. */
export type JsonNumber = number | NumberText;

export const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof NumberText;
}

/** The int64 that is read, or undefined where it is a float64. */
export function int64Of(value: JsonNumber): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  const text = typeof value === 'number' ? String(value) : value.text;
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const integer = BigInt(text);
  return integer >= minInt64 && integer <= maxInt64 ? integer : undefined;
}

/** The value as a float64; an int64 is rounded as Go's conversion does. */
export function float64Of(value: JsonNumber): number {
  return typeof value === 'number' ? value : value.value;
}

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

/** The Go type of a JSON number: any number a float64 (encoding/json), or also int64 (sigs.k8s.io/json). */
export type Numbers = 'float64' | 'int64';

/** `%v` of a decoded value. */
export function formatValue(value: JsonValue, numbers: Numbers = 'int64'): string {
  return writeTree(
    value,
    printed((scalar) => textOf(scalar, numbers)),
  );
}

/** `%v` of a list of strings. */
export function formatList(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}

/** `%t` of a decoded value: a verb for booleans, so all else is printed as a mistake. */
export function formatBool(value: JsonValue): string {
  if (value === null) return '%!t(<nil>)';
  return writeTree(
    value,
    printed((scalar) => {
      const text = textOf(scalar, 'float64');
      if (scalar === null || typeof scalar === 'boolean') return text;
      return `%!t(${typeName(scalar, 'float64')}=${text})`;
    }),
  );
}

/** `%T` of a decoded value. */
export function typeName(value: JsonValue, numbers: Numbers = 'int64'): string {
  if (value === null) return '<nil>';
  if (isNumber(value)) {
    return numbers === 'int64' && int64Of(value) !== undefined ? 'int64' : 'float64';
  }
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** `%v` of a number that sigs.k8s.io/json has decoded. */
export function formatNumber(value: JsonNumber): string {
  return String(int64Of(value) ?? formatFloat(float64Of(value)));
}

function textOf(value: Scalar, numbers: Numbers): string {
  if (value === null) return '<nil>';
  if (!isNumber(value)) return String(value);
  return numbers === 'int64' ? formatNumber(value) : formatFloat(float64Of(value));
}

function printed(scalar: (value: Scalar) => string): Notation {
  return {
    scalar,
    key: (key) => `${scalar(key)}:`,
    list: ['[', ' ', ']'],
    map: ['map[', ' ', ']'],
  };
}
