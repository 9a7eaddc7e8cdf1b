/** Arithmetic, comparison and membership, with cel-go's limits and texts. */
import { equal } from './equal.js';
import { EvaluationError, noSuchOverload } from './errors.js';
import { CelList } from './lists.js';
import { CelMap } from './maps.js';
import { declare } from './signature.js';
import { Duration, maxInt, maxUint, minInt, Timestamp, Uint, type CelValue } from './values.js';
import { compareBytes } from '../text/go/index.js';

export function checkedInt(value: bigint): bigint {
  if (value > maxInt || value < minInt) throw new EvaluationError('integer overflow');
  return value;
}

function checkedUint(value: bigint): Uint {
  if (value > maxUint || value < 0n) throw new EvaluationError('unsigned integer overflow');
  return new Uint(value);
}

export function checkedDuration(nanoseconds: bigint): Duration {
  if (nanoseconds > maxInt || nanoseconds < minInt) throw new EvaluationError('duration overflow');
  return new Duration(nanoseconds);
}

const firstSecond = -62135596800n;
const lastSecond = 253402300799n;

export function checkedTimestamp(nanoseconds: bigint, offsetMinutes = 0): Timestamp {
  const second = nanoseconds / 1_000_000_000n;
  if (second < firstSecond || second > lastSecond) throw new EvaluationError('timestamp overflow');
  return new Timestamp(nanoseconds, offsetMinutes);
}

/** Less than zero, zero or more; numbers of all types compare. @throws EvaluationError */
export function compare(left: CelValue, right: CelValue): number {
  const [one, other] = [ordered(left), ordered(right)];
  if (typeof one === 'string' && typeof other === 'string') {
    return compareBytes(one, other);
  }
  const bothNumbers = isNumeric(one) && isNumeric(other);
  const sameKind =
    left instanceof Timestamp === right instanceof Timestamp &&
    left instanceof Duration === right instanceof Duration;
  if (bothNumbers && sameKind) {
    if (Number.isNaN(one) || Number.isNaN(other)) {
      throw new EvaluationError('NaN values cannot be ordered');
    }
    return one < other ? -1 : one > other ? 1 : 0;
  }
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  throw noSuchOverload();
}

function isNumeric(value: CelValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

function ordered(value: CelValue): CelValue {
  if (value instanceof Uint) return value.value;
  return value instanceof Timestamp || value instanceof Duration ? value.nanoseconds : value;
}

/** `value in container`. */
export function isIn(value: CelValue, container: CelValue): boolean {
  if (container instanceof CelList) return container.includes(value);
  if (container instanceof CelMap) return container.has(value);
  throw noSuchOverload();
}

const int = (value: CelValue): bigint => value as bigint;
const uint = (value: CelValue): bigint => (value as Uint).value;
const double = (value: CelValue): number => value as number;
const nanoseconds = (value: CelValue): bigint => (value as Timestamp | Duration).nanoseconds;

function divide(left: bigint, right: bigint): bigint {
  if (right === 0n) throw new EvaluationError('division by zero');
  return left / right;
}

function modulo(left: bigint, right: bigint): bigint {
  if (right === 0n) throw new EvaluationError('modulus by zero');
  return left % right;
}

function concatenateBytes(left: CelValue, right: CelValue): Uint8Array {
  return new Uint8Array(Buffer.concat([left as Uint8Array, right as Uint8Array]));
}

const arithmetic = declare([
  ['_+_(int, int) int', ([a, b]) => checkedInt(int(a!) + int(b!))],
  ['_+_(uint, uint) uint', ([a, b]) => checkedUint(uint(a!) + uint(b!))],
  ['_+_(double, double) double', ([a, b]) => double(a!) + double(b!)],
  [
    '_+_(string, string) string',
    ([a, b], frame) => {
      const text = (a as string) + (b as string);
      frame.spend(text.length / 10);
      return text;
    },
  ],
  ['_+_(bytes, bytes) bytes', ([a, b]) => concatenateBytes(a!, b!)],
  [
    '_+_(list(A), list(A)) list(A)',
    ([a, b], frame) => {
      frame.spend((b as CelList).size);
      return (a as CelList).plus(b as CelList);
    },
  ],
  [
    '_+_(timestamp, duration) timestamp',
    ([a, b]) => checkedTimestamp(nanoseconds(a!) + nanoseconds(b!), (a as Timestamp).offsetMinutes),
  ],
  [
    '_+_(duration, timestamp) timestamp',
    ([a, b]) => checkedTimestamp(nanoseconds(a!) + nanoseconds(b!), (b as Timestamp).offsetMinutes),
  ],
  [
    '_+_(duration, duration) duration',
    ([a, b]) => checkedDuration(nanoseconds(a!) + nanoseconds(b!)),
  ],
  ['_-_(int, int) int', ([a, b]) => checkedInt(int(a!) - int(b!))],
  ['_-_(uint, uint) uint', ([a, b]) => checkedUint(uint(a!) - uint(b!))],
  ['_-_(double, double) double', ([a, b]) => double(a!) - double(b!)],
  [
    '_-_(timestamp, timestamp) duration',
    ([a, b]) => checkedDuration(nanoseconds(a!) - nanoseconds(b!)),
  ],
  [
    '_-_(timestamp, duration) timestamp',
    ([a, b]) => checkedTimestamp(nanoseconds(a!) - nanoseconds(b!), (a as Timestamp).offsetMinutes),
  ],
  [
    '_-_(duration, duration) duration',
    ([a, b]) => checkedDuration(nanoseconds(a!) - nanoseconds(b!)),
  ],
  ['_*_(int, int) int', ([a, b]) => checkedInt(int(a!) * int(b!))],
  ['_*_(uint, uint) uint', ([a, b]) => checkedUint(uint(a!) * uint(b!))],
  ['_*_(double, double) double', ([a, b]) => double(a!) * double(b!)],
  ['_/_(int, int) int', ([a, b]) => checkedInt(divide(int(a!), int(b!)))],
  ['_/_(uint, uint) uint', ([a, b]) => new Uint(divide(uint(a!), uint(b!)))],
  ['_/_(double, double) double', ([a, b]) => double(a!) / double(b!)],
  ['_%_(int, int) int', ([a, b]) => modulo(int(a!), int(b!))],
  ['_%_(uint, uint) uint', ([a, b]) => new Uint(modulo(uint(a!), uint(b!)))],
  ['-_(int) int', ([a]) => checkedInt(-int(a!))],
  ['-_(double) double', ([a]) => -double(a!)],
]);

const numbers = ['int', 'uint', 'double'];
const comparable = [
  ...numbers.flatMap((left) => numbers.map((right) => [left, right] as const)),
  ...['bool', 'string', 'bytes', 'timestamp', 'duration'].map((name) => [name, name] as const),
];
const tests: readonly (readonly [string, (sign: number) => boolean])[] = [
  ['<', (sign) => sign < 0],
  ['<=', (sign) => sign <= 0],
  ['>', (sign) => sign > 0],
  ['>=', (sign) => sign >= 0],
];

const comparison = declare(
  tests.flatMap(([operator, holds]) =>
    comparable.map(
      ([left, right]) =>
        [
          `_${operator}_(${left}, ${right}) bool`,
          ([a, b]: readonly CelValue[]) => holds(compare(a as CelValue, b as CelValue)),
        ] as const,
    ),
  ),
);

const equality = declare([
  [
    '_==_(A, A) bool',
    ([a, b], frame) => {
      frame.spend(weight(a!));
      return equal(a!, b!);
    },
  ],
  [
    '_!=_(A, A) bool',
    ([a, b], frame) => {
      frame.spend(weight(a!));
      return differs(a!, b!);
    },
  ],
  [
    '@in(A, list(A)) bool',
    ([a, b], frame) => {
      frame.spend((b as CelList).size);
      return isIn(a!, b!);
    },
  ],
  ['@in(A, map(A, B)) bool', ([a, b]) => isIn(a!, b!)],
]);

/** What cannot be compared because an item cannot be read is different, to cel-go. */
function differs(left: CelValue, right: CelValue): boolean {
  try {
    return !equal(left, right);
  } catch (error) {
    if (error instanceof EvaluationError) return true;
    throw error;
  }
}

function weight(value: CelValue): number {
  if (typeof value === 'string') return value.length / 10;
  return value instanceof CelList || value instanceof CelMap ? value.size : 1;
}

export const operatorOverloads = [...arithmetic, ...comparison, ...equality];
