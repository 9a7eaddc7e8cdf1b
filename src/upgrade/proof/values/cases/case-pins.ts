/** A case as what an object must have. */
import { valuesOf } from '../directed.js';
import type { Budget } from '../../budget.js';
import { absent, mergePins, ordinary, pinFields, pinValue, type Pin } from '../../pin.js';
import { type Spot, anyKey, fractionOf } from './spots.js';
import type { FactsByPlace } from './facts.js';
import { type Whole, type Sum, sampleOf } from './facts.js';
import type { Answered, Case } from './case.js';
import { equalityKey } from './trees.js';
import type { Questions } from './questions.js';

/** Larger lists and maps are not made. */
const largestMade = 1_000n;

/** A list or map of as many entries as the facts ask for. */
function sizedPin(sum: Sum, facts: FactsByPlace): Pin | undefined {
  const [{ of } = {}, ...others] = [...sum.parts.values()] as { of?: Whole }[];
  const [least] = facts.rangeOf(sum);
  if (of?.isSize !== true || others.length > 0 || least > largestMade) return undefined;
  const { type } = of.spot.before ?? {};
  const numbers = Array.from({ length: Number(least) }, (_, index) => index);
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

function pinAtSteps(steps: readonly string[], pin: Pin, at?: ItemIndex): Pin {
  return steps.reduceRight<Pin>((inner, step, depth) => {
    if (step !== '[]') return pinFields([step === anyKey ? 'key0' : step, inner]);
    if (at?.depth !== depth) return { kind: 'list', items: [inner], every: inner };
    const before = Array.from({ length: at.index }, () => ordinary);
    return { kind: 'list', items: [...before, inner] };
  }, pin);
}

/** The text that a pin has at a place without lists on the way. */
function textIn(pin: Pin | undefined, steps: readonly string[]): string | undefined {
  let at = pin;
  for (const step of steps) at = at?.kind === 'object' ? at.fields.get(step) : undefined;
  return at?.kind === 'value' && typeof at.value === 'string' ? at.value : undefined;
}

/** A case as what an object must have; for the one before an update beside what it has after it. */
export function pinOf(cases: Questions, known: Case, updated: Pin | undefined): Pin {
  let whole: Pin = ordinary;
  const examples = new Map<string, number>();
  for (const { atom, answer } of known.values()) {
    const { example } = atom;
    if (example?.answer !== answer) continue;
    const { item } = example;
    const index = examples.get(item.key) ?? 0;
    examples.set(item.key, index + 1);
    const own = [...example.known.values()].filter(
      ({ atom: { spot } }) => spot?.key.startsWith(item.key) === true,
    );
    const at = { depth: item.steps.length - 1, index };
    whole = mergePins(pinOfAnswers(cases, own, example.known, updated, at), whole);
  }
  return mergePins(whole, pinOfAnswers(cases, [...known.values()], known, updated));
}

function pinOfAnswers(
  cases: Questions,
  answers: readonly Answered[],
  known: Case,
  updated: Pin | undefined,
  at?: ItemIndex,
): Pin {
  const isOld = updated !== undefined;
  const facts = cases.factsOf(known);
  let whole: Pin = ordinary;
  for (const { atom, answer } of answers) {
    const { spot, about, fact, compared = [] } = atom;
    if (spot?.term !== undefined) continue;
    for (const [index, each] of compared.entries()) {
      if (answer !== false || each?.before === undefined || each.isOld !== isOld) continue;
      if (each.term !== undefined) continue;
      const value = valuesOf(each.before, cases.budget, 2).at(index);
      if (value !== undefined)
        whole = mergePins(whole, pinAtSteps(each.steps, pinValue(value), at));
    }
    if (spot === undefined || spot.isOld !== isOld) continue;
    let pin: Pin | undefined;
    if (about === 'presence') pin = presentOrNot(answer === true, spot, cases.budget);
    else if (about === 'fraction') {
      const fraction = answer === true ? fractionOf(spot) : undefined;
      if (fraction !== undefined) pin = pinValue(fraction);
    } else if (typeof answer === 'string') pin = pinValue(answer);
    else if (about === 'value' && typeof answer === 'boolean') pin = pinValue(answer);
    else if (typeof answer === 'bigint') pin = pinValue(Number(answer));
    else {
      const there = isOld ? textIn(updated, spot.steps) : undefined;
      const now = [spot.key, spot.key.replace(/^oldSelf/, 'self')] as const;
      const isSame = known.get(`? ${equalityKey(now)}`)?.answer === true;
      const sample =
        there !== undefined && isSame
          ? there
          : sampleOf(spot, facts, there === undefined ? [] : [there], cases.budget);
      if (sample !== undefined) pin = pinValue(sample);
      else if (fact?.kind === 'most') pin = sizedPin(fact.of, facts);
    }
    if (pin !== undefined) whole = mergePins(pinAtSteps(spot.steps, pin, at), whole);
  }
  return whole;
}
