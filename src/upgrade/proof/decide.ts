/** Every difference of two schemas decided, as results at their places. */
import type { Difference } from './differences/difference.js';
import { timeOver, TimeOverError } from './budget.js';
import { formatPlace } from './pin.js';
import type { ProofResult } from './result.js';
import { leastTurns, type Search } from './search/search.js';
import type { Outcome } from './search/witness.js';

/** Which version reads the objects, and which one has stored them where that is another one. */
export type VersionPath = Pick<ProofResult, 'version' | 'from'>;

export interface ComparisonResult {
  readonly results: readonly ProofResult[];
  readonly failedWitnesses: number;
}

/** Differences that share one part of the budget at first, so that many do not leave nothing for the last. */
const mostInOneTurn = 3;

/** @param isOfAll these are all differences of the pair, so that harm that none does alone is theirs */
export function decideEach(
  search: Search,
  differences: readonly Difference[],
  read: VersionPath,
  isOfAll = true,
): ComparisonResult {
  // Hundreds of differences inside one place must not use up the budget of all others.
  const inOrder = [false, true].flatMap((isNested) =>
    differences.filter((difference) => (difference.isNested === true) === isNested),
  );
  const found = new Map<Difference, Outcome>();
  const decideAll = (all: readonly Difference[], inOneTurn: number): void => {
    let left = all.filter(({ proof }) => proof === 'open').length;
    for (const difference of all) {
      const reason = `${difference.reason}; ${timeOver}`;
      const late = (): Outcome => ({ effect: 'undecided', isUntried: true, reason });
      const turns = Math.max(leastTurns, left / inOneTurn);
      if (difference.proof === 'open') left--;
      found.set(
        difference,
        inTime(() => search.decide(difference, turns), late),
      );
    }
  };
  decideAll(inOrder, mostInOneTurn);
  // Most are decided for less than their part: there is more for those that were not.
  decideAll(
    inOrder.filter((each) => found.get(each)?.isCutShort === true),
    1,
  );
  const outcomes = differences.map((difference) => ({
    difference,
    outcome: found.get(difference) as Outcome,
  }));
  for (const each of outcomes) {
    const { difference, outcome } = each;
    each.outcome = inTime(
      () => search.decideAtRandom(difference, outcome),
      () => outcome,
    );
  }
  const decided = inTime(
    () => (isOfAll ? withJointHarm(search, outcomes) : outcomes),
    () => outcomes,
  );
  return {
    results: decided.map((each) => {
      const causes = inTime(
        () => search.causesOf(each.difference, each.outcome),
        () => [],
      );
      const result = resultOf(each, read);
      const harm = search.harmOf(each.difference, each.outcome);
      return {
        ...result,
        ...(harm === undefined ? {} : { harm }),
        ...(causes.length === 0 ? {} : { causes }),
      };
    }),
    failedWitnesses: outcomes.filter(({ outcome }) => outcome.isWitnessFailed === true).length,
  };
}

export function inTime<Result>(work: () => Result, late: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TimeOverError) return late();
    throw error;
  }
}

interface Decided {
  readonly difference: Difference;
  readonly outcome: Outcome;
}

function resultOf({ difference, outcome }: Decided, { version, from }: VersionPath): ProofResult {
  const { effect, reason, witness, writes, isUntried, obstacle } = outcome;
  const said = {
    path: difference.isOfAll === true ? '' : formatPlace(difference.place),
    effect,
    audience: 'objects',
    reason,
    witness,
    ...writes,
    ...(effect !== 'undecided' || obstacle === undefined ? {} : { obstacle }),
    ...(effect === 'undecided' && (isUntried ?? difference.isLeftToRules) === true
      ? { isUntried: true as const }
      : {}),
  } as const;
  // Objects that begin as copies take three times as much room.
  return from === undefined ? { version, ...said } : { version, from, ...said };
}

/** Harm that no difference does alone is reported where it was found first. */
function withJointHarm(search: Search, decided: readonly Decided[]): readonly Decided[] {
  if (decided.some(({ outcome }) => outcome.witness !== undefined)) return decided;
  const met = decided.find(({ outcome }) => outcome.unattributed !== undefined);
  if (met?.outcome.unattributed === undefined) return decided;
  const outcome = search.decideTogether(met.difference, met.outcome.unattributed);
  return decided.map((each) => (each === met ? { ...each, outcome } : each));
}
