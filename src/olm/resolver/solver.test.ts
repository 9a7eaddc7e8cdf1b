import { expect } from 'chai';
import fc from 'fast-check';
import { minimiseCore, restrict, solve } from './solver.js';
import type { Constraint, Problem as AnyProblem } from './satisfiability.js';
import { samples } from '../../rule/testing/samples.js';

interface Problem extends AnyProblem {
  readonly constraints: readonly Constraint[];
}

/** Whether a set of variables (bits) meets a constraint. */
function meets(chosen: number, constraint: Constraint): boolean {
  const has = (variable: number): boolean => (chosen & (1 << variable)) !== 0;
  switch (constraint.kind) {
    case 'mandatory':
      return has(constraint.subject);
    case 'prohibited':
      return !has(constraint.subject);
    case 'dependency':
      return !has(constraint.subject) || constraint.candidates.some(has);
    case 'conflict':
      return !has(constraint.subject) || !has(constraint.other);
    case 'at-most-one':
      return constraint.members.filter(has).length <= 1;
  }
}

function satisfiable({ variables, constraints }: Problem, fixed: readonly number[]): boolean {
  const wanted = fixed.reduce((bits, variable) => bits | (1 << variable), 0);
  for (let chosen = 0; chosen < 1 << variables; chosen++) {
    if ((chosen & wanted) !== wanted) continue;
    if (constraints.every((constraint) => meets(chosen, constraint))) return true;
  }
  return false;
}

/** OLM's preferences by brute force: of each choice the first candidate that leaves a solution. */
function prefer(problem: Problem): number[] | undefined {
  if (!satisfiable(problem, problem.anchors)) return undefined;
  const picks: number[] = [];
  const choices = problem.anchors.map((anchor): readonly number[] => [anchor]);
  for (let choice = choices.shift(); choice !== undefined; choice = choices.shift()) {
    if (choice.some((candidate) => picks.includes(candidate))) continue;
    const pick = choice.find((candidate) => satisfiable(problem, [...picks, candidate]));
    if (pick === undefined) throw new Error('a satisfiable problem has a candidate');
    picks.push(pick);
    for (const constraint of problem.constraints) {
      if (constraint.kind !== 'dependency' || constraint.subject !== pick) continue;
      if (constraint.candidates.length > 0) choices.push(constraint.candidates);
    }
  }
  return picks;
}

const size = 9;
const variable = fc.nat(size - 1);
const several = fc.uniqueArray(variable, { minLength: 0, maxLength: 4 });
const constraint: fc.Arbitrary<Constraint> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('prohibited' as const), subject: variable }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('dependency' as const),
      subject: variable,
      candidates: several,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('conflict' as const),
      subject: variable,
      other: variable,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('at-most-one' as const), members: several }),
  },
);
const problem: fc.Arbitrary<Problem> = fc
  .record({
    anchors: fc.uniqueArray(variable, { minLength: 1, maxLength: 3 }),
    others: fc.array(constraint, { maxLength: 22 }),
  })
  .map(({ anchors, others }) => ({
    variables: size,
    anchors,
    constraints: [
      ...anchors.map((subject) => ({ kind: 'mandatory' as const, subject })),
      ...others,
    ],
  }));

describe('the solver', () => {
  it('picks what OLM prefers, or proves that nothing fits', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const solution = solve(given);
        const expected = prefer(given);
        if (expected === undefined) expect(solution.kind).to.equal('contradiction');
        else {
          if (solution.kind !== 'solution') throw new Error(solution.kind);
          expect(solution.picks.map((pick) => pick.variable)).to.deep.equal(expected);
          const chosen = expected.reduce((bits, it) => bits | (1 << it), 0);
          expect(given.constraints.filter((it) => !meets(chosen, it))).to.deep.equal([]);
        }
      }),
      { numRuns: samples(50), seed: 1 },
    );
  });

  it('names constraints that contradict each other, and none of them can be left out', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const solution = solve(given);
        if (solution.kind !== 'contradiction') return;
        const subset = (indexes: readonly number[]): Problem => ({
          ...given,
          constraints: indexes.flatMap((index) => given.constraints[index] ?? []),
        });
        expect(satisfiable(subset(solution.core), [])).to.equal(false);
        const core = minimiseCore(given, solution.core);
        expect(satisfiable(subset(core), [])).to.equal(false);
        for (const index of core) {
          const rest = core.filter((it) => it !== index);
          expect(satisfiable(subset(rest), [])).to.equal(true);
        }
      }),
      { numRuns: samples(50), seed: 2 },
    );
  });

  it('keeps only the variables that the remaining constraints name', () => {
    const given: Problem = {
      variables: 50,
      anchors: [40],
      constraints: [
        { kind: 'mandatory', subject: 40 },
        { kind: 'dependency', subject: 40, candidates: [7] },
        { kind: 'prohibited', subject: 7 },
        { kind: 'prohibited', subject: 8 },
      ],
    };
    expect(restrict(given, [0, 1])).to.deep.equal({
      variables: 2,
      anchors: [0],
      constraints: [
        { kind: 'mandatory', subject: 0 },
        { kind: 'dependency', subject: 0, candidates: [1] },
      ],
    });
  });

  it('gives up after the conflicts it was allowed', () => {
    // Nine pigeons in eight holes.
    const holes = 8;
    const at = (pigeon: number, hole: number): number => holes + 1 + pigeon * holes + hole;
    const pigeons = Array.from({ length: holes + 1 }, (_, pigeon) => pigeon);
    const constraints: Constraint[] = pigeons.flatMap((subject) => [
      { kind: 'mandatory', subject },
      {
        kind: 'dependency',
        subject,
        candidates: Array.from({ length: holes }, (_, hole) => at(subject, hole)),
      },
    ]);
    for (let hole = 0; hole < holes; hole++) {
      constraints.push({ kind: 'at-most-one', members: pigeons.map((pigeon) => at(pigeon, hole)) });
    }
    const given = { variables: (holes + 1) * (holes + 1), anchors: pigeons, constraints };
    expect(solve(given, 100)).to.deep.equal({ kind: 'gave-up', conflicts: 100 });
  });
});
