/** Objects that show what one definition accepts and another one refuses or cuts. */
import type { KnownSchemas } from '../../kubernetes/index.js';
import { InvalidInputError, type JsonValue } from '../../text/documents/index.js';
import { addTo } from '../../text/group.js';
import type { CustomResourceDefinition } from '../crd/custom-resource-definition.js';
import { Budget, TimeOverError } from './budget.js';
import { openComparison } from './comparison.js';
import { areEqualVersions, withVersion } from './equal-versions.js';
import type { Difference } from './differences/difference.js';
import type { ProofLimits } from './limits.js';
import { formatPlace } from './pin.js';
import type { Search } from './search/search.js';

interface WitnessOptions {
  readonly limits: ProofLimits;
  readonly isOver: () => boolean;
  readonly known: KnownSchemas;
}

/** Looks for them where it is asked: a proof would look at every difference. */
export class Witnesses {
  readonly #versions = new Map<string, VersionWitnesses>();
  readonly #budget: Budget;

  constructor(
    private readonly accepting: CustomResourceDefinition,
    private readonly refusing: CustomResourceDefinition,
    private readonly options: WitnessOptions,
  ) {
    this.#budget = new Budget(options.limits.values, options.isOver);
  }

  /** @param path of the difference; undefined where none is found within the limits */
  find(version: string, path: string): JsonValue | undefined {
    let known = this.#versions.get(version);
    if (known === undefined) {
      const equal = [...this.#versions.values()].find((each) =>
        this.#isEqual(each.version, version),
      );
      this.#versions.set(version, (known = equal ?? this.#open(version)));
    }
    const witness = known.find(path);
    return witness === undefined || known.version === version
      ? witness
      : withVersion(witness, version);
  }

  #isEqual(one: string, other: string): boolean {
    return [this.accepting, this.refusing].every((side) => areEqualVersions(side, one, other));
  }

  #open(version: string): VersionWitnesses {
    const { limits, known } = this.options;
    const budget = this.#budget;
    const how = { limits, known, budget, isTaken: false };
    const pair = { from: version, to: version };
    try {
      const { search, differences } = openComparison(this.accepting, this.refusing, pair, how);
      return new VersionWitnesses(version, differences, search);
    } catch (error) {
      if (isUnfinished(error)) return new VersionWitnesses(version, []);
      throw error;
    }
  }
}

class VersionWitnesses {
  readonly #byPath = new Map<string, Difference[]>();
  readonly #found = new Map<string, JsonValue | undefined>();

  constructor(
    readonly version: string,
    differences: readonly Difference[],
    private readonly search?: Search,
  ) {
    for (const difference of differences) {
      if (difference.isOfAll === true) continue;
      addTo(this.#byPath, formatPlace(difference.place), difference);
    }
  }

  find(path: string): JsonValue | undefined {
    if (!this.#found.has(path)) this.#found.set(path, this.#look(path));
    return this.#found.get(path);
  }

  #look(path: string): JsonValue | undefined {
    try {
      for (const difference of this.#byPath.get(path) ?? []) {
        const witness = this.search?.decide(difference).witness;
        if (witness !== undefined) return witness;
      }
    } catch (error) {
      if (!isUnfinished(error)) throw error;
    }
    return undefined;
  }
}

/** Time is over, or a schema cannot be read or followed; the profile says so. */
function isUnfinished(error: unknown): boolean {
  return (
    error instanceof TimeOverError ||
    error instanceof InvalidInputError ||
    error instanceof RangeError
  );
}
