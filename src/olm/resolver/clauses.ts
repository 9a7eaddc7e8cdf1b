/** A literal is twice its variable, plus one when negative; tails are shared, so positions name literals. */
export class Clauses {
  private heads: Int32Array;
  private positives: Int32Array;
  private readonly tails: (readonly number[])[] = [];

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

/**
 * Which clauses look at which literal. Each clause has two watches, at the positions of two of its
 * literals: 2 × clause and 2 × clause + 1. Those at one literal form a list, in the order in which they
 * came there.
 */
export class Watches {
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private followers: Int32Array;
  private positions: Int32Array;

  constructor(literals: number, clauses: number) {
    this.firsts = new Int32Array(literals).fill(-1);
    this.lasts = new Int32Array(literals).fill(-1);
    this.followers = new Int32Array(2 * clauses);
    this.positions = new Int32Array(2 * clauses);
  }

  first(literal: number): number {
    return this.firsts[literal] ?? -1;
  }

  next(watch: number): number {
    return this.followers[watch] ?? -1;
  }

  position(watch: number): number {
    return this.positions[watch] ?? 0;
  }

  add(watch: number, literal: number, position: number): void {
    this.followers = grown(this.followers, watch);
    this.positions = grown(this.positions, watch);
    this.positions[watch] = position;
    this.followers[watch] = -1;
    const last = this.lasts[literal] ?? -1;
    if (last < 0) this.firsts[literal] = watch;
    else this.followers[last] = watch;
    this.lasts[literal] = watch;
  }

  /** Takes away the watch that comes after `before`, or the first one when that is negative. */
  removeAfter(before: number, literal: number): void {
    const watch = before < 0 ? this.first(literal) : this.next(before);
    const after = this.next(watch);
    if (before < 0) this.firsts[literal] = after;
    else this.followers[before] = after;
    if (after < 0) this.lasts[literal] = before;
  }
}

export class NumberLists {
  private readonly heads: Int32Array;
  private readonly tails: Int32Array;
  private values: Int32Array;
  private followers: Int32Array;
  private cells = 0;

  /** Keys are below `keys`; `expected`: how many numbers there will be in all lists, at least. */
  constructor(keys: number, expected: number) {
    this.heads = new Int32Array(keys).fill(-1);
    this.tails = new Int32Array(keys).fill(-1);
    this.values = new Int32Array(expected);
    this.followers = new Int32Array(expected);
  }

  add(key: number, value: number): void {
    const cell = this.cells++;
    this.values = grown(this.values, cell);
    this.followers = grown(this.followers, cell);
    this.values[cell] = value;
    this.followers[cell] = -1;
    const tail = this.tails[key] ?? -1;
    if (tail < 0) this.heads[key] = cell;
    else this.followers[tail] = cell;
    this.tails[key] = cell;
  }

  first(key: number): number {
    return this.heads[key] ?? -1;
  }

  next(cell: number): number {
    return this.followers[cell] ?? -1;
  }

  at(cell: number): number {
    return this.values[cell] ?? -1;
  }
}

export function grown(numbers: Int32Array, index: number): Int32Array {
  if (index < numbers.length) return numbers;
  const larger = new Int32Array(Math.max(2 * numbers.length, index + 1, 16));
  larger.set(numbers);
  return larger;
}
