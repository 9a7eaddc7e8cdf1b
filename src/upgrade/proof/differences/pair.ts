/** One place in both schemas, and the walk as the comparison of each keyword sees it. */
import type { Release, SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import type { Identities } from '../identity.js';
import type { Place } from '../pin.js';
import type { Assumed } from '../values/cases/rule-cases.js';
import type { Difference } from './difference.js';

export interface Pair {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  readonly place: Place | undefined;
  /**
   * `structure`: pruned, defaulted. `validation`: under a logical operator, which only says what values must be like.
   */
  readonly mode: 'structure' | 'validation';
  /** The old schema declares no field of that name: what is there is a key of a map. */
  readonly isMapKey?: boolean;
  /** Each object that the old schema accepts gives it, so that a default says nothing. */
  readonly isGiven?: boolean;
}

/**
 * Whether what the old schema stores may look otherwise under the new one: whether the value is
 * there at all (pruned, set by default), or something inside it; or whether only rules take it, or
 * something inside it, for another type. What is said about the whole must then be looked at again.
 */
export type TypeChange = 'no' | 'retyped' | 'retypedInside' | 'inside' | 'presence';

export function isOfType(change: TypeChange): boolean {
  return change === 'retyped' || change === 'retypedInside';
}

export interface Walk {
  readonly budget: Budget;
  readonly identities: Identities;
  readonly release?: Release | undefined;
  /** Places whose values may look otherwise under the new schema, or to its rules. */
  readonly reshaped: Place[];
  /** The ones of them that are there as before, and to rules of another type. */
  readonly retyped: Set<Place>;
  /** The pairs from the root down to the one that is compared now. */
  readonly around: readonly Pair[];
  /** Rules of the old schema by their place, compiled once for all that is inside. */
  readonly compiled: Map<SchemaNode, readonly Assumed[]>;
  add(difference: Difference): void;
  compare(pair: Pair): TypeChange;
  /** The differences of a comparison that is not kept: to ask whether one schema implies another. */
  attempt(pair: Pair): readonly Difference[];
}

/** Under a logical operator what becomes safe is not noted: the operator as a whole is. */
export function addSafe(walk: Walk, { place, mode }: Pair, reason: string): void {
  if (mode === 'structure') walk.add({ place, proof: 'safe', reason });
}

/** Notes the place itself, unless places inside it say more exactly what looks otherwise. */
export function noteReshaped(walk: Walk, place: Place, change: TypeChange, before: number): void {
  const isOfInner = change === 'inside' || change === 'retypedInside';
  const isInside = isOfInner && walk.reshaped.length > before;
  if (change !== 'no' && !isInside) walk.reshaped.push(place);
  if (change === 'retyped') walk.retyped.add(place);
}
