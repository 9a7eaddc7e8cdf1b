/** Patterns as automata: which strings contain a match, followed one code point at a time. */
import { smallest } from '../long-lists.js';
import type { CharacterSet, Pattern } from './syntax.js';

type Edge =
  | { readonly on: CharacterSet; readonly to: number }
  | { readonly when: 'always' | 'start' | 'end'; readonly to: number };

/** More states than this are not built: counted repetitions inside each other multiply. */
const maxStates = 20_000;
/** Work for each state that is sorted and written into the name of its set. */
const stepsToSort = 3;

/** Where an automaton is after some characters. There is one for each set of states. */
export interface Standing {
  readonly key: number;
  /** A match has been found already: every longer string has it too. */
  readonly settled: boolean;
  readonly states: readonly number[];
  /** Where single characters lead from here, as far as it was asked. */
  readonly next: Map<number, Standing>;
  /** Whether the string matches if it ends here and is not empty; computed when it is first needed. */
  isMatch?: boolean;
  /** At least so many characters are missing to a match; infinite where none can follow. */
  readonly missing: number;
}

/** A nondeterministic automaton that searches, as RE2's MatchString does. */
export class Automaton {
  private readonly edges: Edge[][] = [];
  private readonly first: number;
  private readonly final: number;
  private readonly standings = new Map<string, Standing>();
  /** By state, characters to a match at least, beyond the start of the text. */
  private readonly distances: readonly number[];
  /** States and edges that were visited since {@link start}: what following a string costs. */
  work = 0;

  /** @throws RangeError past {@link maxStates}. */
  constructor(pattern: Pattern) {
    this.final = this.state();
    this.first = this.build(pattern, this.final);
    this.distances = this.distancesToFinal();
  }

  get size(): number {
    return this.edges.length;
  }

  /** Begins a search. Nothing of an earlier one is kept: the same search always does the same work. */
  start(): Standing {
    this.standings.clear();
    this.work = 0;
    return this.standing(this.closure([this.first], true, false));
  }

  /** After one more character; a match may begin at each. */
  step(from: Standing, codePoint: number): Standing {
    if (from.settled) return from;
    const known = from.next.get(codePoint);
    if (known !== undefined) return known;
    const reached: number[] = [this.first];
    for (const state of from.states) {
      for (const edge of this.edges[state] ?? []) {
        if (!('on' in edge)) continue;
        this.work += edge.on.length;
        if (edge.on.some(([from, to]) => from <= codePoint && codePoint <= to))
          reached.push(edge.to);
      }
    }
    const standing = this.standing(this.closure(reached, false, false));
    from.next.set(codePoint, standing);
    return standing;
  }

  /** Whether the string matches if it ends here. `isEmpty` tells whether nothing was read. */
  accepts(standing: Standing, isEmpty: boolean): boolean {
    if (standing.settled) return true;
    if (isEmpty) return this.closure(standing.states, true, true).has(this.final);
    return (standing.isMatch ??= this.closure(standing.states, false, true).has(this.final));
  }

  /** Every set of characters that an edge asks for. */
  *sets(): Generator<CharacterSet> {
    for (const edges of this.edges) for (const edge of edges) if ('on' in edge) yield edge.on;
  }

  private standing(states: ReadonlySet<number>): Standing {
    const settled = states.has(this.final);
    const sorted = settled ? [] : [...states].sort((left, right) => left - right);
    this.work += sorted.length * stepsToSort;
    const name = settled ? 'settled' : sorted.join(',');
    let standing = this.standings.get(name);
    if (standing === undefined) {
      const missing = settled ? 0 : smallest(sorted.map((state) => this.distances[state] ?? 0));
      standing = { key: this.standings.size, settled, states: sorted, next: new Map(), missing };
      this.standings.set(name, standing);
    }
    return standing;
  }

  private distancesToFinal(): number[] {
    const before: (readonly [from: number, characters: number])[][] = this.edges.map(() => []);
    for (const [from, edges] of this.edges.entries()) {
      for (const edge of edges) {
        if ('on' in edge) {
          if (edge.on.length > 0) before[edge.to]?.push([from, 1]);
        } else if (edge.when !== 'start') before[edge.to]?.push([from, 0]);
      }
    }
    const distances = this.edges.map(() => Infinity);
    let [near, far]: [number[], number[]] = [[this.final], []];
    for (let distance = 0; near.length > 0; distance++) {
      for (let state = near.pop(); state !== undefined; state = near.pop()) {
        if ((distances[state] as number) <= distance) continue;
        distances[state] = distance;
        for (const [from, characters] of before[state] ?? [])
          (characters === 0 ? near : far).push(from);
      }
      [near, far] = [far, near];
    }
    return distances;
  }

  private closure(from: Iterable<number>, atStart: boolean, atEnd: boolean): Set<number> {
    const reached = new Set<number>();
    const open = [...from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (reached.has(state)) continue;
      reached.add(state);
      const edges = this.edges[state] ?? [];
      this.work += 1 + edges.length;
      for (const edge of edges) {
        if ('on' in edge) continue;
        if (edge.when === 'always' || (edge.when === 'start' ? atStart : atEnd)) open.push(edge.to);
      }
    }
    return reached;
  }

  private state(...edges: Edge[]): number {
    if (this.edges.length >= maxStates) throw new RangeError('the pattern needs too many states');
    this.edges.push(edges);
    return this.edges.length - 1;
  }

  /** Builds backwards: the state from which the pattern leads to `next`. */
  private build(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case 'empty':
        return next;
      case 'start':
      case 'end':
        return this.state({ when: pattern.kind, to: next });
      case 'set':
        return this.state({ on: pattern.set, to: next });
      case 'sequence':
        return pattern.parts.reduceRight((after, part) => this.build(part, after), next);
      case 'choice': {
        const ways = pattern.parts.map((part): Edge => ({
          when: 'always',
          to: this.build(part, next),
        }));
        return this.state(...ways);
      }
      case 'repeat':
        return this.buildRepeat(pattern, next);
    }
  }

  private buildRepeat(
    { part, min, max }: Extract<Pattern, { kind: 'repeat' }>,
    next: number,
  ): number {
    let entry = next;
    if (max === undefined) {
      const loop = this.state({ when: 'always', to: next });
      this.edges[loop]?.push({ when: 'always', to: this.build(part, loop) });
      entry = loop;
    } else {
      for (let count = min; count < max; count++) {
        entry = this.state(
          { when: 'always', to: next },
          { when: 'always', to: this.build(part, entry) },
        );
      }
    }
    for (let count = 0; count < min; count++) entry = this.build(part, entry);
    return entry;
  }
}
