/** A case as what an object must have. */
import type { JsonValue } from '../../../../text/documents/index.js';
import { accepts } from '../../shape.js';
import { valuesOf } from '../sampler.js';
import { commonStrings, literalOf } from '../scalars.js';
import type { Budget } from '../../budget.js';
import { absent, mergePins, ordinary, type Pin, pinFields, pinValue } from '../../pin.js';
import { type Spot, type Whole, anyKey, fractionOf } from './spots.js';
import { type FactsByPlace, sampleOf, sumOf } from './facts.js';
import type { Answered, Case, Example } from './case.js';
import { equalityKey } from './trees.js';
import type { Cases } from './cases.js';

/** Larger lists and maps are not made. */
const largestMade = 1_000n;

/** A list or map of as many entries as the facts ask for. */
function sizedPin(of: Whole, facts: FactsByPlace, filled = 0): Pin | undefined {
  const [least] = facts.rangeOf(sumOf(of));
  if (!of.isSize || least > largestMade || (filled > 0 && least <= filled)) return undefined;
  const { type } = of.spot.before ?? {};
  const numbers = Array.from({ length: Number(least) }, (_, index) => index);
  if (type === 'array' && least === 0n) return pinValue([]);
  if (type === 'array') return { kind: 'list', items: numbers.map(() => ordinary) };
  if (type === 'object')
    return pinFields(...numbers.map((each): [string, Pin] => [`key${each}`, ordinary]));
  return undefined;
}

function presentOrNot(isThere: boolean, { before }: Spot, budget: Budget): Pin {
  if (!isThere) return before?.nullable === true ? pinValue(null) : absent;
  const [value] = before === undefined ? [] : valuesOf(before, budget, 1);
  return value === undefined || before?.type === 'object' ? ordinary : pinValue(value);
}

/** The item on the way to a place to which it belongs; without one, it stands for all. */
interface ItemIndex {
  readonly depth: number;
  readonly index: number;
}

interface ExampleItem extends ItemIndex {
  readonly item: Spot;
}

function pinAtSteps({ steps, key }: Spot, pin: Pin, keys: Keys, at?: ItemIndex): Pin {
  return steps.reduceRight<Pin>((inner, step, depth) => {
    if (step === anyKey) {
      const maps = steps.slice(0, depth + 1).filter((each) => each === anyKey).length;
      const map = key.split(anyKey).slice(0, maps).join(anyKey);
      return pinFields([keys.get(map) ?? 'key0', inner]);
    }
    const [, position] = /^\[(\d*)\]$/.exec(step) ?? [];
    if (position === undefined) return pinFields([step, inner]);
    const isFixed = position !== '' && Number(position) <= largestMade;
    if (!isFixed && at?.depth !== depth) return { kind: 'list', items: [inner], every: inner };
    const length = isFixed ? Number(position) : (at?.index ?? 0);
    const before = Array.from({ length }, () => ordinary);
    return { kind: 'list', items: [...before, inner] };
  }, pin);
}

/** Keys of maps, by the places of the maps. */
type Keys = ReadonlyMap<string, string>;

/** The text that a pin has at a place without lists on the way. */
function textIn(pin: Pin | undefined, steps: readonly string[]): string | undefined {
  let at = pin;
  for (const step of steps) at = at?.kind === 'object' ? at.fields.get(step) : undefined;
  return at?.kind === 'value' && typeof at.value === 'string' ? at.value : undefined;
}

/** Values near to what a rule compares with, at the places that it looks at. */
export function* pinsNear(cases: Cases, numbers: readonly number[]): Generator<Pin> {
  const texts = [...cases.texts, ...cases.texts.map((text) => `${text}A`), ...commonStrings];
  for (const known of cases.refused.slice(0, maxNear)) {
    const base = pinOf(cases, known, undefined);
    const facts = cases.factsOf(known).settled();
    for (const spot of cases.read.values()) {
      if (spot.before === undefined || spot.isOld) continue;
      const { type, intOrString } = spot.before;
      const start = Number(sampleOf(spot, facts, [], cases.budget) ?? 0);
      const near = [...Array(13).keys(), 100, 1_000].map((step) => start + step);
      const all: readonly JsonValue[] = intOrString
        ? [...cases.texts, ...numbers, '50%', 0]
        : type === 'string'
          ? texts
          : type === 'integer' || type === 'number'
            ? [...near, ...numbers]
            : [];
      for (const value of all) {
        cases.budget.spend(1);
        if (accepts(spot.before, value))
          yield mergePins(pinAtSteps(spot, pinValue(value), new Map()), base);
      }
    }
  }
}

const maxNear = 3;

/** A case as what an object must have; for the one before an update beside what it has after it. */
export function pinOf(cases: Cases, known: Case, updated: Pin | undefined): Pin {
  let whole: Pin = ordinary;
  const counts = new Map<string, number>();
  const add = (example: Example, around: readonly ExampleItem[], outer: Case): void => {
    const { item, known: inner } = example;
    if (around.some((each) => each.item.key === item.key)) return;
    const list = listOf(item);
    const index = counts.get(list) ?? 0;
    counts.set(list, index + 1);
    const items = [...around, { item, index, depth: item.steps.length - 1 }];
    for (const at of items) {
      const own = [...inner.values()].filter(({ atom: { spot, compared = [] } }) =>
        [spot, ...compared].some((each) => each?.key.startsWith(at.item.key) === true),
      );
      whole = mergePins(pinOfAnswers(cases, own, inner, updated, at), whole);
    }
    for (const [key, { atom, answer }] of inner)
      if (atom.example?.answer === answer && !outer.has(key)) add(atom.example, items, inner);
  };
  for (const { atom, answer } of known.values())
    if (atom.example?.answer === answer) add(atom.example, [], known);
  const facts = cases.factsOf(known);
  const sums = [...known.values()].flatMap(({ atom: { fact } }) =>
    fact?.kind === 'most' ? [...fact.of.parts] : [],
  );
  for (const [key, { of }] of new Map(sums)) {
    const [count] = facts.settled().rangeOf(sumOf(of));
    const example = count > 0n && count <= largestMade && cases.counted.get(key)?.(known);
    for (let index = 0; example && index < count; index++) add(example, [], known);
  }
  for (const { atom, answer } of known.values()) {
    const { list, usual } = atom;
    if (list === undefined || facts.rangeOf(sumOf({ spot: list, isSize: true }))[0] <= 0n) continue;
    const example = counts.has(listOf(list)) ? undefined : usual?.();
    if (example?.answer === answer) add(example, [], known);
  }
  return mergePins(
    whole,
    pinOfAnswers(cases, [...known.values()], known, updated, undefined, counts),
  );
}

function listOf({ isOld, key }: Spot): string {
  return `${isOld} ${key.replace(/\[.?\]$|\{\}$/, '')}`;
}

function pinOfAnswers(
  cases: Cases,
  answers: readonly Answered[],
  known: Case,
  updated: Pin | undefined,
  at?: ExampleItem,
  filled: ReadonlyMap<string, number> = new Map(),
): Pin {
  const isOld = updated !== undefined;
  const facts = cases.factsOf(known).settled();
  const keys = new Map<string, string>();
  let whole: Pin = ordinary;
  const put = (spot: Spot, pin: Pin): void => {
    whole = mergePins(pinAtSteps(spot, pin, keys, at), whole);
  };
  for (const { atom, answer } of answers) {
    const { spot } = atom;
    if (spot?.term === undefined || spot.isOld !== isOld) continue;
    if (spot.found === undefined && spot.term.kind !== 'identifier') continue;
    const text = typeof answer === 'string' ? answer : sampleOf(spot, facts, [], cases.budget);
    if (spot.found !== undefined) {
      const { spot: within, pattern } = spot.found;
      const [start, end] = [pattern.startsWith('^') ? '^' : '', pattern.endsWith('$') ? '$' : ''];
      const found = `${start}${literalOf(typeof text === 'string' ? text : '')}${end}`;
      facts.add(within, { kind: 'pattern', pattern: found }, true);
      continue;
    }
    if (typeof text === 'string') keys.set(spot.key.slice(0, -`${anyKey}key`.length), text);
    put(spot, ordinary);
  }
  for (const { atom, answer } of answers) {
    const { spot, about, fact, compared = [] } = atom;
    if (spot?.term !== undefined) continue;
    for (const [index, each] of compared.entries()) {
      if (typeof answer !== 'boolean' || each?.before === undefined || each.isOld !== isOld)
        continue;
      if (each.term !== undefined || (at !== undefined && !each.key.startsWith(at.item.key)))
        continue;
      const value = valuesOf(each.before, cases.budget, 2).at(answer ? 0 : index);
      if (value !== undefined) put(each, pinValue(value));
    }
    for (const { of } of fact?.kind === 'most' ? fact.of.parts.values() : []) {
      if (of.spot.isOld !== isOld || of.spot.term !== undefined) continue;
      const sample = sampleOf(of.spot, facts, [], cases.budget);
      const items = filled.get(listOf(of.spot));
      const pin = sample === undefined ? sizedPin(of, facts, items) : pinValue(sample);
      if (pin !== undefined) put(of.spot, pin);
    }
    if (spot === undefined || spot.isOld !== isOld || fact?.kind === 'most') continue;
    let pin: Pin | undefined;
    if (about === 'presence') pin = presentOrNot(answer === true, spot, cases.budget);
    else if (about === 'fraction') {
      const fraction = answer === true ? fractionOf(spot) : undefined;
      if (fraction !== undefined) pin = pinValue(fraction);
    } else if (typeof answer === 'string') pin = pinValue(answer);
    else if (about === 'value' && typeof answer === 'boolean') pin = pinValue(answer);
    else if (typeof answer === 'bigint' && about === 'value') pin = pinValue(Number(answer));
    else {
      const there = isOld ? textIn(updated, spot.steps) : undefined;
      const now = [spot.key, spot.key.replace(/^oldSelf/, 'self')] as const;
      const isSame = known.get(`? ${equalityKey(now)}`)?.answer === true;
      const sample =
        there !== undefined && isSame
          ? there
          : sampleOf(spot, facts, there === undefined ? [] : [there], cases.budget);
      if (sample !== undefined) pin = pinValue(sample);
    }
    if (pin !== undefined) put(spot, pin);
  }
  return whole;
}
