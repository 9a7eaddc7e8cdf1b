/** Arithmetic, comparison and membership, with cel-go's limits and texts. */
import {
  spendOnText,
  EvaluationError,
  noSuchOverload,
  CelList,
  CelMap,
  Duration,
  maxInt,
  maxUint,
  minInt,
  Timestamp,
  Uint,
  type CelValue,
} from '../values.js';
import { compareNumbers, isNumber } from '../collections.js';
import { compareBytes } from '../../text/go/index.js';
import { declareWhole, type CelFunction } from '../overloads.js';

export function checkedInt(value: bigint): bigint {
  if (value > maxInt || value < minInt) throw new EvaluationError('integer overflow');
  return value;
}

export function checkedUint(value: bigint): Uint {
  if (value > maxUint || value < 0n) throw new EvaluationError('unsigned integer overflow');
  return new Uint(value);
}

export function checkedDuration(nanoseconds: bigint): Duration {
  if (nanoseconds > maxInt || nanoseconds < minInt) throw new EvaluationError('integer overflow');
  return new Duration(nanoseconds);
}

const second = 1_000_000_000n;
const firstSecond = -62135596800n;
const lastSecond = 253402300799n;

export function checkedTimestamp(nanoseconds: bigint, offsetMinutes = 0): Timestamp {
  const fraction = ((nanoseconds % second) + second) % second;
  const seconds = (nanoseconds - fraction) / second;
  if (seconds < firstSecond || seconds > lastSecond)
    throw new EvaluationError('timestamp overflow');
  return new Timestamp(nanoseconds, offsetMinutes);
}

/** Less than zero, zero or more; numbers of all types compare. @throws EvaluationError */
export function compare(left: CelValue, right: CelValue): number {
  if (isNumber(left)) {
    if (Number.isNaN(left)) throw notOrdered();
    if (!isNumber(right)) throw noSuchOverload();
    if (Number.isNaN(right)) throw notOrdered();
    return compareNumbers(left, right);
  }
  if (typeof left === 'string' && typeof right === 'string') {
    spendOnText(Math.min(left.length, right.length));
    return compareBytes(left, right);
  }
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  const bothTimes = left instanceof Timestamp && right instanceof Timestamp;
  if (bothTimes || (left instanceof Duration && right instanceof Duration)) {
    return compareNumbers(left.nanoseconds, right.nanoseconds);
  }
  throw noSuchOverload();
}

function notOrdered(): EvaluationError {
  return new EvaluationError('NaN values cannot be ordered');
}

/** Whether values of the type have an order at all. */
export function isOrdered(value: CelValue): boolean {
  if (value === null) return false;
  return (
    typeof value !== 'object' ||
    value instanceof Uint ||
    value instanceof Uint8Array ||
    value instanceof Timestamp ||
    value instanceof Duration
  );
}

/** An operator on two values of the same type; absent for types that do not have it. */
interface Arithmetic {
  /** For values of uint, too. */
  readonly int: (left: bigint, right: bigint) => bigint;
  readonly double?: (left: number, right: number) => number;
  /** For values of other types. */
  readonly other?: (left: CelValue, right: CelValue) => CelValue;
  readonly takesOther?: (left: CelValue) => boolean;
}

/** @param overloads `left,right,result` of each in cel-go's order, or one type that all three have */
function arithmetic(
  name: string,
  verb: string,
  overloads: string,
  { int, double, other, takesOther }: Arithmetic,
): CelFunction {
  return declareWhole(
    overloads.split(' ').map((text) => {
      const [left = '', right = left, result = left] = text.split(',');
      const named = text === left ? [left] : [left, right];
      const id = named.map((type) => type.replace('int', 'int64').replace('(A)', '')).join('_');
      return `${verb}_${id} ${name}(${left}, ${right}) ${result}`;
    }),
    (left: CelValue, right: CelValue) => {
      if (typeof left === 'bigint') {
        if (typeof right !== 'bigint') throw noSuchOverload();
        return checkedInt(int(left, right));
      }
      if (left instanceof Uint) {
        if (!(right instanceof Uint)) throw noSuchOverload();
        return checkedUint(int(left.value, right.value));
      }
      if (double && typeof left === 'number') {
        if (typeof right !== 'number') throw noSuchOverload();
        return double(left, right);
      }
      return (other ?? never)(left, right);
    },
    (left) =>
      typeof left === 'bigint' ||
      left instanceof Uint ||
      (double !== undefined && typeof left === 'number') ||
      takesOther?.(left) === true,
  );
}

function never(): never {
  throw noSuchOverload();
}

function add(left: CelValue, right: CelValue): CelValue {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return new Uint8Array(Buffer.concat([left, right]));
  }
  if (left instanceof CelList) return left.plus(right);
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanoseconds + right.nanoseconds);
  }
  const [time, duration] = left instanceof Timestamp ? [left, right] : [right, left];
  if (time instanceof Timestamp && duration instanceof Duration) {
    return checkedTimestamp(time.nanoseconds + duration.nanoseconds, time.offsetMinutes);
  }
  throw noSuchOverload();
}

function subtract(left: CelValue, right: CelValue): CelValue {
  if (left instanceof Timestamp && right instanceof Timestamp) {
    const nanoseconds = left.nanoseconds - right.nanoseconds;
    return new Duration(checkedInt(nanoseconds));
  }
  if (left instanceof Timestamp && right instanceof Duration) {
    const { nanoseconds } = checkedDuration(-right.nanoseconds);
    return checkedTimestamp(left.nanoseconds + nanoseconds, left.offsetMinutes);
  }
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanoseconds - right.nanoseconds);
  }
  throw noSuchOverload();
}

function unlessZero(divisor: bigint, message: string): bigint {
  if (divisor === 0n) throw new EvaluationError(message);
  return divisor;
}

const divide = (left: bigint, right: bigint): bigint =>
  left / unlessZero(right, 'division by zero');

const isTime = (value: CelValue): boolean =>
  value instanceof Timestamp || value instanceof Duration;

const calculations: readonly CelFunction[] = [
  arithmetic(
    '_+_',
    'add',
    'bytes double duration,duration,duration duration,timestamp,timestamp timestamp,duration,timestamp int list(A) string uint',
    {
      int: (left, right) => left + right,
      double: (left, right) => left + right,
      other: add,
      takesOther: (left) =>
        typeof left === 'string' ||
        left instanceof Uint8Array ||
        left instanceof CelList ||
        isTime(left),
    },
  ),
  arithmetic('_/_', 'divide', 'double int uint', {
    int: divide,
    double: (left, right) => left / right,
  }),
  arithmetic('_%_', 'modulo', 'int uint', {
    int: (left: bigint, right: bigint): bigint => {
      const divisor = unlessZero(right, 'modulus by zero');
      if (left === minInt && divisor === -1n) throw new EvaluationError('integer overflow');
      return left % divisor;
    },
  }),
  arithmetic('_*_', 'multiply', 'double int uint', {
    int: (left, right) => left * right,
    double: (left, right) => left * right,
  }),
  arithmetic(
    '_-_',
    'subtract',
    'double duration,duration,duration int timestamp,duration,timestamp timestamp,timestamp,duration uint',
    {
      int: (left, right) => left - right,
      double: (left, right) => left - right,
      other: subtract,
      takesOther: isTime,
    },
  ),
  declareWhole(
    ['negate_double -_(double) double', 'negate_int64 -_(int) int'],
    (value: CelValue) => {
      if (typeof value === 'bigint') return checkedInt(-value);
      if (typeof value === 'number') return -value;
      if (value instanceof Duration) return checkedDuration(-value.nanoseconds);
      throw noSuchOverload();
    },
    (value) => ['bigint', 'number', 'boolean'].includes(typeof value) || value instanceof Duration,
  ),
  declareWhole(['logical_not !_(bool) bool'], (value: CelValue) => {
    if (typeof value !== 'boolean') throw noSuchOverload();
    return !value;
  }),
];

/** In the order of cel-go's declarations, which decides between them for values of dyn. */
const comparable = [
  ...['bool', 'int', 'int,double', 'int,uint', 'uint', 'uint,double', 'uint,int'],
  ...['double', 'double,int', 'double,uint', 'string', 'bytes', 'timestamp', 'duration'],
];

const comparison = (name: string, verb: string, holds: (order: number) => boolean): CelFunction =>
  declareWhole(
    comparable.map((text) => {
      const [left, right = left] = text.split(',');
      const id = text.replaceAll('int', 'int64').replace(',', '_');
      return `${verb}_${id} ${name}(${left}, ${right}) bool`;
    }),
    (left: CelValue, right: CelValue) => holds(compare(left, right)),
    isOrdered,
  );

const planned: readonly CelFunction[] = [
  ['conditional _?_:_(bool, A, A) A'],
  ['logical_and _&&_(bool, bool) bool'],
  ['logical_or _||_(bool, bool) bool'],
  ['not_strictly_false @not_strictly_false(bool) bool'],
  ['equals _==_(A, A) bool'],
  ['not_equals _!=_(A, A) bool'],
  ['index_list _[_](list(A), int) A', 'index_map _[_](map(A, B), A) B'],
].map((overloads) => declareWhole(overloads, never));

export const operators: readonly CelFunction[] = [
  ...planned,
  ...calculations,
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  declareWhole(
    ['in_list @in(A, list(A)) bool', 'in_map @in(A, map(A, B)) bool'],
    (value: CelValue, container: CelValue): boolean => {
      if (container instanceof CelList) return container.includes(value);
      if (container instanceof CelMap) return container.find(value) !== undefined;
      throw noSuchOverload();
    },
  ),
];
