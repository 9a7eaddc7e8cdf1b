/** Clauses of the solver. A literal is twice its variable, plus one when it is negative. */

/** A clause is `head` or one of `tail`; tails are shared between clauses, so watches are positions. */
export interface Clause {
  readonly head: number;
  readonly tail: readonly number[] | Int32Array;
  /** 0 when the tail holds literals, 1 when it holds variables that stand for their positive literal. */
  readonly positive: 0 | 1;
  first: number;
  second: number;
}

export function literalAt(clause: Clause, position: number): number {
  if (position === 0) return clause.head;
  const literal = clause.tail[position - 1] ?? 0;
  return clause.positive === 1 ? 2 * literal : literal;
}

export function literalsOf(clause: Clause): number[] {
  return Array.from({ length: clause.tail.length + 1 }, (_, index) => literalAt(clause, index));
}
