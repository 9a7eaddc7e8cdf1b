import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import type { Requirement } from './requirement.js';
import type { Problem } from './satisfiability.js';
import type { SubscriptionCandidates } from './subscription.js';

export interface NamespaceProblem extends Problem {
  /** By variable; none for a subscription, or for one way to meet a compound constraint. */
  readonly entries: readonly (Entry | undefined)[];
  /** Why a constraint is there; undefined for an index that none has. */
  readonly causeOf: (index: number) => Cause | undefined;
  /** Name of the CSV that an entry replaces as a subscription's upgrade, by entry id. */
  readonly replaced: ReadonlyMap<string, string>;
  readonly subscriptions: readonly SubscriptionCandidates[];
}

/** Dependencies that are left out, to see whether a change would help: by owner's id and requirement. */
export type WaivedDependency = (
  entry: Entry,
  requirement: Requirement,
) => Requirement | undefined | 'keep';
