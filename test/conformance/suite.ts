/** A public suite put to our code: each question is the same, not asked, or different. */
export type Outcome =
  | { readonly kind: 'same' }
  /** What the question needs is not in what Kubernetes or OLM read. */
  | { readonly kind: 'not asked'; readonly reason: string }
  | { readonly kind: 'different'; readonly expected: string; readonly ours: string };

export interface Question {
  /** Unique within the suite. */
  readonly name: string;
  readonly text: string;
  readonly ask: () => Outcome;
}

export interface Difference {
  readonly questions: RegExp;
  readonly because: string;
}

export interface Suite {
  readonly name: string;
  /** Where it is from, with its version. */
  readonly source: string;
  readonly questions: () => Iterable<Question>;
  /** Which questions are answered otherwise, by their names, and why that is right. */
  readonly differences: readonly Difference[];
}

export interface Tally {
  readonly asked: number;
  readonly same: number;
  /** How many there are for each reason. */
  readonly notAsked: ReadonlyMap<string, number>;
  readonly different: ReadonlyMap<string, string>;
}

export function tally({ questions }: Pick<Suite, 'questions'>): Tally {
  let [asked, same] = [0, 0];
  const notAsked = new Map<string, number>();
  const different = new Map<string, string>();
  for (const { name, text, ask } of questions()) {
    asked += 1;
    const outcome = ask();
    if (outcome.kind === 'same') same += 1;
    else if (outcome.kind === 'not asked') {
      notAsked.set(outcome.reason, (notAsked.get(outcome.reason) ?? 0) + 1);
    } else different.set(name, `${text}: expected ${outcome.expected}, ours ${outcome.ours}`);
  }
  return { asked, same, notAsked, different };
}

/** What is told of a suite: counts by reason. */
export interface Counts {
  readonly name: string;
  readonly source: string;
  readonly asked: number;
  readonly same: number;
  readonly notAsked: Readonly<Record<string, number>>;
  readonly different: Readonly<Record<string, number>>;
}

export function countsOf(suite: Suite, { asked, same, notAsked, different }: Tally): Counts {
  const reasons = suite.differences.map(({ questions, because }) => {
    return [because, [...different.keys()].filter((name) => questions.test(name)).length] as const;
  });
  return {
    name: suite.name,
    source: suite.source,
    asked,
    same,
    notAsked: Object.fromEntries(notAsked),
    different: Object.fromEntries(reasons.filter(([, count]) => count > 0)),
  };
}

/** The answers that differ without a reason. */
export function unexplained({ differences }: Suite, { different }: Tally): string[] {
  return [...different]
    .filter(([name]) => !differences.some(({ questions }) => questions.test(name)))
    .map((each) => each.join(': '));
}

export function compare(expected: string, ours: string): Outcome {
  return expected === ours ? { kind: 'same' } : { kind: 'different', expected, ours };
}
