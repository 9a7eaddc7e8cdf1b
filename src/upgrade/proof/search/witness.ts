/** From an object that comes to harm to the witness that is shown: the smallest, checked once more. */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  parseJson,
  stringifyJson,
} from '../../../text/documents/index.js';
import type { Effect, StoredWrites } from '../../../rule/index.js';
import type { Budget } from '../budget.js';
import { countBeside, describeHarm, isOfStatus } from './attribution.js';
import { minimise, type Need } from './minimise.js';
import { type Accepted, type Harm, harmless, kindOf, type Trial } from './trial.js';

export interface Outcome {
  readonly effect: Effect;
  readonly reason: string;
  readonly witness?: JsonValue;
  /** How the witness can still be written, if it breaks. */
  readonly writes?: StoredWrites;
  /** Nothing but status is refused or lost. */
  readonly isOfStatus?: boolean;
  /** An object that comes to harm, but as far as can be told by what other differences do. */
  readonly unattributed?: JsonObject;
  /** The operator or keyword in the way of a decision. */
  readonly obstacle?: string;
  /** Nothing, or not all that might have been, was put to the schemas: their writer may have seen to that. */
  readonly isUntried?: true;
  /** Its part of the budget was used up. */
  readonly isCutShort?: true;
  /** A witness was found, but what is shown of it did not hold: a fault of ours, and counted. */
  readonly isWitnessFailed?: boolean;
}

/** Which part of the harm that an object comes to is to be shown. */
export type Judge = (object: Accepted, all: Harm) => Harm;

/** Harm that is to be shown of an object. */
export interface Shown {
  readonly harm: Harm;
  /** How much else happens to the object. */
  readonly others: number;
}

/** Part of the budget left: differences that come later are worth more than a shorter witness. */
const partForMinimising = 6;

export function smallestWitness(
  trial: Trial,
  budget: Budget,
  object: JsonObject,
  judge: Judge,
  { need, first: known }: { readonly need?: Need; readonly first?: Shown | undefined } = {},
): Outcome {
  const shownBy = (each: JsonObject): Shown => {
    const accepted = trial.accept(each);
    const all = accepted === undefined ? harmless : trial.harm(accepted);
    if (accepted === undefined || kindOf(all) === undefined) return { harm: harmless, others: 0 };
    const harm = judge(accepted, all);
    return { harm, others: countBeside(harm, all) };
  };
  const first = known ?? shownBy(object);
  const kind = kindOf(first.harm);
  const isAsGood = ({ harm, others }: Shown): boolean =>
    kindOf(harm) === kind && others <= first.others;
  const end = budget.spent + budget.left / partForMinimising;
  const holds = (smaller: JsonObject): boolean => budget.spent < end && isAsGood(shownBy(smaller));
  const witness = asShown(withWords(minimise(object, holds, need), holds));
  // The budget may be used up by now; the check before it is shown is not left out for that.
  const final = shownBy(witness);
  if (kind === undefined || !isAsGood(final)) return failedWitness;
  const { harm } = final;
  return { effect: kind, reason: describeHarm(harm), witness, isOfStatus: isOfStatus(harm) };
}

export const failedWitness: Outcome = {
  effect: 'undecided',
  reason: 'a witness was found that did not hold when it was checked again',
  isUntried: true,
  isWitnessFailed: true,
};

export function asShown(object: JsonObject): JsonObject {
  return parseJson(stringifyJson(object)) as JsonObject;
}

/** One for each letter that occurs, in their order. */
const words = ['example', 'another', 'third'];
const madeUp = /^[a-z]$/;
const identityFields = new Set(['apiVersion', 'kind', 'metadata']);

/** Words where the search made up single letters. Equal letters become equal words, since lists may have to repeat them. */
export function withWords(object: JsonObject, holds: (other: JsonObject) => boolean): JsonObject {
  let best = object;
  const letters = [...lettersIn(object)].slice(0, words.length);
  for (const [index, letter] of letters.entries()) {
    const worded = replaced(best, letter, words[index] as string, true) as JsonObject;
    if (holds(worded)) best = worded;
  }
  return best;
}

function lettersIn(object: JsonObject): Set<string> {
  const letters = new Set<string>();
  const open: JsonValue[] = Object.entries(object).flatMap(([name, value]) =>
    identityFields.has(name) || value === undefined ? [] : [value],
  );
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && madeUp.test(value)) letters.add(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isObject(value)) {
      for (const item of Object.values(value)) if (item !== undefined) open.push(item);
    }
  }
  return letters;
}

function replaced(value: JsonValue, letter: string, word: string, isRoot = false): JsonValue {
  if (value === letter) return word;
  if (Array.isArray(value)) return value.map((item) => replaced(item, letter, word));
  if (!isObject(value)) return value;
  return mapMembers(value, (item, name) =>
    isRoot && identityFields.has(name) ? item : replaced(item, letter, word),
  );
}
