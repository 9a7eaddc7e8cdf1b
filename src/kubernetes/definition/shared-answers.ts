/** Answers that minors share: most ask the same of a definition, and few answers depend on the minor. */
import { knownMinors, traitsOf, type ServerTraits } from './minors.js';

type Trait = keyof ServerTraits;

/**
 * Each trait has a bit, so that a set of them is a number; traits that differ between the same minors
 * share one.
 */
const numbers = new Map<Trait, number>();
const bits = new Map<string, number>();

/** Traits that note which of them are looked at. */
class Observed {
  asked = 0;

  constructor(readonly traits: ServerTraits) {}
}

function number(trait: Trait): number {
  const values = knownMinors.map((minor) => traitsOf(minor)[trait]);
  const pattern = values.map((value) => values.indexOf(value)).join();
  const bit = bits.get(pattern) ?? 2 ** bits.size;
  if (bit > 2 ** 30) throw new Error('more patterns of traits than a number has bits');
  bits.set(pattern, bit);
  numbers.set(trait, bit);
  Object.defineProperty(Observed.prototype, trait, {
    get(this: Observed) {
      this.asked |= bit;
      return this.traits[trait];
    },
  });
  return bit;
}

const differences = new WeakMap<ServerTraits, WeakMap<ServerTraits, number>>();

/** The traits in which two minors differ. */
function differenceOf(one: ServerTraits, other: ServerTraits): number {
  if (one === other) return 0;
  let known = differences.get(one);
  if (known === undefined) differences.set(one, (known = new WeakMap<ServerTraits, number>()));
  let difference = known.get(other);
  if (difference === undefined) {
    difference = 0;
    for (const trait of Object.keys(one) as Trait[]) {
      const bit = numbers.get(trait) ?? number(trait);
      if (one[trait] !== other[trait]) difference |= bit;
    }
    known.set(other, difference);
  }
  return difference;
}

interface Known<Answer> {
  readonly traits: ServerTraits;
  /** The traits that were looked at for it. */
  readonly asked: number;
  readonly answer: Answer;
}

/** One question: a minor has the answer of another that agrees in every trait that the answer took. */
export class SharedAnswers<Answer> {
  private readonly known: Known<Answer>[] = [];

  /** @param make must look at the traits that it is given, and at nothing else that minors differ in */
  of(traits: ServerTraits, make: (traits: ServerTraits) => Answer): Answer {
    for (const { traits: other, asked, answer } of this.known) {
      if ((asked & differenceOf(other, traits)) === 0) return answer;
    }
    if (numbers.size === 0) (Object.keys(traits) as Trait[]).forEach(number);
    const observed = new Observed(traits);
    const answer = make(observed as unknown as ServerTraits);
    this.known.push({ traits, asked: observed.asked, answer });
    return answer;
  }
}
