/** Equality of values as Go's `reflect.DeepEqual` has it: `1` and `1.0` differ. */
import { isObject, own, type JsonValue } from '../text/documents/index.js';
import { truncateToInt64 } from './numbers.js';
import {
  float64Of,
  int64Of,
  isNumber,
  writeTree,
  type JsonNumber,
  type Notation,
} from '../text/go/index.js';

/** Values may nest as deep as memory allows. */
export function sameValue(left: JsonValue, right: JsonValue): boolean {
  const pairs = [left, right];
  while (pairs.length > 0) {
    const [b, a] = [pairs.pop() as JsonValue, pairs.pop() as JsonValue];
    if (a === b && typeof a !== 'number') continue;
    if (isNumber(a) && isNumber(b)) {
      if (!isSameNumber(a, b)) return false;
    } else if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (let index = a.length - 1; index >= 0; index--) {
        pairs.push(a[index] as JsonValue, b[index] as JsonValue);
      }
    } else {
      if (!isObject(a) || !isObject(b)) return false;
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        const other = own(b, key);
        if (other === undefined) return false;
        pairs.push(a[key] as JsonValue, other);
      }
    }
  }
  return true;
}

function isSameNumber(left: JsonNumber, right: JsonNumber): boolean {
  const [leftInteger, rightInteger] = [int64Of(left), int64Of(right)];
  if (leftInteger === undefined && rightInteger === undefined) {
    return float64Of(left) === float64Of(right);
  }
  return leftInteger === rightInteger;
}

/** One text for equal values: scalars carry their type, keys of objects are sorted. */
export function identity(value: JsonValue): string {
  return writeTree(value, identified);
}

const identified: Notation = {
  scalar: (value) => {
    if (!isNumber(value)) return JSON.stringify(value);
    const integer = int64Of(value);
    return integer === undefined ? `f${float64Of(value)}` : `i${integer}`;
  },
  key: (key) => `${JSON.stringify(key)}:`,
  list: ['[', ',', ']'],
  map: ['{', ',', '}'],
};

/**
 * Whether an enum holds a value. The value is first converted to the type of each listed value, as
 * kube-openapi does: `1` equals a listed `1.0`, `1.5` equals a listed `1`, and 65 a listed `"A"`.
 */
export function enumHolds(listed: readonly JsonValue[], value: JsonValue): boolean {
  return value !== null && listed.some((candidate) => equalsListed(candidate, value));
}

function equalsListed(candidate: JsonValue, value: JsonValue): boolean {
  if (candidate === null) return false;
  if (!isNumber(value)) return !isNumber(candidate) && sameValue(candidate, value);
  const integer = int64Of(value);
  if (typeof candidate === 'string') return integer !== undefined && rune(integer) === candidate;
  if (!isNumber(candidate)) return false;
  const listed = int64Of(candidate);
  if (listed === undefined) return float64Of(candidate) === float64Of(value);
  return listed === (integer ?? truncateToInt64(float64Of(value)));
}

function rune(code: bigint): string {
  const valid = code >= 0n && code <= 0x10ffffn && (code < 0xd800n || code > 0xdfffn);
  return valid ? String.fromCodePoint(Number(code)) : '\ufffd';
}
