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
