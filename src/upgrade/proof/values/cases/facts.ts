/** Facts of a case about one place, beside a single value: bounds of a number, a size or a sum, and patterns. */
import { type SchemaNode, truncateToInt64 } from '../../../../kubernetes/index.js';
import { edgeless, literalOf, demandsOnText } from '../scalars.js';
import type { Budget } from '../../budget.js';
import { accepts, conjuncts, listedValues } from '../../shape.js';
import type { JsonValue } from '../../../../text/documents/index.js';
import { append } from '../../../../text/long-lists.js';
import { findString } from '../../../../text/regular/find-string.js';
import {
  type Spot,
  type Sum,
  type Whole,
  isSized,
  isText,
  isTextOrInteger,
  hasOtherDefault,
} from './spots.js';

export function floored(value: bigint, by: bigint): bigint {
  return value / by - (value % by < 0n ? 1n : 0n);
}

/** Between zero and the divisor. */
export function modulo(value: bigint, by: bigint): bigint {
  return value - floored(value, by) * by;
}

function keyOf({ spot, isSize }: Whole): string {
  return isSize ? `size ${spot.key}` : spot.key;
}

/** The same for the same sum, without the number beside it. */
export function textOf({ parts }: Sum): string {
  const all = [...parts].map(([key, { times }]) => (times === 1n ? key : `${times} ${key}`));
  return all.sort().join(' + ');
}

export const nothing: Sum = { parts: new Map(), plus: 0n };

export function sumOf(of: Whole): Sum {
  return { parts: new Map([[keyOf(of), { of, times: 1n }]]), plus: 0n };
}

/** The first, and the other so many times. */
export function added(one: Sum, other: Sum, times: bigint): Sum {
  const parts = new Map(one.parts);
  for (const [key, { of, times: more }] of other.parts) {
    const all = (parts.get(key)?.times ?? 0n) + more * times;
    if (all === 0n) parts.delete(key);
    else parts.set(key, { of, times: all });
  }
  return { parts, plus: one.plus + other.plus * times };
}

export type Fact =
  /** `of` is a sum without a constant (`plus` is 0). */
  | { readonly kind: 'most'; readonly of: Sum; readonly most: bigint }
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** The rest of a division; the answer is that rest. */
  | { readonly kind: 'rest'; readonly by: bigint; readonly rest: bigint };

interface Patterns {
  readonly spot: Spot;
  readonly matches: string[];
  readonly misses: string[];
}

export type Range = readonly [least: bigint, most: bigint];

export class FactsByPlace {
  private readonly bounds = new Map<string, { of: Sum; least?: bigint; most?: bigint }>();
  private readonly rests = new Map<string, { of: Sum; by: bigint; rest: bigint }>();
  private readonly patterns = new Map<string, Patterns>();

  add(spot: Spot, fact: Fact, holds: boolean): void {
    if (fact.kind === 'rest') {
      const of = { spot, isSize: false };
      this.rests.set(keyOf(of), { of: sumOf(of), by: fact.by, rest: fact.rest });
      return;
    }
    if (fact.kind === 'pattern') {
      const { matches, misses } = this.patternsAt(spot);
      (holds ? matches : misses).push(fact.pattern);
      return;
    }
    const { of, most } = fact;
    const key = textOf(of);
    const bounds = this.bounds.get(key) ?? { of };
    this.bounds.set(key, bounds);
    if (!holds) bounds.least = most >= (bounds.least ?? most) ? most + 1n : bounds.least;
    else bounds.most = most < (bounds.most ?? most) ? most : (bounds.most ?? most);
    if (isText(spot) && [...of.parts.values()].every(({ of: each }) => each.isSize))
      this.patternsAt(spot);
  }

  /** They have the same value. */
  join(one: Spot, two: Spot): void {
    if ([one, two].every(isSized)) {
      const [first, second] = [one, two]
        .map((spot) => sumOf({ spot, isSize: true }))
        .sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1)) as [Sum, Sum];
      const of = added(first, second, -1n);
      this.bounds.set(textOf(of), { of, least: 0n, most: 0n });
    }
    if (![one, two].every(isText)) return;
    const [kept, other] = [one, two].map((spot) => this.patternsAt(spot)) as [Patterns, Patterns];
    if (kept.matches === other.matches) return;
    for (const spot of [one, two])
      if (spot.before !== undefined && !hasOtherDefault(spot))
        append(kept.matches, demandsOnText(conjuncts(spot.before)).matches);
    append(kept.matches, other.matches);
    append(kept.misses, other.misses);
    for (const [key, each] of this.patterns)
      if (each.matches === other.matches) this.patterns.set(key, { ...kept, spot: each.spot });
  }

  private patternsAt(spot: Spot): Patterns {
    const found = this.patterns.get(spot.key) ?? { spot, matches: [], misses: [] };
    this.patterns.set(spot.key, found);
    return found;
  }

  rangeOf(sum: Sum): Range {
    let [least, most]: [bigint, bigint] = [sum.plus, sum.plus];
    for (const { of, times } of sum.parts.values()) {
      const [low, high] = rangeBySchema(of);
      const { least: from = low, most: to = high } = this.bounds.get(keyOf(of)) ?? {};
      const ends = [from > low ? from : low, to < high ? to : high].map((end) => end * times);
      const [one, two] = (times > 0n ? ends : ends.reverse()) as [bigint, bigint];
      least += one;
      most += two;
    }
    const { least: from = least, most: to = most } = this.bounds.get(textOf(sum)) ?? {};
    return [from > least ? from : least, to < most ? to : most];
  }

  /** The same with one value for each part of a sum, near to zero. */
  settled(): FactsByPlace {
    const facts = new FactsByPlace();
    for (const [key, bounds] of this.bounds) facts.bounds.set(key, bounds);
    for (const [key, rest] of this.rests) facts.rests.set(key, rest);
    for (const [key, { spot, matches, misses }] of this.patterns)
      facts.patterns.set(key, { spot, matches: [...matches], misses: [...misses] });
    for (const { of } of this.bounds.values()) {
      if (of.parts.size === 1) continue;
      const rest = new Map(of.parts);
      let [least, most] = facts.rangeOf(of);
      for (const [key, { of: part, times }] of of.parts) {
        rest.delete(key);
        const [low, high] = facts.rangeOf({ parts: rest, plus: 0n });
        const ends = [least - high, most - low] as const;
        const [from, to] = times > 0n ? ends : [-ends[1], -ends[0]];
        const by = times > 0n ? times : -times;
        const [first, last] = facts.rangeOf(sumOf(part));
        const bounds = [-floored(-from, by), floored(to, by)] as const;
        const start = bounds[0] > first ? bounds[0] : first;
        const end = bounds[1] < last ? bounds[1] : last;
        const value = start > 0n ? start : end < 0n ? end : 0n;
        facts.bounds.set(key, { of: sumOf(part), least: value, most: value });
        [least, most] = [least - value * times, most - value * times];
      }
    }
    return facts;
  }

  /** Whether no value is as it would have to be at some place. */
  isImpossible(budget: Budget): boolean {
    const isNone = [...this.bounds.values()].some(({ of }) => {
      const [least, most] = this.rangeOf(of);
      return least > most;
    });
    const hasNoMultiple = [...this.rests.values()].some(({ of, by, rest }) => {
      const [least, most] = this.rangeOf(of);
      return least + modulo(rest - least, by) > most;
    });
    return (
      isNone ||
      hasNoMultiple ||
      [...this.patterns.values()].some(
        ({ spot }) => !hasOtherDefault(spot) && this.textAt(spot, [], budget) === null,
      )
    );
  }

  /** The numbers next to it, on both sides, that leave what is known of a division. */
  nextTo(spot: Spot, value: bigint): readonly bigint[] {
    const { by = 1n, rest = 0n } = this.rests.get(keyOf({ spot, isSize: false })) ?? {};
    const next = value + modulo(rest - value, by);
    return next === value ? [value] : [next, next - by];
  }

  /** Null where there is none. */
  textAt(
    spot: Spot,
    others: readonly string[],
    budget: Budget,
    read: (pattern: string) => string = (pattern) => pattern,
  ): string | null | undefined {
    const { before } = spot;
    if (before === undefined) return undefined;
    const { matches, misses } = this.patternsAt(spot);
    const demands = demandsOnText(conjuncts(before));
    const [least, most] = this.rangeOf(sumOf({ spot, isSize: true }));
    const missed = [...misses, ...others.map((text) => `^${literalOf(text)}$`)];
    const matched = [...demands.matches, ...matches];
    if (missed.some((each) => matched.includes(each))) return null;
    const answer = findString(
      {
        matches: matched.map(read),
        ...(missed.length === 0
          ? {}
          : { misses: missed.map((each) => `(?:${read(each)})`).join('|') }),
        minLength: Math.max(demands.minLength, Number(least)),
        maxLength: Math.min(demands.maxLength, most === largestSize ? Infinity : Number(most)),
      },
      budget,
    );
    return answer.kind === 'found' ? answer.text : answer.kind === 'none' ? null : undefined;
  }
}

const least64 = -(2n ** 63n);

const most64 = 2n ** 63n - 1n;

/** More nanoseconds than a time has, or billionths than a quantity. */
const mostWide = 2n ** 5_000n;

/** More than any object has. */
const largestSize = 2n ** 40n;

/** Counts doubles from zero on: the next greater one has the next greater place. */
export function placeOf(double: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(double));
  const place = bits.getBigInt64(0);
  return double < 0 ? -place : place;
}

/** Doubles between two places, those that are shorter to write first. */
function numbersIn(least: bigint, most: bigint): readonly number[] {
  const ends = [least, most, (least + most) / 2n].map(doubleAt);
  const whole = ends.flatMap((end) => [Math.floor(end), Math.ceil(end) + 1, Math.floor(end) - 1]);
  return [0, 1, ...whole, ...ends].filter(
    (each) => Number.isFinite(each) && placeOf(each) >= least && placeOf(each) <= most,
  );
}

export function doubleAt(place: bigint): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigInt64(0, place < 0n ? -place : place);
  return place < 0n ? -bits.getFloat64(0) : bits.getFloat64(0);
}

/** Bounds of the old schema, cut to integers as API servers do; a default of the new one may be beyond. */
function rangeBySchema({ spot, isSize }: Whole): Range {
  const { before } = spot;
  const isDouble = !isSize && before?.type === 'number';
  const { kind = 'int' } = (isSize ? undefined : spot.term?.type) ?? {};
  if (kind === 'opaque' || kind === 'timestamp') return [-mostWide, mostWide];
  const [low, high] = isDouble
    ? [placeOf(-Infinity), placeOf(Infinity)]
    : isSize
      ? [0n, largestSize]
      : [least64, most64];
  if (before === undefined || hasOtherDefault(spot)) return [low, high];
  const { type } = before;
  if (!isSize) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = before;
    const [first, last] = listedRange(before) ?? [];
    if (first !== undefined && last !== undefined) return [BigInt(first), BigInt(last)];
    return [
      minimum === undefined ? low : bound(minimum, 1n, exclusiveMinimum, isDouble),
      maximum === undefined || maximum >= 2 ** 63
        ? high
        : bound(maximum, -1n, exclusiveMaximum, isDouble),
    ];
  }
  const [least, most] =
    type === 'string' || before.intOrString
      ? [before.minLength, before.maxLength]
      : type === 'array'
        ? [before.minItems, before.maxItems]
        : // A null in a map is dropped once it is not permitted.
          [isNullKept(spot) ? before.minProperties : 0, before.maxProperties];
  return [
    least === undefined ? low : truncateToInt64(least),
    most === undefined || most >= Number(high) ? high : truncateToInt64(most),
  ];
}

/** In a place for doubles may be an integer, for which the bound is cut. */
function bound(value: number, side: 1n | -1n, isExclusive: boolean, isDouble: boolean): bigint {
  const inner = isExclusive ? side : 0n;
  const whole = truncateToInt64(value) + inner;
  if (!isDouble) return whole;
  const [one, two] = [placeOf(value) + inner, placeOf(Number(whole))];
  return one < two === (side === 1n) ? one : two;
}

function isNullKept({ before, after }: Spot): boolean {
  const [old, now] = [before, after].map((node) => node?.additionalProperties?.schema?.nullable);
  return old !== true || now === true;
}

function listedRange(node: SchemaNode): readonly [number, number] | undefined {
  const listed = [...(listedValues(node) ?? [])].sort((one, other) => Number(one) - Number(other));
  const [first, last] = [listed[0], listed.at(-1)] as (number | undefined)[];
  if (first === undefined || last === undefined) return undefined;
  return listed.every(Number.isSafeInteger) ? [first, last] : undefined;
}

/** A value of the place, as far as the facts decide it. */
export function sampleOf(
  spot: Spot,
  facts: FactsByPlace,
  others: readonly string[],
  budget: Budget,
): JsonValue | undefined {
  const { before } = spot;
  if (isText(spot) || isTextOrInteger(spot))
    return facts.textAt(spot, others, budget, edgeless) ?? undefined;
  const [least, most] = facts.rangeOf(sumOf({ spot, isSize: false }));
  if (before?.type === 'number')
    return numbersIn(least, most).find((each) => accepts(before, each));
  if (before?.type !== 'integer') return undefined;
  const near = [least, most, 0n].flatMap((bound) => [bound, bound + 1n, bound - 1n]);
  const fits = (value: number): boolean =>
    Number.isSafeInteger(value) && least <= value && most >= value && accepts(before, value);
  const all = near.flatMap((each) => facts.nextTo(spot, each)).map(Number);
  return [...all, ...(listedValues(before) ?? [])].find(
    (value): value is number => typeof value === 'number' && fits(value),
  );
}
