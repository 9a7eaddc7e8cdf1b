/** Why a constraint is in the problem. Rule and texts: `variable_types.go` of OLM classic. */
import { type Entry, entryId } from './entry.js';
import type { SubscriptionState } from './namespace.js';
import { describePredicate } from './predicate.js';
import type { Requirement } from './requirement.js';
import type { Problem } from './satisfiability.js';
import type { SubscriptionCandidates } from './subscription.js';

export type Cause =
  | { readonly kind: 'subscription-exists'; readonly subscription: SubscriptionState }
  | {
      readonly kind: 'subscription-invalid';
      readonly subscription: SubscriptionState;
      readonly reason: string;
    }
  | {
      readonly kind: 'subscription-requires';
      readonly subscription: SubscriptionState;
      /** With repetitions, as OLM prints them. */
      readonly candidates: readonly Entry[];
    }
  | { readonly kind: 'unsubscribed-csv'; readonly entry: Entry }
  | { readonly kind: 'deprecated'; readonly entry: Entry }
  | {
      readonly kind: 'requires';
      readonly entry: Entry;
      readonly requirement: Requirement;
      readonly candidates: readonly Entry[];
    }
  | { readonly kind: 'replaces'; readonly entry: Entry; readonly current: Entry }
  | { readonly kind: 'one-provider'; readonly api: string; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'one-per-package';
      readonly package: string;
      readonly entries: readonly Entry[];
    }
  /** Only under the documented semantics of `not`. */
  | {
      readonly kind: 'forbids';
      readonly entry: Entry;
      readonly requirement: Requirement;
      readonly other: Entry;
    };

export function reasonText(cause: Cause): string {
  switch (cause.kind) {
    case 'subscription-exists':
      return `subscription ${cause.subscription.name} exists`;
    case 'subscription-invalid':
      return cause.reason;
    case 'subscription-requires': {
      const { name } = cause.subscription;
      const ids = cause.candidates.map(({ id }) => id);
      if (ids.length === 0) {
        return `no operators found matching the criteria of subscription ${name}`;
      }
      const listed = `at least one of ${ids.slice(0, -1).join(', ')} or ${ids.at(-1) ?? ''}`;
      return `subscription ${name} requires ${ids.length === 1 ? (ids[0] ?? '') : listed}`;
    }
    case 'unsubscribed-csv':
      return `clusterserviceversion ${cause.entry.name} exists and is not referenced by a subscription`;
    case 'deprecated':
      return `bundle ${cause.entry.id} is deprecated`;
    case 'requires':
      return `bundle ${cause.entry.name} requires an operator ${describePredicate(cause.requirement.read().predicate)}`;
    case 'replaces':
      return `${cause.entry.id} conflicts with ${entryId(cause.current.catalog, '', cause.current.name)}`;
    case 'one-provider':
      return `${listIds(cause.entries)} provide ${cause.api}`;
    case 'one-per-package':
      return `${listIds(cause.entries)} originate from package ${cause.package}`;
    case 'forbids':
      return `bundle ${cause.entry.name} requires that no operator is chosen ${describePredicate(cause.requirement.read().predicate)}`;
  }
}

function listIds(entries: readonly Entry[]): string {
  const ids = entries.map(({ id }) => id);
  return `${ids.slice(0, -1).join(', ')} and ${ids.at(-1) ?? ''}`;
}

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
