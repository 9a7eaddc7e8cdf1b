import { sameJson, type JsonValue } from '../../../text/documents/index.js';
import { type SchemaNode, truncateToInt64 } from '../../../kubernetes/index.js';
import { findString } from '../../../text/regular/find-string.js';
import type { Budget } from '../budget.js';
import { accepts, conjuncts, listedValues } from '../shape.js';
import { demandsOnText, literalOf } from './scalars.js';

export interface Spot {
  readonly key: string;
  /** Whether it is in the object as it was before an update. */
  readonly isOld: boolean;
  readonly steps: readonly string[];
  /** Undefined where only a default of the new schema stands. */
  readonly before: SchemaNode | undefined;
  readonly after: SchemaNode | undefined;
  /** A whole resource, of which some fields are there without being declared. */
  readonly isResource?: boolean;
}

export interface Whole {
  readonly spot: Spot;
  readonly isSize: boolean;
}

export type Fact =
  | { readonly kind: 'most'; readonly of: Whole; readonly most: bigint }
  | { readonly kind: 'pattern'; readonly pattern: string };

type Range = readonly [least: bigint | undefined, most: bigint | undefined];

export class FactsByPlace {
  private readonly bounds = new Map<string, { least?: bigint; most?: bigint }>();
  private readonly patterns = new Map<
    string,
    { spot: Spot; matches: string[]; misses: string[] }
  >();

  add(spot: Spot, fact: Fact, holds: boolean): void {
    if (fact.kind === 'pattern') {
      const { matches, misses } = this.patternsAt(spot);
      (holds ? matches : misses).push(fact.pattern);
      return;
    }
    const key = keyOf(fact.of);
    const bounds = this.bounds.get(key) ?? {};
    this.bounds.set(key, bounds);
    const { most } = fact;
    if (!holds) bounds.least = most >= (bounds.least ?? most) ? most + 1n : bounds.least;
    else bounds.most = most < (bounds.most ?? most) ? most : (bounds.most ?? most);
    if (fact.of.isSize && isText(spot)) this.patternsAt(spot);
  }

  private patternsAt(spot: Spot): { spot: Spot; matches: string[]; misses: string[] } {
    const found = this.patterns.get(spot.key) ?? { spot, matches: [], misses: [] };
    this.patterns.set(spot.key, found);
    return found;
  }

  rangeOf(whole: Whole): Range {
    const [least, most] = rangeBySchema(whole);
    const { least: from, most: to } = this.bounds.get(keyOf(whole)) ?? {};
    return [
      least === undefined || (from !== undefined && from > least) ? from : least,
      most === undefined || (to !== undefined && to < most) ? to : most,
    ];
  }

  isImpossible(budget: Budget): boolean {
    return [...this.patterns.values()].some(
      ({ spot }) => !hasOtherDefault(spot) && this.textAt(spot, [], budget) === null,
    );
  }

  /** Null where there is none. */
  textAt(spot: Spot, others: readonly string[], budget: Budget): string | null | undefined {
    const { before } = spot;
    if (before === undefined) return undefined;
    const { matches, misses } = this.patternsAt(spot);
    const demands = demandsOnText(conjuncts(before));
    const [least, most] = this.rangeOf({ spot, isSize: true });
    const missed = [...misses, ...others.map((text) => `^${literalOf(text)}$`)];
    const answer = findString(
      {
        matches: [...demands.matches, ...matches],
        ...(missed.length === 0 ? {} : { misses: missed.map((each) => `(?:${each})`).join('|') }),
        minLength: Math.max(demands.minLength, Number(least ?? 0n)),
        maxLength: Math.min(demands.maxLength, most === undefined ? Infinity : Number(most)),
      },
      budget,
    );
    return answer.kind === 'found' ? answer.text : answer.kind === 'none' ? null : undefined;
  }
}

function keyOf({ spot, isSize }: Whole): string {
  return isSize ? `size ${spot.key}` : spot.key;
}

/** Bounds of the old schema, cut to integers as API servers do; a default of the new one may be beyond. */
function rangeBySchema({ spot, isSize }: Whole): Range {
  const { before } = spot;
  const low = isSize ? 0n : undefined;
  if (before === undefined || hasOtherDefault(spot)) return [low, undefined];
  const { type } = before;
  const [least, most] = !isSize
    ? (listedRange(before) ?? [before.minimum, before.maximum])
    : type === 'string'
      ? [before.minLength, before.maxLength]
      : type === 'array'
        ? [before.minItems, before.maxItems]
        : [0, before.maxProperties];
  return [
    least === undefined ? low : truncateToInt64(least),
    most === undefined || most >= 2 ** 63 ? undefined : truncateToInt64(most),
  ];
}

function listedRange(node: SchemaNode): readonly [number, number] | undefined {
  const listed = [...(listedValues(node) ?? [])].sort((one, other) => Number(one) - Number(other));
  const [first, last] = [listed[0], listed.at(-1)] as (number | undefined)[];
  if (first === undefined || last === undefined) return undefined;
  return listed.every(Number.isSafeInteger) ? [first, last] : undefined;
}

/** Whether a value may be there that the old schema does not take. */
function hasOtherDefault({ before, after }: Spot): boolean {
  const given = after?.default;
  return before !== undefined && given !== undefined && !accepts(before, given);
}

/** Whether no default stands there that the old rules may not have seen. */
export function hasSameDefault({ before, after }: Pick<Spot, 'before' | 'after'>): boolean {
  const [old, now] = [before?.default, after?.default];
  return now === undefined || (old !== undefined && sameJson(old, now));
}

export function isText({ before, after }: Spot): boolean {
  return [before, after].every((node) => node?.type === 'string' && node.format === '');
}

/** A value of the place, as far as the facts decide it. */
export function sampleOf(
  spot: Spot,
  facts: FactsByPlace,
  others: readonly string[],
  budget: Budget,
): JsonValue | undefined {
  const { before } = spot;
  if (isText(spot)) return facts.textAt(spot, others, budget) ?? undefined;
  if (before?.type !== 'integer') return undefined;
  const [least, most] = facts.rangeOf({ spot, isSize: false });
  const near = [least, most].flatMap((bound) =>
    bound === undefined ? [] : [bound, bound + 1n, bound - 1n],
  );
  const fits = (value: number): boolean =>
    Number.isSafeInteger(value) &&
    !((least ?? value) > value) &&
    !((most ?? value) < value) &&
    accepts(before, value);
  return [...near.map(Number), ...(listedValues(before) ?? [])].find(
    (value): value is number => typeof value === 'number' && fits(value),
  );
}

/**
 * A value that an integer's place takes for being within a billionth of an integer. It is stored as it
 * is, and rules cannot read it; `3.0` is stored as `3`. Undefined where there is none.
 */
export function fractionOf({ before, after }: Spot): number | undefined {
  const isWhole = (node: SchemaNode | undefined): node is SchemaNode =>
    node !== undefined && (node.type === 'integer' || node.intOrString);
  if (!isWhole(before) || !isWhole(after)) return undefined;
  const { minimum = 1, multipleOf = 1 } = before;
  const wholes = [1, Math.ceil(minimum), multipleOf];
  return wholes.map((whole) => whole * (1 + 1e-9)).find((each) => accepts(before, each));
}
