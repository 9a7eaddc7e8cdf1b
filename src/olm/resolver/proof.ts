/**
 * From a contradiction back to the constraints it rests on. Antecedents are numbers: 3 × clause,
 * 3 × group + 1, or 3 × variable + 2 for what holds without any decision.
 */

export interface Proof {
  /** The origin of each clause: a constraint of the problem, or the antecedents of a learned clause. */
  readonly origins: readonly (number | readonly number[])[];
  readonly groups: readonly { readonly constraint: number }[];
  /** The antecedent that forced a variable. */
  referenceOf(variable: number): number;
  /** The false literals with which it was forced. */
  reasonLiterals(variable: number): readonly number[];
}

/** Indexes of constraints, ascending. */
export function constraintsBehind(antecedents: readonly number[], proof: Proof): number[] {
  const found = new Set<number>();
  const visited = new Set<number>();
  const pending = [...antecedents];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const subject = Math.floor(next / 3);
    if (next % 3 === 1) {
      const group = proof.groups[subject];
      if (group !== undefined) found.add(group.constraint);
    } else if (next % 3 === 2) {
      pending.push(proof.referenceOf(subject));
      for (const literal of proof.reasonLiterals(subject)) pending.push(3 * (literal >> 1) + 2);
    } else {
      const origin = proof.origins[subject];
      if (typeof origin === 'number') found.add(origin);
      else for (const antecedent of origin ?? []) pending.push(antecedent);
    }
  }
  return [...found].sort((a, b) => a - b);
}
