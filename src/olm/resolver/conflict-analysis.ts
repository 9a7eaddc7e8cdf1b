export interface Trail {
  /** Literals in the order in which they became true. */
  readonly trail: readonly number[];
  readonly levelOf: Int32Array;
  /** By variable, all zero: room for marks. */
  readonly seen: Uint8Array;
  /** The antecedent that forced a variable, as in proof.ts. */
  referenceOf(variable: number): number;
  reasonLiterals(variable: number): readonly number[];
}

export interface LearnedClause {
  /** The literal that becomes true after jumping back. */
  readonly head: number;
  /** The rest of the learned clause, false then. */
  readonly tail: number[];
  /** The clauses it was derived from, as in proof.ts. */
  readonly antecedents: readonly number[];
}

/** `conflict`: a reference to a violated clause, then its literals, all false. */
export function analyseConflict(conflict: readonly number[], given: Trail): LearnedClause {
  const { trail, levelOf, seen } = given;
  const levelAt = (index: number): number => levelOf[(trail[index] ?? 0) >> 1] ?? 0;
  const antecedents: number[] = [conflict[0] ?? 0];
  const tail: number[] = [];
  const touched: number[] = [];
  let literals: readonly number[] = conflict.slice(1);
  const current = literals.reduce((high, it) => Math.max(high, levelOf[it >> 1] ?? 0), 0);
  let open = 0;
  let index = trail.length;
  let head: number | undefined;
  while (head === undefined) {
    for (const literal of literals) {
      const variable = literal >> 1;
      if (seen[variable] === 1) continue;
      seen[variable] = 1;
      touched.push(variable);
      const level = levelOf[variable] ?? 0;
      if (level === 0) antecedents.push(3 * variable + 2);
      else if (level === current) open++;
      else tail.push(literal);
    }
    do index--;
    while (seen[(trail[index] ?? 0) >> 1] !== 1 || levelAt(index) !== current);
    const implied = trail[index] ?? 0;
    open--;
    if (open === 0) head = implied ^ 1;
    else {
      const variable = implied >> 1;
      antecedents.push(given.referenceOf(variable));
      literals = given.reasonLiterals(variable);
    }
  }
  for (const variable of touched) seen[variable] = 0;
  return { head, tail, antecedents };
}

/** Antecedents are 3 × clause, 3 × group + 1, or 3 × variable + 2 for what holds without any decision. */

export interface Proof {
  /** The origin of each clause: a constraint of the problem, or the antecedents of a learned clause. */
  readonly origins: readonly (number | readonly number[])[];
  readonly groups: readonly { readonly constraint: number }[];
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
