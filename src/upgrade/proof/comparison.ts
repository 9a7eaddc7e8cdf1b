/** Where a version of one definition and one of another differ, before anything is decided. */
import {
  InvalidInputError,
  isObject,
  NumberText,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import type { CustomResourceDefinition } from '../crd/custom-resource-definition.js';
import {
  compileDefinition,
  type KnownSchemas,
  type ObjectValidator,
  readDefinition,
  type VersionDefinition,
} from '../../kubernetes/index.js';
import type { Budget } from './budget.js';
import type { Difference } from './differences/difference.js';
import { compareRuntimeCosts } from './differences/runtime-costs.js';
import { compareScale, compareStatus } from './differences/subresources.js';
import { compareUnknownFields, withKeptFields } from './differences/unknown-fields.js';
import type { ProofLimits } from './limits.js';
import { SchemaWalk } from './differences/walk.js';
import { Isolation } from './search/isolation.js';
import { Search } from './search/search.js';
import { Trial } from './search/trial.js';

export interface Comparing {
  readonly limits: ProofLimits;
  readonly known: KnownSchemas;
  readonly budget: Budget;
  readonly isTaken: boolean;
}

export interface VersionPair {
  readonly from: string;
  readonly to: string;
  /** `to` is served from now on, and all that is stored as `from` can be written through it. */
  readonly isNewlyServed?: true;
}

export interface OpenComparison {
  readonly search: Search;
  readonly differences: readonly Difference[];
}

/** @throws InvalidInputError for a schema that no proof can follow, RangeError (stack), TimeOverError */
export function openComparison(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  { from, to }: VersionPair,
  how: Comparing,
): OpenComparison {
  const followed = schemaOf(old, from);
  requireFollowable(followed);
  requireFollowable(schemaOf(next, to), followed);
  const { known } = how;
  const oldVersion = readDefinition(old.document, from, known);
  const newVersion = readDefinition(withIdentityOf(old.document, next.document), to, known);
  // Switching it off is a finding of its own.
  const isKept = oldVersion.preserveUnknownFields && newVersion.preserveUnknownFields;
  const compiled = (definition: VersionDefinition): ObjectValidator =>
    compileDefinition(
      { ...definition, schema: withKeptFields(definition.schema, isKept) },
      how.budget,
    );
  return compareSchemas(compiled(oldVersion), compiled(newVersion), how);
}

function compareSchemas(
  old: ObjectValidator,
  next: ObjectValidator,
  { limits, budget, isTaken }: Comparing,
): OpenComparison {
  const { group, version } = next.definition;
  const trial = new Trial(old, next, `${group}/${version}`, budget, isTaken);
  // Walking takes at most half of the budget, so that the other half is left for witnesses.
  const walk = new SchemaWalk(budget, budget.left / 2, next.definition.release);
  walk.compare({ before: old.schema, after: next.schema, place: undefined, mode: 'structure' });
  compareScale(walk, old.definition, next.definition);
  compareStatus(walk, old.definition, next.definition);
  compareUnknownFields(walk, old.definition, next.definition);
  if (!walk.isCutShort) compareRuntimeCosts(walk, old.schema, next.schema);
  const isolation = new Isolation(trial, walk.differences, budget);
  const search = new Search(trial, isolation, old.definition, next.definition, limits, budget);
  return { search, differences: walk.differences };
}

/** The new schemas under the old group, kind and scope, which the API server never lets change. */
export function withIdentityOf(old: JsonObject, next: JsonObject): JsonObject {
  const [oldSpec, newSpec] = [own(old, 'spec'), own(next, 'spec')];
  if (!isObject(oldSpec) || !isObject(newSpec)) return next;
  const { group, names, scope } = oldSpec;
  const kept = Object.fromEntries(
    Object.entries({ group, names, scope }).filter((entry) => entry[1] !== undefined),
  );
  return { ...next, spec: { ...newSpec, ...(kept as JsonObject) } };
}

export function schemaOf(definition: CustomResourceDefinition, version: string): JsonValue {
  return definition.version(version)?.schema ?? {};
}

/** Lists and objects inside each other; the deepest schema of a real definition has 90. */
const deepestSchema = 1000;

/** @param followed a schema that has passed @throws InvalidInputError `E_LIMIT` for one too deep for the walks of a proof */
function requireFollowable(schema: JsonValue, followed?: JsonValue): void {
  if (!isDeeper(schema, deepestSchema, followed)) return;
  throw new InvalidInputError('E_LIMIT', `it nests more than ${deepestSchema} levels deep`);
}

/** @param other a value at the same place that is not deeper */
function isDeeper(value: JsonValue, levels: number, other: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return false;
  if (value === other) return false;
  if (levels === 0) return true;
  const members = value as JsonObject;
  const others = isObject(other) || Array.isArray(other) ? (other as JsonObject) : none;
  for (const key in members) {
    const member = members[key];
    // Most members are texts, for which a call each would take longer than all else here.
    if (typeof member === 'object' && isDeeper(member, levels - 1, others[key])) return true;
  }
  return false;
}

const none: JsonObject = {};
