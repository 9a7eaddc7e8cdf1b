/** Optional values: cel-go/cel/library.go. */
import { EvaluationError } from '../errors.js';
import { listOf } from '../lists.js';
import { declare, declareWhole, type CelFunction } from '../overloads.js';
import { printed } from '../printed.js';
import {
  CelList,
  CelMap,
  Duration,
  noValue,
  Optional,
  Timestamp,
  Uint,
  type CelValue,
} from '../values.js';

/** 0001-01-01, which is Go's zero time. */
const firstMoment = -62135596800_000_000_000n;

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof CelList || value instanceof CelMap) {
    // Lists and objects of a resource do not say that they are empty.
    return !value.isOfResource && value.size === 0;
  }
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Timestamp) return value.nanoseconds === firstMoment;
  return value instanceof Duration && value.nanoseconds === 0n;
}

function dereference({ value: content }: Optional): CelValue {
  if (content === undefined) throw new EvaluationError('optional.none() dereference');
  return content;
}

function unwrapped(list: CelList): CelList {
  const values: CelValue[] = [];
  for (const item of list.items()) {
    if (!(item instanceof Optional)) {
      throw new EvaluationError(`value ${printed(item)} is not optional`);
    }
    if (item.value !== undefined) values.push(item.value);
  }
  return listOf(values);
}

function itemAt(list: CelList, index: number): Optional {
  return list.size === 0 ? noValue : new Optional(list.at(index));
}

/** Functions that the planner implements itself. */
const planned = [
  ['optional_or_optional optional_type(V):or(optional_type(V)) optional_type(V)'],
  ['optional_orValue_value optional_type(V):orValue(V) V'],
  ['select_optional_field _?._(dyn, string) optional_type(V)'],
  [
    'list_optindex_optional_int _[?_](list(V), int) optional_type(V)',
    'optional_list_optindex_optional_int _[?_](optional_type(list(V)), int) optional_type(V)',
    'map_optindex_optional_value _[?_](map(K, V), K) optional_type(V)',
    'optional_map_optindex_optional_value _[?_](optional_type(map(K, V)), K) optional_type(V)',
  ],
  [
    'optional_list_index_int _[_](optional_type(list(V)), int) optional_type(V)',
    'optional_map_index_value _[_](optional_type(map(K, V)), K) optional_type(V)',
  ],
].map((overloads) => declareWhole(overloads, () => noValue));

export const optionalFunctions: readonly CelFunction[] = [
  ...declare({
    'optional_of optional.of(V) optional_type(V)': (value: CelValue) => new Optional(value),
    'optional_ofNonZeroValue optional.ofNonZeroValue(V) optional_type(V)': (value: CelValue) =>
      isZero(value) ? noValue : new Optional(value),
    'optional_none optional.none() optional_type(V)': () => noValue,
    'optional_value optional_type(V):value() V': dereference,
    'optional_hasValue optional_type(V):hasValue() bool': (value: Optional) => value.isPresent,
    'list_last list(V):last() optional_type(V)': (list: CelList) => itemAt(list, list.size - 1),
    'list_first list(V):first() optional_type(V)': (list: CelList) => itemAt(list, 0),
    'optional_unwrap optional.unwrap(list(optional_type(V))) list(V)': unwrapped,
    'optional_unwrapOpt list(optional_type(V)):unwrapOpt() list(V)': unwrapped,
  }),
  ...planned,
];
