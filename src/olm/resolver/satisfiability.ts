import { NumberLists } from './clauses.js';
import { append } from '../../text/long-lists.js';

/** Variables are numbered from 0; `candidates` come in order of preference and may be shared. */
export type Constraint =
  | { readonly kind: 'mandatory'; readonly subject: number }
  | { readonly kind: 'prohibited'; readonly subject: number }
  | {
      readonly kind: 'dependency';
      readonly subject: number;
      readonly candidates: readonly number[];
    }
  | { readonly kind: 'conflict'; readonly subject: number; readonly other: number }
  | { readonly kind: 'at-most-one'; readonly members: readonly number[] };

/** By their indexes; those of a large namespace are made as they are asked for. */
export interface Constraints extends Iterable<Constraint> {
  readonly length: number;
  at(index: number): Constraint | undefined;
  /** The subject of a dependency that would have to be made for this; negative for every other constraint. */
  dependentAt?(index: number): number;
}

export interface Problem {
  readonly variables: number;
  readonly constraints: Constraints;
  readonly anchors: readonly number[];
}

/** One pick: `constraint` is the dependency it answers, absent for an anchor. */
export interface Pick {
  readonly variable: number;
  readonly constraint?: number;
}

export type Solution =
  | { readonly kind: 'solution'; readonly picks: readonly Pick[]; readonly conflicts: number }
  /** `core`: indexes of constraints that contradict each other, not yet minimal, ascending. */
  | { readonly kind: 'contradiction'; readonly core: readonly number[]; readonly conflicts: number }
  | { readonly kind: 'gave-up'; readonly conflicts: number };

const open = 0;
const excluded = 1;
const picked = 2;

/**
 * Each choice of OLM's queue takes its first candidate that no earlier pick excludes, nor all that it needs in turn. Where every choice
 * finds one, that is the solver's answer too: what was passed over cannot stand beside earlier picks, and
 * each pick leaves a solution, namely this one. Undefined where a choice has no candidate left.
 */
export function firstChoices(problem: Problem): readonly Pick[] | undefined {
  const { variables, constraints, anchors } = problem;
  const states = new Uint8Array(variables);
  const dependenciesOf = new NumberLists(variables, constraints.length);
  const exclusionsOf = new NumberLists(variables, 2 * variables);
  const mandatory: number[] = [];
  for (let index = 0; index < constraints.length; index++) {
    const dependent = constraints.dependentAt?.(index) ?? -1;
    if (dependent >= 0) {
      dependenciesOf.add(dependent, index);
      continue;
    }
    const constraint = constraints.at(index) as Constraint;
    switch (constraint.kind) {
      case 'mandatory':
        mandatory.push(constraint.subject);
        break;
      case 'prohibited':
        states[constraint.subject] = excluded;
        break;
      case 'dependency':
        dependenciesOf.add(constraint.subject, index);
        break;
      case 'conflict':
        if (constraint.subject === constraint.other) states[constraint.subject] = excluded;
        exclusionsOf.add(constraint.subject, index);
        exclusionsOf.add(constraint.other, index);
        break;
      case 'at-most-one':
        for (const member of constraint.members) exclusionsOf.add(member, index);
    }
  }
  const needsOf = (variable: number): Choice[] => {
    const needs: Choice[] = [];
    for (let cell = dependenciesOf.first(variable); cell >= 0; cell = dependenciesOf.next(cell)) {
      const index = dependenciesOf.at(cell);
      const constraint = constraints.at(index);
      if (constraint?.kind !== 'dependency') continue;
      needs.push({ candidates: constraint.candidates, constraint: index });
    }
    return needs;
  };
  const mayBeMet = ({ candidates }: Choice): boolean =>
    candidates.some((candidate) => states[candidate] !== excluded);
  const exclude = (variable: number, by: number): void => {
    if (variable !== by) states[variable] = excluded;
  };
  const picks: Pick[] = [];
  const choices = anchors.map((anchor): Choice => ({ candidates: [anchor], constraint: -1 }));
  // Picks lengthen the queue.
  for (const { candidates, constraint: index } of choices) {
    if (candidates.some((candidate) => states[candidate] === picked)) continue;
    let needs: Choice[] = [];
    const variable = candidates.find((candidate) => {
      if (states[candidate] !== open) return false;
      needs = needsOf(candidate);
      return needs.every(mayBeMet);
    });
    if (variable === undefined) return undefined;
    states[variable] = picked;
    picks.push(index < 0 ? { variable } : { variable, constraint: index });
    for (let cell = exclusionsOf.first(variable); cell >= 0; cell = exclusionsOf.next(cell)) {
      const constraint = constraints.at(exclusionsOf.at(cell));
      if (constraint?.kind === 'conflict') {
        exclude(constraint.subject, variable);
        exclude(constraint.other, variable);
      } else if (constraint?.kind === 'at-most-one') {
        for (const member of constraint.members) exclude(member, variable);
      }
    }
    append(choices, needs);
  }
  return mandatory.every((variable) => states[variable] === picked) ? picks : undefined;
}

/** One choice of OLM's queue: the first candidate that leaves a solution is picked. */
export interface Choice {
  readonly candidates: readonly number[];
  readonly constraint: number;
}

/** How long each list was when a decision was made. */
export interface Level {
  readonly trail: number;
  /** The choice that was next. */
  readonly head: number;
  readonly choices: number;
}
