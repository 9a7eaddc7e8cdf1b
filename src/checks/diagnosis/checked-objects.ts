/** Stored objects, from files or a cluster, against which an upgrade is checked too. */
import { formatCount } from '../../text/plural.js';
import { type HarmedObject, type StoredTally } from '../../upgrade/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';

export interface GivenObjects {
  readonly source: string;
  /** Whether they cannot be read for a second question. */
  readonly isReadOnce: boolean;
  /** Undefined when the upgrade concerns no stored object. @throws InvalidInputError */
  readonly check: (
    old: JsonObject,
    next: JsonObject,
    onHarmed?: OnHarmed,
  ) => Promise<CheckedObjects | undefined>;
  readonly onHarmed?: ((definition: string, object: HarmedObject) => Promise<void>) | undefined;
}

export type OnHarmed = (object: HarmedObject) => Promise<void>;

export interface CheckedObjects {
  readonly findings: readonly Finding[];
  readonly tally: StoredTally & NotJudged;
  /** Each object is counted this often: once for each version that a converter makes of it. */
  readonly readsEach: number;
}

/** Objects that were given and are not judged. */
interface NotJudged {
  readonly otherDocuments: number;
  readonly unknownVersion: number;
}

/** `objects: 283; 280 fine; 2 refused; 1 not judged: of another kind`. */
export function countedObjects({ tally, readsEach }: CheckedObjects): string {
  const { checked, fine, refused, refusedBefore, pruned, undecided } = tally;
  const { otherDocuments, unknownVersion } = tally;
  const parts: readonly (readonly [number, string])[] = [
    [fine, 'fine'],
    [refused, 'refused'],
    [pruned, 'losing data'],
    [refusedBefore, 'refused by the old definition too'],
    [undecided, 'not judged: a validation rule cannot be evaluated here'],
    [unknownVersion, 'not judged: the old definition does not have their version'],
    [otherDocuments, 'not judged: of another kind'],
  ];
  const said = parts.filter(([number]) => number > 0);
  const words = said.map(([number, what]) => `${formatCount(number)} ${what}`);
  const given = `objects${readsEach > 1 ? `, each in ${readsEach} versions` : ''}: ${formatCount(checked + unknownVersion + otherDocuments)}`;
  return [given, ...words].join('; ');
}
