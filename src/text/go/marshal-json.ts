/** JSON as Go's `encoding/json` writes what it has decoded into an `interface{}`. */
import { type JsonValue, NumberText } from '../documents/value.js';
import { writeTree, type Notation, type Scalar } from './write-tree.js';

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
