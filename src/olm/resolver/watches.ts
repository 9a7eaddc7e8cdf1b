/**
 * Which clauses look at which literal. Each clause has two watches, at the positions of two of its
 * literals: 2 × clause and 2 × clause + 1. Those at one literal form a list, in the order in which they
 * came there.
 */

import { grown } from './number-lists.js';

export class Watches {
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private followers: Int32Array;
  private positions: Int32Array;

  /** `clauses`: how many there will be at least. */
  constructor(literals: number, clauses: number) {
    this.firsts = new Int32Array(literals).fill(-1);
    this.lasts = new Int32Array(literals).fill(-1);
    this.followers = new Int32Array(2 * clauses);
    this.positions = new Int32Array(2 * clauses);
  }

  /** The first watch at a literal; negative when there is none. */
  first(literal: number): number {
    return this.firsts[literal] ?? -1;
  }

  /** The next watch at the same literal; negative at the list's end. */
  next(watch: number): number {
    return this.followers[watch] ?? -1;
  }

  /** Which of its clause's literals it is at. */
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
