/** Equality of values as Go's `reflect.DeepEqual` has it: `1` and `1.0` differ. */
import { isObject, own, type JsonValue } from '../../text/documents/index.js';
import { truncateToInt64 } from './numbers.js';
import { float64Of, int64Of, isNumber, writeTree, type Notation } from '../../text/go/index.js';

export function sameValue(left: JsonValue, right: JsonValue): boolean {
  // Objects may nest deeper than functions can call themselves.
  const open: Pair[] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (!isSameSoFar(...pair, open)) return false;
  }
  return true;
}

type Pair = readonly [left: JsonValue, right: JsonValue];

/** @param open called with the values inside the two */
function isSameSoFar(left: JsonValue, right: JsonValue, open: Pair[]): boolean {
  if (left === right && typeof left !== 'number') return true;
  if (isNumber(left) && isNumber(right)) {
    const [leftInteger, rightInteger] = [int64Of(left), int64Of(right)];
    if (leftInteger === undefined && rightInteger === undefined) {
      return float64Of(left) === float64Of(right);
    }
    return leftInteger === rightInteger;
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (const [index, item] of left.entries()) open.push([item, right[index] as JsonValue]);
    return true;
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const other = own(right, key);
    if (other !== undefined) open.push([left[key] as JsonValue, other]);
    return other !== undefined;
  });
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
 * Whether an enum holds a value. A lookup takes as long as writing the value as text, however many
 * values are listed.
 * The value is first converted to the type of each listed value, as kube-openapi does: `1` equals a
 * listed `1.0`, `1.5` equals a listed `1`, and 65 a listed `"A"`.
 */
export function enumHolder(listed: readonly JsonValue[]): (value: JsonValue) => boolean {
  const integers = new Set<bigint>();
  const floats = new Set<number>();
  const strings = new Set<string>();
  const others = new Set<string>();
  for (const each of listed) {
    if (isNumber(each)) {
      const integer = int64Of(each);
      if (integer === undefined) floats.add(float64Of(each));
      else integers.add(integer);
    } else if (typeof each === 'string') strings.add(each);
    else if (each !== null) others.add(identity(each));
  }
  return (value) => {
    if (typeof value === 'string') return strings.has(value);
    if (!isNumber(value)) return value !== null && others.has(identity(value));
    const integer = int64Of(value);
    const float = float64Of(value);
    return (
      integers.has(integer ?? truncateToInt64(float)) ||
      floats.has(float) ||
      (integer !== undefined && strings.size > 0 && strings.has(rune(integer)))
    );
  };
}

function rune(code: bigint): string {
  const valid = code >= 0n && code <= 0x10ffffn && (code < 0xd800n || code > 0xdfffn);
  return valid ? String.fromCodePoint(Number(code)) : '\ufffd';
}
