/**
 * Objects that were written through one version and are read through another one, with conversion
 * None: what the reader has pruned so far and keeps from now on was judged by the writer's schema
 * alone. Only such fields are looked at: everything else the reader has met before.
 */
import { sameJson, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import type { CustomResourceDefinition } from '../crd/custom-resource-definition.js';
import {
  compileDefinition,
  type Created,
  type KnownSchemas,
  type ObjectValidator,
  ofCompiledRules,
  readDefinition,
  type SchemaNode,
  type VersionDefinition,
} from '../../kubernetes/index.js';
import type { Budget } from './budget.js';
import { decideEach, type ComparisonResult } from './decide.js';
import type { Difference } from './differences/difference.js';
import { compareScale } from './differences/subresources.js';
import { Isolation } from './search/isolation.js';
import { formatPlace, isWithin } from './pin.js';
import type { ProofResult } from './result.js';
import { RestoredField, type Way } from './differences/revealed.js';
import { StoredDefaults } from './stored-defaults.js';
import { Search, type SearchLimits } from './search/search.js';
import { harmless, Trial, type Accepted, type Harm } from './search/trial.js';
import type { Identities } from './identity.js';
import { SchemaWalk } from './differences/walk.js';

/** An object written through `from`, stored as `stored`, read through `to`; from `to` itself, with other defaults. */
interface Route {
  readonly from: string;
  readonly stored: string;
  readonly to: string;
}

export class Side {
  private readonly versions = new Map<string, VersionDefinition>();

  constructor(
    readonly definition: CustomResourceDefinition,
    private readonly document: JsonObject,
    private readonly known: KnownSchemas,
  ) {}

  version(name: string): VersionDefinition {
    let version = this.versions.get(name);
    if (version === undefined)
      this.versions.set(name, (version = readDefinition(this.document, name, this.known)));
    return version;
  }
}

export function routesOf(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): readonly Route[] {
  if (old.convertsByWebhook || next.convertsByWebhook || old.versions.length < 2) return [];
  const shared = next.versions.filter(({ name }) => old.version(name) !== undefined);
  const readers = shared.filter(({ name }) => isChanged(old, next, name));
  const changed = new Set(readers.map(({ name }) => name));
  const kept = [...storedIn(old)].filter(
    (name) => old.version(name) !== undefined && next.version(name) !== undefined,
  );
  const storedNow = next.storage?.name;
  const routes: Route[] = [];
  for (const stored of kept.filter((name) => changed.has(name))) {
    for (const { name, served } of shared) {
      if (name === stored || !served) continue;
      routes.push({ from: name, stored, to: name });
      if (routes.length > maxRoutes) return routes;
    }
  }
  for (const { name: to } of readers) {
    for (const each of kept) {
      if (each === to) continue;
      for (const { name, served } of old.versions) {
        if (name === to || !(served || name === each)) continue;
        // That all objects stored so far are read as another storage version is judged as a whole.
        if (name === each && to === storedNow) continue;
        routes.push({ from: name, stored: each, to });
        if (routes.length > maxRoutes) return routes;
      }
    }
  }
  return routes;
}

export function storedIn({ versions, storedVersions }: CustomResourceDefinition): Set<string> {
  const storage = versions.filter((version) => version.storage).map(({ name }) => name);
  return new Set([...storedVersions, ...storage.slice(0, 1)]);
}

function isChanged(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  name: string,
): boolean {
  return !sameJson(old.version(name)?.schema ?? {}, next.version(name)?.schema ?? {});
}

/** Definitions have a few versions; hundreds have millions of routes. */
export const maxRoutes = 2_000;

export interface RouteLimits {
  readonly limits: SearchLimits;
  readonly budget: Budget;
  readonly identities: Identities;
  readonly isTaken: boolean;
  /** Results already reported for objects that the reader's own version has accepted. */
  readonly said: readonly ProofResult[];
}

/** Compares objects on one route; empty where no hidden value is restored. */
export function compareRoute(
  old: Side,
  next: Side,
  route: Route,
  how: RouteLimits,
): ComparisonResult {
  const { from, stored, to } = route;
  if (from === to) return compareStoredDefaults(old, next, route, how);
  const [writer, reader, newReader] = [old.version(from), old.version(to), next.version(to)];
  if (reader.preserveUnknownFields) return { results: [], failedWitnesses: 0 };
  const { identities } = how;
  const revealed = new RestoredField(identities, how.budget);
  const kept = [old.version(stored), next.version(stored)];
  const way: Way = {
    written: writer.schema,
    // An object stored as it was written is pruned by one schema, not by two.
    stored: (from === stored ? kept.slice(1) : kept).map(({ schema }) => schema),
    before: reader.schema,
    after: newReader.schema,
  };
  const schema = revealed.graft(way);
  if (schema === undefined) return { results: [], failedWitnesses: 0 };
  const walk = new SchemaWalk(
    how.budget,
    how.budget.left / 2,
    newReader.release,
    identities,
    revealed,
  );
  walk.compare({ before: schema, after: newReader.schema, place: undefined, mode: 'structure' });
  const places = revealed.fields.map(({ place }) => formatPlace(place));
  compareScale(walk, reader, newReader, places);
  const written = validatorOf(old, next, route, schema, how.budget);
  const search = searchFor(walk, written, writer, newReader, how);
  const why = `${to} has pruned so far what ${from} has stored there`;
  const open = openAt(places, walk, to, why, how);
  const shaped = revealed.fields.flatMap(({ place, reshapedBy, after: node }) =>
    reshapedBy
      .flatMap((each) => walk.attempt({ before: each, after: node, place, mode: 'structure' }))
      .filter(isHarmful)
      .map(({ place: at, reason }): Difference => ({
        place: at,
        proof: 'open',
        reason: `${stored} shapes what ${to} has pruned so far and reads from now on; ${reason}`,
        candidates: () => [],
      })),
  );
  const { results, failedWitnesses } = decideEach(
    search,
    [...open, ...shaped],
    { version: to, from },
    false,
  );
  return { results: results.filter(({ effect }) => effect !== 'safe'), failedWitnesses };
}

/** Compares how the stored version's defaults, new or changed, affect readers of another version. */
function compareStoredDefaults(
  old: Side,
  next: Side,
  route: Route,
  how: RouteLimits,
): ComparisonResult {
  const { stored, to } = route;
  const [oldStored, newStored] = [old.version(stored).schema, next.version(stored).schema];
  const [oldReader, newReader] = [old.version(to), next.version(to)];
  const defaults = new StoredDefaults(how.budget);
  const after = defaults.graft(newReader.schema, { here: newStored, there: oldStored });
  if (defaults.others.length === 0) return { results: [], failedWitnesses: 0 };
  const oldDefaults = new StoredDefaults(how.budget);
  const before = oldDefaults.graft(oldReader.schema, { here: oldStored, there: newStored });
  const [readBefore, readAfter] = [
    { ...oldReader, schema: before },
    { ...newReader, schema: after },
  ];
  const walk = new SchemaWalk(how.budget, how.budget.left / 2, newReader.release);
  walk.compare({ before, after, place: undefined, mode: 'structure' });
  compareScale(walk, readBefore, readAfter);
  const written = compileDefinition(readBefore, how.budget);
  const search = searchFor(walk, written, readBefore, readAfter, how);
  const why = `${to} is read from ${stored}, which sets another default`;
  const open = openAt(defaults.others.map(formatPlace), walk, to, why, how);
  const read = { version: to, from: stored };
  const { results, failedWitnesses } = decideEach(search, open, read, false);
  const reported = results
    .filter(({ effect }) => effect !== 'safe')
    .map((result): ProofResult => {
      const { witness, ...others } = result;
      if (witness === undefined) return result;
      // The schemas that were searched are like the way of an object, which is walked here.
      const isHeld = [to, stored].some((from) =>
        isRefusedNow(old, next, { ...route, from }, witness, how.budget),
      );
      const reason = `${others.reason}; ${unheld}`;
      return isHeld ? result : { ...others, effect: 'undecided', isUntried: true, reason };
    });
  return { results: reported, failedWitnesses };
}

function searchFor(
  { differences }: SchemaWalk,
  before: ObjectValidator,
  writer: VersionDefinition,
  reader: VersionDefinition,
  { budget, limits, isTaken }: RouteLimits,
): Search {
  const after = compileDefinition(reader, budget);
  const trial = new RouteTrial(before, after, `${reader.group}/${reader.version}`, budget, isTaken);
  const isolation = new Isolation(trial, differences, budget);
  return new Search(trial, isolation, writer, reader, limits, budget);
}

/** Transition rules apply in the versions that an update goes through. */
function openAt(
  places: readonly string[],
  { differences }: SchemaWalk,
  version: string,
  why: string,
  { said }: RouteLimits,
): Difference[] {
  return differences
    .filter((each) => concernsField(each, places) && !isSaid(each, version, said))
    .map((each) => ({ ...each, isTransition: false, reason: `${why}; ${each.reason}` }));
}

const unheld = 'but no way was found to store the object';

function isRefusedNow(
  old: Side,
  next: Side,
  route: Route,
  witness: JsonValue,
  budget: Budget,
): boolean {
  const reader = next.version(route.to);
  const writer = old.version(route.from);
  const made = validatorOf(old, next, route, writer.schema, budget).create({
    ...(witness as JsonObject),
    apiVersion: `${writer.group}/${route.from}`,
  });
  if (made.result.valid !== true || made.prepared === undefined) return false;
  const read = { ...made.prepared.stored, apiVersion: `${reader.group}/${route.to}` };
  return compileDefinition(reader, budget).validateCreate(read).valid === false;
}

/** Values that vanish were not seen by the reader before. */
function isHarmful({ proof, isOfPruning }: Difference): boolean {
  return proof === 'open' && isOfPruning !== true;
}

/** Inside a field that comes to light, or around one. */
function concernsField(difference: Difference, fields: readonly string[]): boolean {
  if (!isHarmful(difference)) return false;
  if (difference.isOfAll === true) return true;
  const place = formatPlace(difference.place);
  return fields.some((field) => isWithin(field, place) || isWithin(place, field));
}

/** Around a field, what is open for the reader's own objects is reported for those. */
function isSaid(difference: Difference, version: string, said: readonly ProofResult[]): boolean {
  const path = formatPlace(difference.place);
  return said.some(
    (result) =>
      result.version === version &&
      result.from === undefined &&
      result.path === path &&
      result.reason.startsWith(difference.reason),
  );
}

/** Replays a write through one version for a reader of another one, if the writer's version accepts it. */
function validatorOf(
  old: Side,
  next: Side,
  { from, stored, to }: Route,
  schema: SchemaNode,
  budget: Budget,
): ObjectValidator {
  const compiled = (side: Side, version: string): ObjectValidator =>
    compileDefinition(side.version(version), budget);
  const [writer, reader] = [compiled(old, from), compiled(old, to)];
  const [storedBefore, storedNow] = [compiled(old, stored), compiled(next, stored)];
  const as = (object: JsonObject, { definition }: ObjectValidator): JsonObject => ({
    ...object,
    apiVersion: `${definition.group}/${definition.version}`,
  });
  // Defaults of the stored version are set when it is read; until then it may have got others.
  const store = (object: JsonObject): JsonObject =>
    from === to ? storedBefore.prune(object) : storedBefore.pruneAndDefault(object);
  const create = (object: JsonValue): Created => {
    const made = writer.create(object);
    const result = ofCompiledRules(made.result);
    if (result.valid !== true || made.prepared === undefined) return { ...made, result };
    const written = made.prepared.stored;
    const kept = from === stored ? written : store(as(written, storedBefore));
    const seen = reader.create(as(kept, reader));
    const accepted = ofCompiledRules(seen.result);
    if (accepted.valid !== true) return { ...made, result: accepted };
    const taken = storedNow.pruneAndDefault(as(kept, storedNow));
    return { ...made, result, prepared: { pruned: taken, stored: taken } };
  };
  // Places and changes are those of the grafted schema.
  return {
    definition: { ...writer.definition, schema },
    schema,
    create,
    post: create,
    validateCreate: (object) => create(object).result,
    validateUpdate: (object, old) => writer.validateUpdate(object, old),
    validateStatus: (object, old) => writer.validateStatus(object, old),
    pruneAndDefault: (object) => writer.pruneAndDefault(object),
    prune: (object) => writer.prune(object),
  };
}

/** The harm for a reader that has not seen the fields before: being refused, and no loss. */
class RouteTrial extends Trial {
  override between(before: ObjectValidator, after: ObjectValidator): RouteTrial {
    return new RouteTrial(before, after, this.apiVersionAfter, this.budget, this.isTaken);
  }

  override harm(object: Accepted, schema?: ObjectValidator): Harm {
    const { errors } = super.harm(object, schema);
    return errors.length === 0 ? harmless : { errors, lost: [] };
  }
}
