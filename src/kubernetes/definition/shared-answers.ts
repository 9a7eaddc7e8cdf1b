/** Answers shared by minors: few questions about a definition depend on the minor. */
import type { ServerTraits } from './minors.js';

type Trait = keyof ServerTraits;

interface Known<Answer> {
  readonly traits: ServerTraits;
  /** The traits that were looked at for it. */
  readonly asked: ReadonlySet<Trait>;
  readonly answer: Answer;
}

/** One question. Minors share an answer when they agree in every trait it was made from. */
export class SharedAnswers<Answer> {
  private readonly known: Known<Answer>[] = [];

  /** @param make must look at the traits that it is given, and at nothing else that minors differ in */
  of(traits: ServerTraits, make: (traits: ServerTraits) => Answer): Answer {
    for (const { traits: other, asked, answer } of this.known) {
      if ([...asked].every((trait) => other[trait] === traits[trait])) return answer;
    }
    const asked = new Set<Trait>();
    const observed = new Proxy(traits, {
      get: (target, trait) => {
        asked.add(trait as Trait);
        return target[trait as Trait];
      },
    });
    const answer = make(observed);
    this.known.push({ traits, asked, answer });
    return answer;
  }
}
