/**
 * The satisfiability solver: conflict-driven clause learning whose decisions follow OLM's preferences,
 * with a proof from which the constraints of a contradiction are read.
 *
 * Rule: `solver/{solve,search}.go` of OLM classic. OLM keeps a queue of choices: first the mandatory
 * variables, then, for each variable it picks, that variable's dependencies. Of every choice it picks
 * the first candidate that leaves a solution, unless an earlier pick already meets the choice. The
 * outcome is unique, so learned clauses and backjumps do not change it. The picks alone are a solution,
 * because every other constraint only forbids: OLM's last step, removing extras, never has work to do.
 */
import { Clauses, NumberLists, Watches } from './clauses.js';
import { analyseConflict, constraintsBehind, type Proof, type Trail } from './conflict-analysis.js';
import {
  type Choice,
  type Constraint,
  firstChoices,
  type Level,
  type Pick,
  type Problem,
  type Solution,
} from './satisfiability.js';

/** Conflicts after which the solver gives up; real namespaces need none or a handful. */
export const conflictBudget = 20_000;

export function solve(problem: Problem, budget: number = conflictBudget): Solution {
  const picks = firstChoices(problem);
  if (picks !== undefined) return { kind: 'solution', picks, conflicts: 0 };
  return new Solver(problem).run(budget);
}

const unassigned = 0;
const noReason = -1;

class Solver implements Proof, Trail {
  private readonly clauses: Clauses;
  /** The origin of each clause: `constraint` of the problem, or the antecedents of a learned one. */
  readonly origins: (number | readonly number[])[] = [];
  private readonly watches: Watches;
  readonly groups: { members: readonly number[]; constraint: number }[] = [];
  private readonly groupsOf: NumberLists;
  private readonly dependenciesOf: NumberLists;
  /** 1 true, -1 false. */
  private readonly values: Int8Array;
  readonly levelOf: Int32Array;
  /** Even: 2 × clause; odd: 2 × group + 1, forced by `forcedBy`. */
  private readonly reasons: Int32Array;
  private readonly forcedBy: Int32Array;
  readonly seen: Uint8Array;
  private readonly picked: Uint8Array;
  readonly trail: number[] = [];
  private propagated = 0;
  private readonly levels: Level[] = [];
  private readonly picks: Pick[] = [];
  private readonly choices: Choice[] = [];
  private nextChoice = 0;
  private conflicts = 0;
  /** Antecedents of a contradiction at level 0. */
  private refutation: readonly number[] | undefined;

  constructor(private readonly problem: Problem) {
    const count = problem.variables;
    const expected = problem.constraints.length;
    this.clauses = new Clauses(expected);
    this.watches = new Watches(2 * count, expected);
    this.groupsOf = new NumberLists(count, count);
    this.dependenciesOf = new NumberLists(count, expected);
    this.values = new Int8Array(count);
    this.levelOf = new Int32Array(count);
    this.reasons = new Int32Array(count).fill(noReason);
    this.forcedBy = new Int32Array(count);
    this.seen = new Uint8Array(count);
    this.picked = new Uint8Array(count);
    for (const anchor of problem.anchors) {
      this.choices.push({ candidates: [anchor], constraint: -1 });
    }
    for (let index = 0; index < expected; index++) {
      this.add(problem.constraints.at(index) as Constraint, index);
    }
  }

  run(budget: number): Solution {
    for (;;) {
      const conflict = this.refutation === undefined ? this.propagate() : undefined;
      if (this.refutation !== undefined || (conflict !== undefined && this.levels.length === 0)) {
        this.refutation ??= this.antecedentsOfLevelZero(conflict ?? []);
        const core = constraintsBehind(this.refutation, this);
        return { kind: 'contradiction', core, conflicts: this.conflicts };
      }
      if (conflict !== undefined) {
        this.conflicts++;
        if (this.conflicts > budget) return { kind: 'gave-up', conflicts: budget };
        this.learnFrom(conflict);
        continue;
      }
      if (this.nextChoice === this.choices.length) {
        return { kind: 'solution', picks: this.picks, conflicts: this.conflicts };
      }
      this.choose();
    }
  }

  private add(constraint: Constraint, index: number): void {
    switch (constraint.kind) {
      case 'mandatory':
        this.addClause(2 * constraint.subject, [], 0, index);
        return;
      case 'prohibited':
        this.addClause(2 * constraint.subject + 1, [], 0, index);
        return;
      case 'conflict':
        this.addClause(2 * constraint.subject + 1, [2 * constraint.other + 1], 0, index);
        return;
      case 'dependency':
        this.addClause(2 * constraint.subject + 1, constraint.candidates, 1, index);
        if (constraint.candidates.length > 0) {
          this.dependenciesOf.add(constraint.subject, index);
        }
        return;
      case 'at-most-one': {
        const group = this.groups.push({ members: constraint.members, constraint: index }) - 1;
        for (const member of constraint.members) this.groupsOf.add(member, group);
      }
    }
  }

  /** Called only at level 0, or with a learned clause, whose head is assigned at once. */
  private addClause(
    head: number,
    tail: readonly number[],
    positive: 0 | 1,
    origin: number | readonly number[],
  ): number {
    const index = this.clauses.add(head, tail, positive);
    this.origins.push(origin);
    if (tail.length === 0) {
      const value = this.value(head);
      if (value < 0) this.refutation ??= [3 * index, 3 * (head >> 1) + 2];
      else if (value === unassigned) this.assign(head, 2 * index);
      return index;
    }
    this.watches.add(2 * index, head, 0);
    this.watches.add(2 * index + 1, this.clauses.literal(index, 1), 1);
    return index;
  }

  private value(literal: number): number {
    const value = this.values[literal >> 1] ?? 0;
    return literal & 1 ? -value : value;
  }

  private assign(literal: number, reason: number): void {
    const variable = literal >> 1;
    this.values[variable] = literal & 1 ? -1 : 1;
    this.levelOf[variable] = this.levels.length;
    this.reasons[variable] = reason;
    this.trail.push(literal);
  }

  /** The literals of a violated clause, all false, led by a reference to it; or undefined. */
  private propagate(): readonly number[] | undefined {
    while (this.propagated < this.trail.length) {
      const literal = this.trail[this.propagated++] ?? 0;
      const conflict =
        (literal & 1 ? undefined : this.propagateGroups(literal >> 1)) ??
        this.propagateClauses(literal ^ 1);
      if (conflict !== undefined) return conflict;
    }
    return undefined;
  }

  private propagateGroups(variable: number): readonly number[] | undefined {
    const { groupsOf } = this;
    for (let cell = groupsOf.first(variable); cell >= 0; cell = groupsOf.next(cell)) {
      const group = groupsOf.at(cell);
      for (const member of this.groups[group]?.members ?? []) {
        if (member === variable) continue;
        const value = this.values[member] ?? 0;
        if (value > 0) return [3 * group + 1, 2 * variable + 1, 2 * member + 1];
        if (value === unassigned) {
          this.forcedBy[member] = variable;
          this.assign(2 * member + 1, 2 * group + 1);
        }
      }
    }
    return undefined;
  }

  private propagateClauses(falsified: number): readonly number[] | undefined {
    const { clauses, watches } = this;
    let kept = -1;
    for (let watch = watches.first(falsified), next: number; watch >= 0; watch = next) {
      next = watches.next(watch);
      const clause = watch >> 1;
      const other = clauses.literal(clause, watches.position(watch ^ 1));
      const value = this.value(other);
      if (value <= 0 && this.moveWatch(watch, kept, falsified)) continue;
      kept = watch;
      if (value > 0) continue;
      if (value < 0) return [3 * clause, ...clauses.literals(clause)];
      this.assign(other, 2 * clause);
    }
    return undefined;
  }

  /** Goes round from the literal that just became false. @param before the watch before this one there */
  private moveWatch(watch: number, before: number, falsified: number): boolean {
    const { clauses, watches } = this;
    const clause = watch >> 1;
    const size = clauses.size(clause);
    const from = watches.position(watch);
    const taken = watches.position(watch ^ 1);
    for (let step = 1; step < size; step++) {
      const position = (from + step) % size;
      if (position === taken) continue;
      const literal = clauses.literal(clause, position);
      if (this.value(literal) < 0) continue;
      watches.removeAfter(before, falsified);
      watches.add(watch, literal, position);
      return true;
    }
    return false;
  }

  /** Makes the next choice of the queue: skips it if a pick meets it, else picks its best candidate. */
  private choose(): void {
    const choice = this.choices[this.nextChoice];
    if (choice === undefined) return;
    if (choice.candidates.some((candidate) => this.picked[candidate] === 1)) {
      this.nextChoice++;
      return;
    }
    const variable = choice.candidates.find((candidate) => (this.values[candidate] ?? 0) >= 0);
    // Propagation has already refuted a picked variable whose candidates are all out.
    if (variable === undefined) throw new Error('a choice without candidates survived propagation');
    this.levels.push({
      trail: this.trail.length,
      head: this.nextChoice,
      choices: this.choices.length,
    });
    this.nextChoice++;
    this.picked[variable] = 1;
    this.picks.push(
      choice.constraint < 0 ? { variable } : { variable, constraint: choice.constraint },
    );
    const { dependenciesOf } = this;
    for (let cell = dependenciesOf.first(variable); cell >= 0; cell = dependenciesOf.next(cell)) {
      const index = dependenciesOf.at(cell);
      const constraint = this.problem.constraints.at(index);
      if (constraint?.kind !== 'dependency') continue;
      this.choices.push({ candidates: constraint.candidates, constraint: index });
    }
    if (this.values[variable] === unassigned) this.assign(2 * variable, noReason);
  }

  private learnFrom(conflict: readonly number[]): void {
    const { head, tail, antecedents } = analyseConflict(conflict, this);
    this.assertLearned(head, tail, antecedents);
  }

  private assertLearned(head: number, tail: number[], antecedents: readonly number[]): void {
    let level = 0;
    for (const [position, literal] of tail.entries()) {
      const other = this.levelOf[literal >> 1] ?? 0;
      if (other <= level) continue;
      level = other;
      // The second watch must be the last literal to become false.
      tail[position] = tail[0] ?? literal;
      tail[0] = literal;
    }
    this.jumpBack(level);
    const index = this.addClause(head, tail, 0, antecedents);
    if (tail.length > 0) this.assign(head, 2 * index);
  }

  private jumpBack(level: number): void {
    const state = this.levels[level];
    if (state === undefined) return;
    for (let index = state.trail; index < this.trail.length; index++) {
      this.values[(this.trail[index] ?? 0) >> 1] = unassigned;
    }
    this.trail.length = state.trail;
    this.propagated = state.trail;
    for (const pick of this.picks.slice(level)) this.picked[pick.variable] = 0;
    this.picks.length = level;
    this.nextChoice = state.head;
    this.choices.length = state.choices;
    this.levels.length = level;
  }

  referenceOf(variable: number): number {
    const reason = this.reasons[variable] ?? noReason;
    return reason & 1 ? 3 * (reason >> 1) + 1 : 3 * (reason >> 1);
  }

  reasonLiterals(variable: number): readonly number[] {
    const reason = this.reasons[variable] ?? noReason;
    if (reason < 0) return [];
    if (reason & 1) return [2 * (this.forcedBy[variable] ?? 0) + 1];
    return this.clauses.literals(reason >> 1).filter((it) => it >> 1 !== variable);
  }

  private antecedentsOfLevelZero(conflict: readonly number[]): readonly number[] {
    const [reference = 0, ...literals] = conflict;
    return [reference, ...literals.map((literal) => 3 * (literal >> 1) + 2)];
  }
}

/** Conflicts that one trial may take; a trial that takes more keeps its constraint. */
const trialBudget = 2_000;

/** Constraints that come later in the problem go first, so the outcome depends on the problem alone. */
export function minimiseCore(problem: Problem, core: readonly number[]): readonly number[] {
  let kept = core;
  for (const candidate of core.toReversed()) {
    if (!kept.includes(candidate)) continue;
    const without = kept.filter((index) => index !== candidate);
    const solution = solve(restrict(problem, without), trialBudget);
    if (solution.kind !== 'contradiction') continue;
    // Whatever the shorter proof does not use goes at once.
    kept = solution.core.flatMap((position) => without[position] ?? []);
  }
  return kept;
}

/** The problem with some of its constraints only, on the variables they name. */
export function restrict(problem: Problem, indexes: readonly number[]): Problem {
  const numbers = new Map<number, number>();
  const renumber = (variable: number): number => {
    let number = numbers.get(variable);
    if (number === undefined) numbers.set(variable, (number = numbers.size));
    return number;
  };
  const constraints = indexes.flatMap((index) => {
    const constraint = problem.constraints.at(index);
    return constraint === undefined ? [] : [rename(constraint, renumber)];
  });
  const anchors = problem.anchors.flatMap((anchor) => numbers.get(anchor) ?? []);
  const mandatory = new Set(
    constraints.flatMap((it) => (it.kind === 'mandatory' ? [it.subject] : [])),
  );
  return {
    variables: numbers.size,
    constraints,
    anchors: anchors.filter((anchor) => mandatory.has(anchor)),
  };
}

function rename(constraint: Constraint, renumber: (variable: number) => number): Constraint {
  switch (constraint.kind) {
    case 'mandatory':
    case 'prohibited':
      return { kind: constraint.kind, subject: renumber(constraint.subject) };
    case 'dependency': {
      const subject = renumber(constraint.subject);
      return { kind: 'dependency', subject, candidates: constraint.candidates.map(renumber) };
    }
    case 'conflict': {
      const subject = renumber(constraint.subject);
      return { kind: 'conflict', subject, other: renumber(constraint.other) };
    }
    case 'at-most-one':
      return { kind: 'at-most-one', members: constraint.members.map(renumber) };
  }
}
