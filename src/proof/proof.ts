/**
 * Profile `proof`: does every object that the old definition accepts pass the new one, with its
 * data? Each difference is proven safe, shown to break by a witness, or left undecided by name.
 */
import {
  InvalidInputError,
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../text/documents/index.js';
import { effects } from '../finding.js';
import type { ProofJudgement, ProofResult } from './result.js';
import {
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from '../crd/custom-resource-definition.js';
import { readDefinition, type VersionDefinition } from '../apiserver/definition.js';
import { compileDefinition, type ObjectValidator } from '../apiserver/validator.js';
import { sizeOf } from '../crd/json-size.js';
import { compareAnnotations } from './differences/annotations.js';
import { compareRoute, maxRoutes, routesOf, Side, storedIn } from './cross-version.js';
import { decideEach, inTime, type Compared } from './decide.js';
import { Identities } from './identity.js';
import { Budget, timeOver, TimeOverError } from './budget.js';
import { findingOf, isWorthSaying } from './proof-findings.js';
import { compareScale } from './differences/scale.js';
import { Isolation } from './search/isolation.js';
import { compareRuntimeCosts } from './differences/runtime-costs.js';
import { Search, type SearchLimits } from './search/search.js';
import { Trial } from './search/trial.js';
import { compareUnknownFields, withKeptFields } from './differences/unknown-fields.js';
import { SchemaWalk } from './differences/walk.js';

export interface ProofLimits extends SearchLimits {
  /** Values that are compared, made up or put to a schema, for all versions together. */
  readonly values: number;
}

/** Seconds, however large the definitions are; some ten where rules run to their bound each time. */
export const defaultLimits: ProofLimits = {
  perDifference: 200,
  inAll: 3_000,
  atRandom: 600,
  values: 1_000_000,
};

/**
 * @param isOver when it is true, what is not decided yet stays undecided
 * @param isTaken an API server has compiled the new definition's rules too, so that one which does not
 *   compile here breaks nothing
 * @throws InvalidInputError when one side is no v1 CustomResourceDefinition, or the names differ.
 */
export function proveUpgrade(
  old: JsonValue,
  next: JsonValue,
  limits: ProofLimits = defaultLimits,
  isOver?: () => boolean,
  isTaken = false,
): ProofJudgement {
  const before = readCustomResourceDefinition(old, { path: '$.old' });
  const after = readCustomResourceDefinition(next, { path: '$.new' });
  if (before.name !== after.name) {
    throw new InvalidInputError(
      'E_INPUT',
      `is named ${after.name}, but the old definition is ${before.name}; compare two versions of one definition`,
      { path: '$.new.metadata.name' },
    );
  }
  const results: ProofResult[] = [];
  const budget = new Budget(limits.values, isOver);
  let failedWitnesses = 0;
  const pairs = versionPairs(before, after);
  for (const [index, { from, to }] of pairs.entries()) {
    const share = budget.share(pairs.length - index);
    const compared = compareVersions(before, after, from, to, { limits, budget: share, isTaken });
    results.push(...compared.results);
    failedWitnesses += compared.failedWitnesses;
    budget.take(share);
  }
  const crossed = compareRoutes(before, after, results, {
    ...{ limits, isTaken },
    ...(isOver === undefined ? {} : { isOver }),
  });
  results.push(...crossed.results);
  failedWitnesses += crossed.failedWitnesses;
  const effect = effects.find((each) => results.some((result) => result.effect === each)) ?? 'safe';
  return {
    allowed: effect !== 'breaking' && effect !== 'data-loss',
    effect,
    results,
    cost: budget.spent + crossed.cost,
    failedWitnesses,
    findings: results.filter(isWorthSaying).map((result) => findingOf(after.name, result)),
  };
}

interface VersionPair {
  readonly from: string;
  readonly to: string;
}

/** Versions of both sides, and stored ones that are read as another storage version from now on. */
function versionPairs(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): VersionPair[] {
  const shared = before.versions
    .filter(({ name }) => after.version(name) !== undefined)
    .map(({ name }) => ({ from: name, to: name }));
  const storage = after.versions.find((version) => version.storage)?.name;
  const stored =
    before.storedVersions.length > 0
      ? before.storedVersions
      : before.versions.filter((version) => version.storage).map(({ name }) => name);
  const carried = stored
    .filter(
      (name) => storage !== undefined && name !== storage && before.version(name) !== undefined,
    )
    .map((name) => ({ from: name, to: storage ?? '' }));
  return [...shared, ...carried];
}

interface Comparing {
  readonly limits: ProofLimits;
  readonly budget: Budget;
  readonly isTaken: boolean;
}

function compareVersions(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  from: string,
  to: string,
  how: Comparing,
): Compared<ProofResult> {
  const names = { version: to, ...(from === to ? {} : { from }) };
  const undecided = (reason: string, unprovable?: true): Compared<ProofResult> => ({
    results: [
      {
        ...names,
        path: '',
        effect: 'undecided',
        audience: 'objects',
        reason,
        ...(unprovable === true ? { unprovable } : {}),
      },
    ],
    failedWitnesses: 0,
  });
  if (from !== to && after.convertsByWebhook) {
    return undecided(`objects stored as ${from} are converted by a webhook, which is not asked`);
  }
  let compared: Compared;
  try {
    requireFollowable(before, from);
    requireFollowable(after, to);
    const old = readDefinition(before.document, from);
    const now = readDefinition(withIdentityOf(before.document, after.document), to);
    // Where it is switched off, that is told by itself.
    const isKept = old.preserveUnknownFields && now.preserveUnknownFields;
    const compiled = (definition: VersionDefinition): ObjectValidator =>
      compileDefinition({ ...definition, schema: withKeptFields(definition.schema, isKept) });
    compared = inTime<Compared>(
      () => compareSchemas(compiled(old), compiled(now), how),
      () => undecided(timeOver, true),
    );
  } catch (error) {
    const isUnread = error instanceof InvalidInputError || error instanceof RangeError;
    if (isUnread && sameSchema(before, after, from, to)) return { results: [], failedWitnesses: 0 };
    if (error instanceof InvalidInputError) {
      return undecided(`a schema cannot be read as an API server would: ${error.describe()}`, true);
    }
    // The stack is as deep as whoever called has left it.
    if (error instanceof RangeError)
      return undecided('the schemas nest too deep for a proof', true);
    throw error;
  }
  const { results, failedWitnesses } = compared;
  const [was, is] = [schemaOf(before, from), schemaOf(after, to)];
  const harmless = compareAnnotations(was, is).map((path): Compared['results'][number] => ({
    path,
    effect: 'safe',
    audience: 'display',
    reason: 'description only',
  }));
  if (from === to && results.length + harmless.length === 0 && !sameJson(was, is)) {
    const reason = 'the schema is written otherwise, and says the same';
    harmless.push({ path: '', effect: 'safe', audience: 'display', reason });
  }
  return {
    results: [...results, ...harmless].map((result) => ({ ...names, ...result })),
    failedWitnesses,
  };
}

function compareSchemas(
  old: ObjectValidator,
  now: ObjectValidator,
  { limits, budget, isTaken }: Comparing,
): Compared {
  const { group, version } = now.definition;
  const trial = new Trial(old, now, `${group}/${version}`, budget, isTaken);
  // As much is left for looking for witnesses as walking takes at most.
  const walk = new SchemaWalk(budget, budget.left / 2);
  walk.compare({ before: old.schema, after: now.schema, place: undefined, mode: 'structure' });
  compareScale(walk, old.definition, now.definition);
  compareUnknownFields(walk, old.definition, now.definition);
  compareRuntimeCosts(walk, old.schema, now.schema);
  const isolation = new Isolation(trial, walk.differences, budget);
  const search = new Search(trial, isolation, old.definition, now.definition, limits, budget);
  return decideEach(search, walk.differences);
}

/** Part of a proof's budget that is there beside it for what crosses from version to version. */
const shareOfRoutes = 1 / 10;

/** What objects that one version has stored do to those who read them through another one. */
function compareRoutes(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  said: readonly ProofResult[],
  how: { readonly limits: ProofLimits; readonly isTaken: boolean; readonly isOver?: () => boolean },
): Compared<ProofResult> & { readonly cost: number } {
  const results: ProofResult[] = [];
  const budget = new Budget(how.limits.values * shareOfRoutes, how.isOver);
  const identities = new Identities(budget);
  let failedWitnesses = 0;
  const sides = {
    old: new Side(before, before.document),
    now: new Side(after, withIdentityOf(before.document, after.document)),
  };
  const undecided = (to: string, reason: string): void => {
    const what = { effect: 'undecided', audience: 'objects', isUntried: true } as const;
    results.push({ version: to, path: '', ...what, reason });
  };
  results.push(...conversionChange(before, after));
  const routes = routesOf(before, after);
  for (const [index, route] of routes.entries()) {
    const { from, to } = route;
    if (budget.isSpent || index === maxRoutes) {
      undecided(to, `too many versions to follow what ${to} reads of what ${from} has stored`);
      break;
    }
    const share = budget.share(routes.length - index);
    try {
      const rest = { limits: how.limits, isTaken: how.isTaken, said, identities };
      const compared = compareRoute(sides.old, sides.now, route, { ...rest, budget: share });
      results.push(...compared.results);
      failedWitnesses += compared.failedWitnesses;
    } catch (error) {
      // A schema that cannot be read or followed is told where the version itself is compared.
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

/** What a change of the conversion strategy leaves open, told of the first reader whose schema differs. */
function conversionChange(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): ProofResult[] {
  if (before.convertsByWebhook === after.convertsByWebhook) return [];
  const stored = storedIn(before);
  const shared = after.versions.filter(({ name }) => before.version(name) !== undefined);
  const differs = (from: string, to: string): boolean =>
    [before, after].some((side) => !sameJson(schemaOf(side, from), schemaOf(side, to)));
  const pairs = shared
    .filter(({ name }) => stored.has(name))
    .flatMap(({ name: from }) => {
      const reader = shared.find(({ name, served }) => served && differs(from, name));
      return reader === undefined ? [] : [{ from, version: reader.name }];
    });
  const reason = after.convertsByWebhook
    ? 'conversion is done by a webhook from now on, whose converter decides what other versions show of these objects; it is not asked'
    : 'conversion is no longer done by a webhook: these objects are read by the schema of another version as they are, and what the converter made of them is not known';
  return pairs.slice(0, 1).map(({ from, version }) => ({
    ...{ version, from, path: '', effect: 'undecided', audience: 'objects', isUntried: true },
    reason,
  }));
}

/** The new schemas under the old group, kind and scope, which the API server never lets change. */
function withIdentityOf(old: JsonObject, next: JsonObject): JsonObject {
  const [oldSpec, newSpec] = [own(old, 'spec'), own(next, 'spec')];
  if (!isObject(oldSpec) || !isObject(newSpec)) return next;
  const { group, names, scope } = oldSpec;
  const kept = Object.fromEntries(
    Object.entries({ group, names, scope }).filter((entry) => entry[1] !== undefined),
  );
  return { ...next, spec: { ...newSpec, ...(kept as JsonObject) } };
}

function schemaOf(definition: CustomResourceDefinition, version: string): JsonValue {
  return definition.version(version)?.schema ?? {};
}

/** Lists and objects inside each other; the deepest schema of a real definition has 90. */
const deepestSchema = 1000;

/** @throws InvalidInputError `E_LIMIT` for a schema that nests deeper than the walks of a proof go */
function requireFollowable(definition: CustomResourceDefinition, version: string): void {
  if (sizeOf(schemaOf(definition, version)).depth <= deepestSchema) return;
  throw new InvalidInputError('E_LIMIT', `it nests more than ${deepestSchema} levels deep`);
}

function sameSchema(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  from: string,
  to: string,
): boolean {
  return from === to && sameJson(schemaOf(before, from), schemaOf(after, to));
}
