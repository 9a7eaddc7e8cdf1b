/** Answers that minors share: most ask the same of a definition, and few answers depend on the minor. */
import type { ServerTraits } from './minors.js';

type Trait = keyof ServerTraits;

interface Known<Answer> {
  readonly traits: ServerTraits;
  /** The traits that were looked at for it. */
  readonly asked: ReadonlySet<Trait>;
  readonly answer: Answer;
}

/** One question: a minor has the answer of another that agrees in every trait that the answer took. */
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
