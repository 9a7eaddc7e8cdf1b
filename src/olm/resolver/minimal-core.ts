import type { Constraint, Problem } from './satisfiability.js';
import { solve } from './solver.js';

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
