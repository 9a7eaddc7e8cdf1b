/** Lists: Kubernetes' library, cel-go's lists (version 3) and sets extensions, and maps that folds make. */
import {
  spend,
  EvaluationError,
  noSuchOverload,
  typeNameOf,
  CelList,
  CelMap,
  Uint,
  Duration,
  type CelValue,
} from '../values.js';
import { attempt, equal, listOf, withEntry } from '../collections.js';
import { declare, declareWhole, sharing, type CelFunction } from '../overloads.js';
import { checkedDuration, checkedInt, checkedUint, compare, isOrdered } from './operators.js';

const comparable = 'int uint double bool duration timestamp string bytes'.split(' ');
/** Their names in the ids of cel-go's overloads. */
const runtimeName = (type: string): string =>
  type === 'duration' || type === 'timestamp'
    ? `google.protobuf.${type === 'duration' ? 'Duration' : 'Timestamp'}`
    : type;

function mustBeOrdered(value: CelValue): CelValue {
  if (!isOrdered(value)) throw noSuchOverload();
  return value;
}

/** The least (sign -1) or greatest (sign 1) item; one that cannot be compared is neither. */
function extreme(values: CelList, sign: number, name: string): CelValue {
  let best: CelValue | undefined;
  for (const item of values.items()) {
    mustBeOrdered(item);
    const known = best;
    if (known === undefined || attempt(() => compare(item, known) * sign > 0) === true) best = item;
  }
  if (best === undefined) throw new EvaluationError(`${name} called on empty list`);
  return best;
}

const sumOf =
  <Value extends CelValue>(zero: Value, add: (sum: Value, item: CelValue) => Value) =>
  (values: CelList): Value => {
    let sum = zero;
    for (const item of values.items()) sum = add(sum, item);
    return sum;
  };

const sums = {
  'list_int_sum_int list(int):sum() int': sumOf<bigint>(0n, (sum, item) => {
    if (typeof item !== 'bigint') throw noSuchOverload();
    return checkedInt(sum + item);
  }),
  'list_uint_sum_uint list(uint):sum() uint': sumOf(new Uint(0n), (sum, item) => {
    if (!(item instanceof Uint)) throw noSuchOverload();
    return checkedUint(sum.value + item.value);
  }),
  'list_double_sum_double list(double):sum() double': sumOf<number>(0, (sum, item) => {
    if (typeof item !== 'number') throw noSuchOverload();
    return sum + item;
  }),
  'list_duration_sum_duration list(duration):sum() duration': sumOf(
    new Duration(0n),
    (sum, item) => {
      if (!(item instanceof Duration)) throw noSuchOverload();
      return checkedDuration(sum.nanoseconds + item.nanoseconds);
    },
  ),
};

function indexWhere(values: CelList, wanted: CelValue, fromEnd = false): bigint {
  for (let step = 0; step < values.size; step++) {
    const index = fromEnd ? values.size - 1 - step : step;
    if (attempt(() => equal(values.at(index), wanted)) === true) return BigInt(index);
  }
  return -1n;
}

function slice(values: CelList, start: bigint, end: bigint): CelList {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) throw new EvaluationError(`${call}, negative indexes not supported`);
  if (start > end) {
    throw new EvaluationError(`${call}, start index must be less than or equal to end index`);
  }
  if (values.size < end) throw new EvaluationError(`${call}, list is length ${values.size}`);
  const items: CelValue[] = [];
  for (let index = Number(start); index < Number(end); index++) items.push(values.at(index));
  return listOf(items);
}

/** @throws EvaluationError for what is no list */
function flattened(value: CelValue, depth: CelValue = 1n): CelList {
  if (!(value instanceof CelList) || typeof depth !== 'bigint') {
    throw new EvaluationError(
      `no such overload: ${value instanceof CelMap ? 'map(dyn, dyn)' : value instanceof CelList ? 'list(dyn)' : typeNameOf(value)}.flatten()`,
    );
  }
  const items: CelValue[] = [];
  flatten(value, depth, items);
  return listOf(items);
}

function flatten(values: CelList, depth: bigint, into: CelValue[]): void {
  if (depth < 0n) throw new EvaluationError('level must be non-negative');
  for (const item of values.items()) {
    if (item instanceof CelList && depth > 0n) flatten(item, depth - 1n, into);
    else into.push(item);
  }
}

function distinct(values: CelList): CelValue[] {
  const result: CelValue[] = [];
  for (const item of values.items()) {
    if (!result.some((known) => attempt(() => equal(item, known)) === true)) result.push(item);
  }
  return result;
}

/** The items in the order of their keys. @throws EvaluationError for keys without an order */
function sortedBy(values: CelList, keys: CelList): CelList {
  if (values.size !== keys.size) {
    throw new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${values.size} and ${keys.size} elements respectively`,
    );
  }
  if (values.size === 0) return values;
  spend(values.size);
  const byIndex = [...keys.items()];
  const [first] = byIndex as [CelValue];
  if (!isOrdered(first)) throw new EvaluationError('list elements must be comparable');
  const type = typeNameOf(first);
  const order = byIndex.map((_, index) => index);
  order.sort((left, right) => {
    const [one, other] = [byIndex[left] as CelValue, byIndex[right] as CelValue];
    if (typeNameOf(one) !== type || typeNameOf(other) !== type) {
      throw new EvaluationError('list elements must have the same type');
    }
    const result = attempt(() => compare(one, other));
    return typeof result === 'number' ? result : 0;
  });
  return listOf(order.map((index) => values.at(index)));
}

function isList(value: CelValue): boolean {
  return value instanceof CelList;
}

function contains(values: CelList, wanted: CelList): boolean {
  for (const item of wanted.items()) if (!values.includes(item)) return false;
  return true;
}

const extremes = (name: string, sign: number): ReturnType<typeof sharing> =>
  sharing(
    comparable.map((type) => `list_${type}_${name}_${type} list(${type}):${name}() ${type}`),
    (values: CelList) => extreme(values, sign, name),
  );

export const kubernetesLists: readonly CelFunction[] = declare({
  ...sharing(
    comparable.map((type) => `list_${type}_is_sorted_bool list(${type}):isSorted() bool`),
    (values: CelList): boolean => {
      let before: CelValue | undefined;
      for (const item of values.items()) {
        const previous = before;
        before = mustBeOrdered(item);
        if (previous !== undefined && attempt(() => compare(previous, item) > 0) === true)
          return false;
      }
      return true;
    },
  ),
  ...sums,
  ...extremes('max', 1),
  ...extremes('min', -1),
  'list_a_index_of_int list(A):indexOf(A) int': (values: CelList, item: CelValue) =>
    indexWhere(values, item),
  'list_a_last_index_of_int list(A):lastIndexOf(A) int': (values: CelList, item: CelValue) =>
    indexWhere(values, item, true),
});

/** Whether a list has the item, or a value that is no list is equal to it. */
export const inclusion: readonly CelFunction[] = declare({
  'list_includes_dyn_dyn dyn:includes(dyn) bool': (target: CelValue, wanted: CelValue) =>
    target instanceof CelList
      ? indexWhere(target, wanted) >= 0n
      : attempt(() => equal(target, wanted)) === true,
});

export const sets: readonly CelFunction[] = declare({
  'list_sets_contains_list sets.contains(list(T), list(T)) bool': contains,
  'list_sets_equivalent_list sets.equivalent(list(T), list(T)) bool': (
    one: CelList,
    other: CelList,
  ) => contains(one, other) && contains(other, one),
  'list_sets_intersects_list sets.intersects(list(T), list(T)) bool': (
    one: CelList,
    other: CelList,
  ): boolean => {
    for (const item of one.items()) {
      if (attempt(() => other.includes(item)) === true) return true;
    }
    return false;
  },
});

/** The functions with which transformMap and transformMapEntry build their results. */
export const mapInsertion: readonly CelFunction[] = declare({
  '@mapInsert_map_key_value cel.@mapInsert(map(K, V), K, V) map(K, V)': withEntry,
  '@mapInsert_map_map cel.@mapInsert(map(K, V), map(K, V)) map(K, V)': (
    map: CelMap,
    added: CelMap,
  ) => {
    let result = map;
    for (const key of added.keys()) result = withEntry(result, key, added.find(key) ?? null);
    return result;
  },
});

export const listFunctions: readonly CelFunction[] = [
  ...declare({ 'list_slice list(T):slice(int, int) list(T)': slice }),
  ...declare(
    {
      'list_flatten list(list(T)):flatten() list(T)': flattened,
      'list_flatten_int list(dyn):flatten(int) list(dyn)': flattened,
    },
    ['flatten'],
  ),
  declareWhole(
    comparable.map((type) => `list_${runtimeName(type)}_sort list(${type}):sort() list(${type})`),
    (values: CelList) => sortedBy(values, values),
    isList,
  ),
  declareWhole(
    comparable.map(
      (type) =>
        `list_${runtimeName(type)}_sortByAssociatedKeys list(T):@sortByAssociatedKeys(list(${type})) list(T)`,
    ),
    sortedBy,
    isList,
  ),
  ...declare({
    'lists_range lists.range(int) list(int)': (count: bigint) => {
      const size = Math.max(Number(count), 0);
      spend(size);
      return listOf(Array.from({ length: size }, (_, index) => BigInt(index)));
    },
    'list_reverse list(T):reverse() list(T)': (values: CelList) =>
      listOf([...values.items()].reverse()),
    'list_distinct list(T):distinct() list(T)': (values: CelList) => listOf(distinct(values)),
  }),
];
