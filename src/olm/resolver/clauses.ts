/** Clauses of the solver, in arrays of numbers: a large namespace has a hundred thousand of them. */

import { grown } from './number-lists.js';

/**
 * A clause is its head or one of its tail; a literal is twice its variable, plus one when it is negative.
 * Tails are shared between clauses, so literals are named by their positions; the head's is 0.
 */
export class Clauses {
  private heads: Int32Array;
  /** 0 when the tail holds literals, 1 when it holds variables that stand for their positive literal. */
  private positives: Int32Array;
  private readonly tails: (readonly number[])[] = [];

  /** `expected`: how many there will be at least. */
  constructor(expected: number) {
    this.heads = new Int32Array(expected);
    this.positives = new Int32Array(expected);
  }

  /** The next number, from 0. */
  add(head: number, tail: readonly number[], positive: 0 | 1): number {
    const clause = this.tails.push(tail) - 1;
    this.heads = grown(this.heads, clause);
    this.positives = grown(this.positives, clause);
    this.heads[clause] = head;
    this.positives[clause] = positive;
    return clause;
  }

  /** How many literals it has. */
  size(clause: number): number {
    return (this.tails[clause]?.length ?? 0) + 1;
  }

  literal(clause: number, position: number): number {
    if (position === 0) return this.heads[clause] ?? 0;
    const literal = this.tails[clause]?.[position - 1] ?? 0;
    return this.positives[clause] === 1 ? 2 * literal : literal;
  }

  literals(clause: number): number[] {
    return Array.from({ length: this.size(clause) }, (_, at) => this.literal(clause, at));
  }
}
