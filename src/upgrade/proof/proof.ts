/**
 * Profile `proof`: does every object that the old definition accepts pass the new one, with its
 * data? Each difference is proven safe, shown to break by a witness, or left undecided by name.
 */
import { InvalidInputError, sameJson, type JsonValue } from '../../text/documents/index.js';
import { effects } from '../../rule/index.js';
import type { ProofJudgement, ProofResult } from './result.js';
import {
  requireSameName,
  type CustomResourceDefinition,
} from '../crd/custom-resource-definition.js';
import { KnownSchemas } from '../../kubernetes/index.js';
import { annotationReason, compareAnnotations } from './differences/annotations.js';
import {
  openComparison,
  schemaOf,
  withIdentityOf,
  type Comparing,
  type VersionPair,
} from './comparison.js';
import { compareRoute, maxRoutes, routesOf, Side, storedIn } from './cross-version.js';
import { decideEach, inTime, type ComparisonResult, type VersionPath } from './decide.js';
import { areEqualVersions, ofVersion } from './equal-versions.js';
import { Identities } from './identity.js';
import { Budget, timeOver, TimeOverError } from './budget.js';
import { defaultLimits, type ProofLimits } from './limits.js';
import { sizeOfBoth } from './size.js';
import { valueAt } from '../../text/documents/fields.js';
import { append } from '../../text/long-lists.js';

export interface ProofOptions {
  readonly limits?: ProofLimits;
  readonly values?: number | undefined;
  readonly isOver?: (() => boolean) | undefined;
  /** An API server has compiled the new definition's rules: one which does not compile here breaks nothing. */
  readonly isTaken?: boolean | undefined;
  /** Schemas of these definitions that were read already. */
  readonly known?: KnownSchemas;
}

/** In values: each of the two documents is read, compared by the rules and put to every object that is tried. */
const costOfReading = 5;
const mostOfReading = 7 / 8;

/** @throws InvalidInputError `E_INPUT` when the names differ */
export function proveUpgrade(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  {
    limits: { values: most, ...others } = defaultLimits,
    values = most,
    isOver,
    isTaken = false,
    known = new KnownSchemas(),
  }: ProofOptions = {},
): ProofJudgement {
  requireSameName(old, next);
  const limits = { ...others, values };
  const results: ProofResult[] = [];
  const toRead = costOfReading * sizeOfBoth(old.document, next.document);
  const budget = new Budget(values - Math.min(toRead, values * mostOfReading), isOver);
  let failedWitnesses = 0;
  const pairs = versionPairs(old, next).filter(
    ({ from, to }) => from !== to || !isSameVersion(old, next, to),
  );
  const own = ownPairs(old, next, pairs);
  let ownLeft = own.size;
  let last: ComparisonResult = { results: [], failedWitnesses: 0 };
  for (const pair of pairs) {
    const { from, to, isNewlyServed } = pair;
    let compared: ComparisonResult;
    if (own.has(pair)) {
      const share = budget.share(ownLeft--);
      compared = compareVersions(old, next, from, to, { limits, budget: share, isTaken, known });
      budget.take(share);
      if (from === to) last = compared;
    } else compared = ofVersion(last, to);
    append(results, isNewlyServed ? ofWritesThrough(to, compared.results) : compared.results);
    failedWitnesses += compared.failedWitnesses;
  }
  const crossed = compareRoutes(old, next, results, { limits, isTaken, known, isOver });
  append(results, crossed.results);
  failedWitnesses += crossed.failedWitnesses;
  const effect = effects.find((each) => results.some((result) => result.effect === each)) ?? 'safe';
  return {
    allowed: effect !== 'breaking' && effect !== 'data-loss',
    effect,
    results,
    cost: budget.spent + crossed.cost,
    failedWitnesses,
  };
}

/** Pairs that have to be compared: those that do not repeat the version before them. */
function ownPairs(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  pairs: readonly VersionPair[],
): ReadonlySet<VersionPair> {
  let last: string | undefined;
  const isRepeated = (to: string): boolean => {
    const before = last;
    return before !== undefined && [old, next].every((side) => areEqualVersions(side, before, to));
  };
  const own = pairs.filter(({ from, to }) => {
    if (from !== to) return true;
    if (isRepeated(to)) return false;
    last = to;
    return true;
  });
  return new Set(own);
}

/** Versions of both sides, and stored ones that are read as another storage version from now on. */
function versionPairs(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): VersionPair[] {
  const shared = old.versions
    .filter(({ name }) => next.version(name) !== undefined)
    .map(({ name }) => ({ from: name, to: name }));
  const storage = next.storage?.name;
  const stored =
    old.storedVersions.length > 0
      ? old.storedVersions
      : old.versions.filter((version) => version.storage).map(({ name }) => name);
  const carried = stored
    .filter((name) => storage !== undefined && name !== storage && old.version(name) !== undefined)
    .map((name) => ({ from: name, to: storage ?? '' }));
  return [...shared, ...carried, ...newlyServed(old, next, stored)];
}

/** Versions through which objects can be read and written from now on, without a converter. */
function newlyServed(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  stored: readonly string[],
): VersionPair[] {
  if (next.convertsByWebhook) return [];
  // Without a converter an object is stored as it was written, in any version that was served.
  const written = new Set([
    ...stored,
    ...old.versions.filter(({ served }) => served).map(({ name }) => name),
  ]);
  return next.versions
    .filter(({ name, served }) => served && old.version(name)?.served !== true)
    .flatMap(({ name: to, storage }) =>
      [...written]
        .filter((from) => from !== to && old.version(from) !== undefined)
        .filter((from) => !storage || !stored.includes(from))
        .map((from) => ({ from, to, isNewlyServed: true as const })),
    );
}

/** Nothing was written through the version before, so that only harm to what is stored is reported. */
function ofWritesThrough(version: string, results: readonly ProofResult[]): ProofResult[] {
  return results
    .filter(({ effect }) => effect !== 'safe' && effect !== 'behavior')
    .map((result) => ({
      ...result,
      reason: `a write through ${version}, which is served from now on; ${result.reason}`,
    }));
}

function compareVersions(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  from: string,
  to: string,
  how: Comparing,
): ComparisonResult {
  const read: VersionPath = { version: to, ...(from === to ? {} : { from }) };
  const undecided = (
    reason: string,
    why: Pick<ProofResult, 'isUntried' | 'unprovable'>,
  ): ComparisonResult => ({
    results: [{ ...read, path: '', effect: 'undecided', audience: 'objects', reason, ...why }],
    failedWitnesses: 0,
  });
  if (from !== to && next.convertsByWebhook) {
    const reason = `objects stored as ${from} are converted by a webhook, which is not asked`;
    return undecided(reason, { isUntried: true });
  }
  let compared: ComparisonResult;
  try {
    compared = inTime(
      () => {
        const { search, differences } = openComparison(old, next, { from, to }, how);
        return decideEach(search, differences, read);
      },
      () => undecided(timeOver, unprovable),
    );
  } catch (error) {
    const isUnread = error instanceof InvalidInputError || error instanceof RangeError;
    if (isUnread && from === to && sameJson(schemaOf(old, from), schemaOf(next, to)))
      return { results: [], failedWitnesses: 0 };
    if (error instanceof InvalidInputError) {
      const reason = `a schema cannot be read as an API server would: ${error.describe()}`;
      return undecided(reason, unprovable);
    }
    // The caller decides how much of the stack is left.
    if (error instanceof RangeError) {
      return undecided('the schemas nest too deep for a proof', unprovable);
    }
    throw error;
  }
  const { results, failedWitnesses } = compared;
  const [oldSchema, newSchema] = [schemaOf(old, from), schemaOf(next, to)];
  const places = new Set(results.map(({ path }) => path));
  const harmless = compareAnnotations(oldSchema, newSchema).map((path): ProofResult => ({
    ...read,
    path,
    effect: 'safe',
    audience: 'display',
    reason: annotationReason(!places.has(path)),
  }));
  if (from === to && results.length + harmless.length === 0 && !sameJson(oldSchema, newSchema)) {
    const reason = 'the schema is written otherwise, and says the same';
    harmless.push({ ...read, path: '', effect: 'safe', audience: 'display', reason });
  }
  return { results: [...results, ...harmless], failedWitnesses };
}

const unprovable = { unprovable: true } as const;

/** Part of a proof's budget that is there beside it for what crosses from version to version. */
const shareOfRoutes = 1 / 10;

/** Compares objects that one version has stored as readers of another version see them. */
function compareRoutes(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  said: readonly ProofResult[],
  how: Omit<Comparing, 'budget'> & { readonly isOver?: () => boolean },
): ComparisonResult & { readonly cost: number } {
  const results: ProofResult[] = [];
  const budget = new Budget(how.limits.values * shareOfRoutes, how.isOver);
  const identities = new Identities(budget);
  let failedWitnesses = 0;
  const { known } = how;
  const sides = {
    old: new Side(old, old.document, known),
    next: new Side(next, withIdentityOf(old.document, next.document), known),
  };
  const undecided = (to: string, reason: string): void => {
    const what = { effect: 'undecided', audience: 'objects', isUntried: true } as const;
    results.push({ version: to, path: '', ...what, reason });
  };
  append(results, conversionChange(old, next));
  const routes = routesOf(old, next);
  for (const [index, route] of routes.entries()) {
    const { from, to } = route;
    if (budget.isSpent || index === maxRoutes) {
      undecided(to, `too many versions to follow what ${to} reads of what ${from} has stored`);
      break;
    }
    const share = budget.share(routes.length - index);
    try {
      const rest = { limits: how.limits, isTaken: how.isTaken, said, identities };
      const compared = compareRoute(sides.old, sides.next, route, { ...rest, budget: share });
      append(results, compared.results);
      failedWitnesses += compared.failedWitnesses;
    } catch (error) {
      // A schema that cannot be read or followed is reported where the version itself is compared.
      if (error instanceof TimeOverError) undecided(to, timeOver);
      else if (!(error instanceof InvalidInputError || error instanceof RangeError)) throw error;
      else if (!said.some(({ unprovable }) => unprovable)) {
        undecided(to, `what ${from} has stored cannot be followed: its schema cannot be read`);
      }
      break;
    }
    budget.take(share);
  }
  return { results, failedWitnesses, cost: budget.spent };
}

/** Reports the open effect of a changed conversion strategy, for the first reader whose schema differs. */
function conversionChange(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): ProofResult[] {
  if (old.convertsByWebhook === next.convertsByWebhook) return [];
  const stored = storedIn(old);
  const shared = next.versions.filter(({ name }) => old.version(name) !== undefined);
  const differs = (from: string, to: string): boolean =>
    [old, next].some((side) => !sameJson(schemaOf(side, from), schemaOf(side, to)));
  const pairs = shared
    .filter(({ name }) => stored.has(name))
    .flatMap(({ name: from }) => {
      const reader = shared.find(({ name, served }) => served && differs(from, name));
      return reader === undefined ? [] : [{ from, version: reader.name }];
    });
  const reason = next.convertsByWebhook
    ? 'conversion is done by a webhook from now on, whose converter decides what other versions show of these objects; it is not asked'
    : 'conversion is no longer done by a webhook: these objects are read by the schema of another version as they are, and what the converter made of them is not known';
  return pairs.slice(0, 1).map(({ from, version }) => ({
    version,
    from,
    path: '',
    effect: 'undecided',
    audience: 'objects',
    isUntried: true,
    reason,
  }));
}

/** Whether both have all of a version that objects are read and written by. */
function isSameVersion(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  version: string,
): boolean {
  const keeps = ({ document }: CustomResourceDefinition): JsonValue | undefined =>
    valueAt(document, 'spec', 'preserveUnknownFields');
  return (
    sameJson(old.version(version)?.document, next.version(version)?.document) &&
    sameJson(keeps(old), keeps(next))
  );
}
