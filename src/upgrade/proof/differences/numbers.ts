/** Bounds of numbers, with Kubernetes' truncation of bounds for integers. */
import type { JsonValue } from '../../../text/documents/index.js';
import { numberRange, readSchema, type SchemaNode } from '../../../kubernetes/index.js';
import { isSafeByRules } from './cel-rules.js';
import { keywords } from './change.js';
import { type Pin, pinValue, pinWithin } from '../pin.js';
import { isNumber } from '../../../text/go/index.js';
import { conjuncts, typesOf } from '../shape.js';
import { addSafe, type Pair, type Walk } from './pair.js';

type Side = 'minimum' | 'maximum';

export function compareNumbers(walk: Walk, pair: Pair): void {
  if (!typesOf(pair.before).has('integer')) return;
  compareBound(walk, pair, 'minimum');
  compareBound(walk, pair, 'maximum');
  compareFactor(walk, pair);
}

function compareBound(walk: Walk, pair: Pair, side: Side): void {
  const { before, after, place } = pair;
  const old = bound(before, side);
  const now = bound(after, side);
  if (old.value === now.value && old.exclusive === now.exclusive) return;
  if (
    now.value === undefined ||
    boundsOf(walk, before).some((each) => implies(each, after, side))
  ) {
    addSafe(walk, pair, `the ${side} is relaxed`);
    return;
  }
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const sign = `${side === 'minimum' ? '>' : '<'}${now.exclusive ? '' : '='}`;
  const rule = Number.isSafeInteger(now.value)
    ? (value: string) => `${value} ${sign} ${now.value}`
    : undefined;
  if (isSafeByRules(walk, pair, `the ${side}`, rule)) return;
  const change = { at: place, exchange: keywords(side, exclusive) };
  if (isNext(before, after, side)) {
    walk.add({
      place,
      proof: 'open',
      reason: `the ${side} is written another way, which refuses integers with a fraction`,
      change,
      harmOf: () => 'AbsurdValue',
      candidates: () => [pinValue(Math.min(now.value ?? 0, old.value ?? 0) * (1 + 1e-9))],
    });
    return;
  }
  walk.add({
    place,
    proof: 'open',
    reason: `the ${side} is ${old.value === undefined ? 'new' : 'tightened'}: ${now.value}`,
    change,
    candidates: () => [
      ...around([now.value, old.value], side),
      pinWithin(
        before,
        side === 'minimum'
          ? { maximum: now.value, exclusiveMaximum: !now.exclusive }
          : { minimum: now.value, exclusiveMinimum: !now.exclusive },
      ),
    ],
  });
}

/** The schemas that bound the numbers which the old schema accepts. */
function boundsOf({ release }: Walk, before: SchemaNode): SchemaNode[] {
  const range = release === '1.36' ? ranges.get(rangeName(before)) : undefined;
  return range === undefined ? conjuncts(before) : [...conjuncts(before), range];
}

const rangeName = ({ type, format }: SchemaNode): string => `${type} ${format}`;

const largestFloat = Math.fround(3.4028234663852886e38);
/** Formats that narrow their types since Kubernetes 1.36: see keyword-rules.ts in src/kubernetes/apiserver. */
const ranges = new Map(
  (
    [
      ['integer', 'int32', -(2 ** 31), 2 ** 31 - 1],
      ['number', 'float', -largestFloat, largestFloat],
    ] as const
  ).map(([type, format, minimum, maximum]) => {
    const node = readSchema({ type, format, minimum, maximum }, '$');
    return [rangeName(node), node] as const;
  }),
);

/** Whether the format is one that limits numbers of its type since 1.36. */
export function limitsNumbers(node: SchemaNode): boolean {
  return ranges.has(rangeName(node));
}

/** Compares a number's new format, which limits numbers, with what the old schema accepts. */
export function compareRange(walk: Walk, pair: Pair): void {
  const { before, after, place, mode } = pair;
  const range = ranges.get(rangeName(after));
  const [low, high] = [range?.minimum ?? -Infinity, range?.maximum ?? Infinity];
  const held = numberRange(after.type, after.format);
  const bounds = boundsOf(walk, before);
  const isWithin =
    bounds.some(({ minimum = -Infinity }) => minimum >= low) &&
    bounds.some(({ maximum = Infinity }) => maximum <= high);
  const isListed = bounds.some(
    ({ enum: listed }) =>
      listed?.every((each) => !isNumber(each) || held?.holds(each) === true) === true,
  );
  // Every integer of 64 bits fits a float.
  const isInteger = before.type === 'integer' && after.type === 'number';
  if (isWithin || isListed || isInteger) {
    addSafe(walk, pair, 'the format holds every number that was allowed');
    return;
  }
  const reason = `the format ${after.format} is new, and Kubernetes holds numbers to it from 1.36 on`;
  if (walk.release !== '1.36') {
    if (mode === 'structure') walk.add({ place, proof: 'behavior', reason });
    return;
  }
  const factor = before.multipleOf ?? 1;
  walk.add({
    place,
    proof: 'open',
    reason,
    change: { at: place, exchange: keywords('format') },
    candidates: () => [
      ...[high, low, before.maximum ?? 0, before.minimum ?? 0]
        .flatMap((value) => [
          value,
          value + 1,
          value - 1,
          Math.ceil(value / factor) * factor + factor,
        ])
        .concat(1e300, -1e300, 2 ** 40, -(2 ** 40))
        .filter((value) => Number.isFinite(value) && held?.holds(value) === false)
        .map(pinValue),
      pinWithin(before, { minimum: high, exclusiveMinimum: true }),
      pinWithin(before, { maximum: low, exclusiveMaximum: true }),
    ],
  });
}

function bound(node: SchemaNode, side: Side): { value: number | undefined; exclusive: boolean } {
  const value = node[side];
  const exclusive = side === 'minimum' ? node.exclusiveMinimum : node.exclusiveMaximum;
  return { value, exclusive: value !== undefined && exclusive };
}

/** Whether every number within the old bound is within the new one, integers and floats alike. */
function implies(before: SchemaNode, after: SchemaNode, side: Side): boolean {
  const old = bound(before, side);
  const now = bound(after, side);
  if (now.value === undefined) return true;
  if (old.value === undefined) return false;
  if (Math.abs(old.value) >= 2 ** 53 || Math.abs(now.value) >= 2 ** 53) return false;
  const covers = (left: number, right: number): boolean =>
    (side === 'minimum' ? left > right : left < right) ||
    (left === right && (old.exclusive || !now.exclusive));
  if (before.type === 'integer' && Number.isInteger(old.value) && Number.isInteger(now.value)) {
    const isPositive = Math.min(old.value, now.value) > 0;
    return covers(old.value, now.value) || (isNext(before, after, side) && !isPositive);
  }
  // An integer is compared with the bound cut to an integer.
  return covers(Math.trunc(old.value), Math.trunc(now.value)) && covers(old.value, now.value);
}

/** Whether the new bound is the first integer past the old one: 1.000000001 lies between them, and is accepted. */
function isNext(before: SchemaNode, after: SchemaNode, side: Side): boolean {
  const [old, now] = [bound(before, side), bound(after, side)];
  const next = (old.value ?? NaN) + (side === 'minimum' ? 1 : -1);
  const isExact = Number.isSafeInteger(old.value) && next === now.value;
  return before.type === 'integer' && isExact && old.exclusive && !now.exclusive;
}

function around(bounds: readonly (number | undefined)[], side: Side): Pin[] {
  const direction = side === 'minimum' ? -1 : 1;
  const values: JsonValue[] = [];
  for (const bound of bounds) {
    if (bound === undefined) continue;
    const whole = direction < 0 ? Math.ceil(bound) : Math.floor(bound);
    values.push(whole + direction, whole, bound + direction / 2, bound);
    if (Math.abs(bound) > 2 ** 40) values.push(Math.trunc(bound / 2), Math.trunc(bound * 2));
  }
  values.push(0, direction, direction * 1_000_000, direction * 2 ** 40);
  return values.filter(Number.isFinite).map(pinValue);
}

function compareFactor(walk: Walk, pair: Pair): void {
  const { before, after, place } = pair;
  const now = after.multipleOf;
  if (before.multipleOf === now) return;
  const isMultiple = (factor: number | undefined): boolean =>
    factor !== undefined &&
    now !== undefined &&
    Number.isInteger(now) &&
    Number.isInteger(factor) &&
    factor % now === 0;
  if (now === undefined || conjuncts(before).some((each) => isMultiple(each.multipleOf))) {
    addSafe(walk, pair, 'multipleOf is relaxed');
    return;
  }
  const old = before.multipleOf ?? 1;
  walk.add({
    place,
    proof: 'open',
    reason: `numbers must be multiples of ${now} from now on`,
    change: { at: place, exchange: keywords('multipleOf') },
    candidates: () =>
      [1, 2, 3, 5, 7, 11, 13, 0.1, 1000].flatMap((count) => [
        pinValue(count * old),
        pinValue((before.minimum ?? 0) + count * old),
      ]),
  });
}
