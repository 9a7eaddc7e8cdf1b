/** One case of a rule: the questions answered so far, and what an expression comes to under them. */
import type { Node } from '../../../../cel/index.js';
import { type Spot, type Sum, isOfType, isText } from './spots.js';
import { sumOf, type Fact, placeOf, nothing } from './facts.js';

export type Outcomes = number;

export const yes = 1;
export const no = 2;
export const failure = 4;

export function both(left: Outcomes, right: Outcomes): Outcomes {
  let outcomes = 0;
  if ((left & yes) !== 0 && (right & yes) !== 0) outcomes |= yes;
  if (((left | right) & no) !== 0) outcomes |= no;
  // A failure is one only where the other does not decide.
  if ((left & failure) !== 0 && (right & (yes | failure)) !== 0) outcomes |= failure;
  if ((right & failure) !== 0 && (left & (yes | failure)) !== 0) outcomes |= failure;
  return outcomes;
}

export function not(outcomes: Outcomes): Outcomes {
  return (
    ((outcomes & yes) === 0 ? 0 : no) | ((outcomes & no) === 0 ? 0 : yes) | (outcomes & failure)
  );
}

/** Stands for every text that nothing names. */
export const otherText: unique symbol = Symbol('other text');

export type Constant = string | boolean | bigint | number | typeof otherText;

export function isConstant(value: unknown): value is Constant {
  return ['string', 'boolean', 'bigint', 'number'].includes(typeof value);
}

export interface Value {
  readonly fails: 'never' | 'maybe' | 'always';
  readonly constant?: Constant;
  readonly spot?: Spot;
  readonly items?: readonly Value[];
  readonly outcomes?: Outcomes;
  /** The sum, of integers and of what is ordered as they are. */
  readonly sum?: Sum;
  /** An item for which a fold over the list comes to `answer`. */
  readonly example?: Example;
  /** An item for which it does not, looked for only where an object is made. */
  readonly usual?: () => Example | undefined;
  /** The list or map of which something is asked of some item. */
  readonly list?: Spot;
  /** Tells it from others that a variable of the same name stands for. */
  readonly label?: string;
}

/** Values of which nothing else is known. One of each: a proof asks for hundreds of thousands. */
export const sure: Value = { fails: 'never' };
export const unsure: Value = { fails: 'maybe' };
export const failed: Value = { fails: 'always' };

/** Failure of an operation that evaluates all operands and fails if any of them does. */
export function worst(values: readonly Value[]): Value['fails'] {
  if (values.some(({ fails }) => fails === 'always')) return 'always';
  return values.some(({ fails }) => fails === 'maybe') ? 'maybe' : 'never';
}

export function ofOutcomes(outcomes: Outcomes): Value {
  if (outcomes === failure) return failed;
  if (outcomes === yes) return { fails: 'never', constant: true };
  if (outcomes === no) return { fails: 'never', constant: false };
  return { fails: (outcomes & failure) === 0 ? 'never' : 'maybe', outcomes };
}

export function outcomesOf({ constant, outcomes = yes | no }: Value): Outcomes {
  return constant === undefined ? outcomes : constant === true ? yes : no;
}

export function ofAnswer(answer: boolean | undefined): Value {
  return answer === undefined
    ? { fails: 'never', outcomes: yes | no }
    : { fails: 'never', constant: answer };
}

export function ofSum(sum: Sum): Value {
  return sum.parts.size === 0 ? { fails: 'never', constant: sum.plus } : { fails: 'never', sum };
}

export function integerSum({ sum, spot, constant }: Value): Sum | undefined {
  if (sum !== undefined) return sum;
  if (typeof constant === 'bigint') return { ...nothing, plus: constant };
  return isOfType(spot, 'integer') ? sumOf({ spot, isSize: false }) : undefined;
}

/** By its place among all doubles; an integer up to 2^53 has one, too. */
function doubleSum({ spot, constant }: Value): Sum | undefined {
  const given = typeof constant === 'bigint' ? Number(constant) : constant;
  if (typeof given === 'number') {
    const isExact =
      typeof constant === 'number' ? !Number.isNaN(given) : Number.isSafeInteger(given);
    return isExact ? { ...nothing, plus: placeOf(given) } : undefined;
  }
  return isOfType(spot, 'number') ? sumOf({ spot, isSize: false }) : undefined;
}

/** Two places for doubles may both have integers, which are not compared as doubles. */
export function comparable(one: Value, two: Value): readonly (Sum | undefined)[] {
  const whole = [one, two].map(integerSum);
  if (!whole.includes(undefined)) return whole;
  const doubles = [one, two].map(doubleSum);
  return doubles.some((each) => each?.parts.size === 0) ? doubles : [];
}

export const failing: unique symbol = Symbol('failing');

/** `failing` where the rule itself fails. */
export type Answer = string | boolean | bigint | typeof otherText | typeof failing;

export const choices: readonly Answer[] = [true, false];

export function asBoolean(answer: Answer | undefined): boolean | undefined {
  return typeof answer === 'boolean' ? answer : undefined;
}

export interface Atom {
  readonly key: string;
  readonly choices: readonly Answer[];
  readonly spot?: Spot;
  readonly about: 'presence' | 'value' | 'fact' | 'fraction' | 'anything';
  /** Known of the place once it is answered; the opposite is where the answer is no. */
  readonly fact?: Fact;
  readonly example?: Example | undefined;
  readonly usual?: (() => Example | undefined) | undefined;
  /** Has an item if the answer is yes. */
  readonly list?: Spot | undefined;
  /** Places that are compared. */
  readonly compared?: readonly (Spot | undefined)[];
  /** A part of which either answer is taken, for it is not followed. */
  readonly node?: Node;
}

export function leastFirst({ about, choices: all }: Atom): readonly Answer[] {
  const isOpen = about === 'presence' || about === 'anything';
  return isOpen ? [false, ...all.filter((answer) => answer !== false)] : all;
}

export type Asked = Pick<Atom, 'example' | 'usual' | 'compared' | 'list'> & {
  readonly mayFail: boolean;
};

export interface Example {
  readonly answer: boolean;
  readonly item: Spot;
  readonly known: Case;
}

export interface Answered {
  readonly atom: Atom;
  readonly answer: Answer;
}

export type Case = ReadonlyMap<string, Answered>;

/** Whether two values are the same, or are not, by others that they are known to be the same as. */
export function sameByOthers(one: Spot, two: Spot, known: Case): boolean | undefined {
  if (!isText(one) || !isText(two)) return undefined;
  const pairs = [...known.values()].flatMap(({ atom: { compared = [] }, answer }) => {
    const [left, right] = compared;
    return left && right && isText(left) && isText(right) && typeof answer === 'boolean'
      ? [{ left, right, answer }]
      : [];
  });
  if (pairs.length === 0) return undefined;
  const [ofOne, ofTwo] = [one, two].map(({ key }) => {
    const same = new Set([key]);
    for (let size = 0; size < same.size;) {
      size = same.size;
      for (const { left, right, answer } of pairs)
        if (answer && (same.has(left.key) || same.has(right.key)))
          same.add(left.key).add(right.key);
    }
    return same;
  }) as [Set<string>, Set<string>];
  if (ofOne.has(two.key)) return true;
  const isOther = pairs.some(
    ({ left, right, answer }) =>
      !answer &&
      ((ofOne.has(left.key) && ofTwo.has(right.key)) ||
        (ofOne.has(right.key) && ofTwo.has(left.key))),
  );
  return isOther ? false : undefined;
}

export type Scope = ReadonlyMap<string, Value>;

/** The place where an expression is looked at. */
export interface Context {
  readonly scope: Scope;
  readonly assumed: readonly Goal[];
  readonly known: Case;
  readonly depth: number;
}

export interface Goal {
  readonly tree: Node;
  readonly scope: Scope;
  /** Its own questions are not asked: it counts as far as others decide it. */
  readonly isAside?: true;
  /** It is known to hold: only its consequences for items are still asked for. */
  readonly isSettled?: true;
  readonly path?: readonly string[] | undefined;
}
