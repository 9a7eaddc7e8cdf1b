/** Lists: Kubernetes' library, cel-go's lists (version 3) and sets extensions. */
import { equal } from './equal.js';
import { EvaluationError } from './errors.js';
import { listOf } from './from-json.js';
import type { Frame } from './frame.js';
import { CelList } from './lists.js';
import { checkedDuration, checkedInt, compare } from './operators.js';
import { declare, type Declarations } from './signature.js';
import type { Duration } from './values.js';
import { Uint, type CelValue } from './values.js';

const list = (value: CelValue | undefined): CelList => value as CelList;
const int = (value: CelValue | undefined): number => Number(value);

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function isSorted(values: CelList): boolean {
  for (let index = 1; index < values.size; index++) {
    if (compare(values.at(index - 1), values.at(index)) > 0) return false;
  }
  return true;
}

/** The least (sign -1) or greatest (sign 1) item. */
function extreme(values: CelList, sign: number, name: string): CelValue {
  if (values.size === 0) throw new EvaluationError(`${name} called on empty list`);
  let best = values.at(0);
  for (const item of values.items()) if (compare(item, best) * sign > 0) best = item;
  return best;
}

const sums: Declarations = [
  [
    'list(int):sum() int',
    ([a]) => {
      let sum = 0n;
      for (const item of list(a).items()) sum = checkedInt(sum + (item as bigint));
      return sum;
    },
  ],
  [
    'list(uint):sum() uint',
    ([a]) => {
      let sum = 0n;
      for (const item of list(a).items()) sum += (item as Uint).value;
      return new Uint(sum);
    },
  ],
  [
    'list(double):sum() double',
    ([a]) => {
      let sum = 0;
      for (const item of list(a).items()) sum += item as number;
      return sum;
    },
  ],
  [
    'list(duration):sum() duration',
    ([a]) => {
      let sum = 0n;
      for (const item of list(a).items()) sum += (item as Duration).nanoseconds;
      return checkedDuration(sum);
    },
  ],
];

function indexOf(values: CelList, wanted: CelValue): bigint {
  for (let index = 0; index < values.size; index++) {
    if (equal(values.at(index), wanted)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOf(values: CelList, wanted: CelValue): bigint {
  for (let index = values.size - 1; index >= 0; index--) {
    if (equal(values.at(index), wanted)) return BigInt(index);
  }
  return -1n;
}

function slice(values: CelList, start: number, end: number): CelList {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) throw new EvaluationError(`${call}, negative indexes not supported`);
  if (start > end) {
    throw new EvaluationError(`${call}, start index must be less than or equal to end index`);
  }
  if (values.size < end) throw new EvaluationError(`${call}, list is length ${values.size}`);
  return listOf([...values.items()].slice(start, end));
}

function flatten(values: CelList, depth: number): CelValue[] {
  if (depth < 0) throw new EvaluationError('level must be non-negative');
  return [...values.items()].flatMap((item) =>
    item instanceof CelList && depth > 0 ? flatten(item, depth - 1) : [item],
  );
}

function distinct(values: CelList): CelValue[] {
  const result: CelValue[] = [];
  for (const item of values.items()) {
    if (!result.some((known) => equal(known, item))) result.push(item);
  }
  return result;
}

/** The items in the order of their keys. */
export function sortedBy(items: readonly CelValue[], keys: readonly CelValue[]): CelList {
  const order = items.map((_, index) => index);
  order.sort((left, right) => compare(keys[left] as CelValue, keys[right] as CelValue));
  return listOf(order.map((index) => items[index] as CelValue));
}

function contains(values: CelList, wanted: CelList, frame: Frame): boolean {
  frame.spend(values.size * wanted.size);
  return [...wanted.items()].every((item) => values.includes(item));
}

export const listOverloads = declare([
  ...comparable.flatMap((name) => [
    [`list(${name}):isSorted() bool`, ([a]: readonly CelValue[]) => isSorted(list(a))] as const,
    [
      `list(${name}):min() ${name}`,
      ([a]: readonly CelValue[]) => extreme(list(a), -1, 'min'),
    ] as const,
    [
      `list(${name}):max() ${name}`,
      ([a]: readonly CelValue[]) => extreme(list(a), 1, 'max'),
    ] as const,
    [
      `list(${name}):sort() list(${name})`,
      ([a]: readonly CelValue[]) => sortedBy([...list(a).items()], [...list(a).items()]),
    ] as const,
  ]),
  ...sums,
  ['list(A):indexOf(A) int', ([a, b]) => indexOf(list(a), b!)],
  ['list(A):lastIndexOf(A) int', ([a, b]) => lastIndexOf(list(a), b!)],
  ['list(A):slice(int, int) list(A)', ([a, b, c]) => slice(list(a), int(b), int(c))],
  ['list(list(A)):flatten() list(A)', ([a]) => listOf(flatten(list(a), 1))],
  ['list(dyn):flatten(int) list(dyn)', ([a, b]) => listOf(flatten(list(a), int(b)))],
  [
    'lists.range(int) list(int)',
    ([a], frame) => {
      frame.spend(int(a));
      return listOf(Array.from({ length: Math.max(int(a), 0) }, (_, index) => BigInt(index)));
    },
  ],
  [
    'list(A):distinct() list(A)',
    ([a], frame) => {
      frame.spend(list(a).size ** 2);
      return listOf(distinct(list(a)));
    },
  ],
  ['list(A):reverse() list(A)', ([a]) => listOf([...list(a).items()].reverse())],
  ['sets.contains(list(A), list(A)) bool', ([a, b], frame) => contains(list(a), list(b), frame)],
  [
    'sets.equivalent(list(A), list(A)) bool',
    ([a, b], frame) => contains(list(a), list(b), frame) && contains(list(b), list(a), frame),
  ],
  [
    'sets.intersects(list(A), list(A)) bool',
    ([a, b], frame) => {
      frame.spend(list(a).size * list(b).size);
      return [...list(a).items()].some((item) => list(b).includes(item));
    },
  ],
]);
