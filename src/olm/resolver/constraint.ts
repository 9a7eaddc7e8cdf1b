/**
 * The value of an `olm.constraint` property.
 * Rule: `constraints/constraint.go` of operator-framework/api and `predicateConverter` of OLM classic.
 * Under the documented semantics `name` works like `packageName` and the size limit is 64 KB.
 */
import {
  isObject,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { invalidRange, parseBlangRange, readBlangRange } from '../../text/versions/index.js';
import type { VersionPredicate } from '../../text/versions/index.js';
import { readApi } from './api.js';
import { compileCel } from './cel.js';
import { ConstraintError } from './error.js';
import { field, mismatch, type Shape } from '../../text/go/index.js';
import { struct, text } from '../../text/go/decode-json.js';
import { textField } from '../catalogs/properties.js';
import { packagePredicate, type Predicate } from './predicate.js';

export type Semantics = 'olm' | 'documents';

/** Bytes; OLM means 64 KB and shifts 2 instead of 1. */
export const sizeLimits = { olm: 2 << 16, documents: 1 << 16 } as const;

/** One dependency: what it asks for, and the author's words for a failure. */
export interface ParsedConstraint {
  readonly predicate: Predicate;
  readonly failureMessage: string;
  readonly partMessages: readonly string[];
}

/** @throws ConstraintError with OLM's text */
export function parseConstraint(value: JsonValue, semantics: Semantics): ParsedConstraint {
  const limit = sizeLimits[semantics];
  const given = semantics === 'documents' ? withPackageName(value) : value;
  prefixed('parse olm.constraint', () => {
    if (Buffer.byteLength(stringifyJson(value)) > limit) {
      throw new Error(`olm.constraint value is greater than max constraint size ${limit} bytes`);
    }
    const problem = mismatch(given, constraintShape, { inOrder: true, refuseUnknown: true });
    if (problem !== undefined) throw new Error(problem);
  });
  return prefixed('convert olm.constraint to resolver predicate', () => ({
    predicate: toPredicate(given),
    failureMessage: textField(given, 'failureMessage'),
    partMessages: messagesBelow(given),
  }));
}

const compounds = ['all', 'any', 'not'] as const;

function messagesBelow(constraint: JsonValue): string[] {
  return compounds.flatMap((kind) =>
    (partsOf(constraint, kind) ?? []).flatMap((part) => {
      const message = textField(part, 'failureMessage');
      return [...(message === '' ? [] : [message]), ...messagesBelow(part)];
    }),
  );
}

function objectAt(value: JsonValue, name: string): JsonObject | undefined {
  const found = isObject(value) ? field(value, name) : undefined;
  return isObject(found) ? found : undefined;
}

/** Undefined where it has no such compound. */
function partsOf(constraint: JsonValue, kind: string): readonly JsonValue[] | undefined {
  const compound = objectAt(constraint, kind);
  const parts = compound && field(compound, 'constraints');
  return Array.isArray(parts) ? parts : compound && [];
}

/** Large catalogs repeat a few ranges in thousands of bundles. */
const knownRanges = new Map<string, VersionPredicate>();
const maxKnownRanges = 10_000;

/** @throws InvalidVersionError, also for a range that would crash OLM when it is used */
export function parseRange(range: string): VersionPredicate {
  const known = knownRanges.get(range);
  if (known !== undefined) return known;
  const { alternatives } = readBlangRange(range);
  if (alternatives.some((comparisons) => comparisons.length === 0)) {
    throw invalidRange(`Range ${JSON.stringify(range)} has nothing between two '||'`);
  }
  const includes = parseBlangRange(range);
  if (knownRanges.size >= maxKnownRanges) knownRanges.clear();
  knownRanges.set(range, includes);
  return includes;
}

const compound = struct('constraints.CompoundConstraint', {
  constraints: {
    kind: 'list',
    go: '[]constraints.Constraint',
    get of() {
      return constraintShape;
    },
  },
});
const constraintShape: Shape = struct('constraints.Constraint', {
  failureMessage: text,
  cel: struct('constraints.Cel', { rule: text }),
  package: struct('constraints.PackageConstraint', { packageName: text, versionRange: text }),
  gvk: struct('constraints.GVKConstraint', { group: text, kind: text, version: text }),
  all: compound,
  any: compound,
  not: compound,
});

/** If an object has several kinds, OLM uses the first in this order. */
function toPredicate(constraint: JsonValue): Predicate {
  const gvk = objectAt(constraint, 'gvk');
  if (gvk !== undefined) return { kind: 'gvk', api: readApi(gvk) };
  const required = objectAt(constraint, 'package');
  if (required !== undefined) {
    const range = textField(required, 'versionRange');
    return packagePredicate(textField(required, 'packageName'), range, parseRange(range));
  }
  for (const kind of compounds) {
    const parts = partsOf(constraint, kind);
    if (parts !== undefined) return { kind, parts: parts.map(toPredicate) };
  }
  const cel = objectAt(constraint, 'cel');
  if (cel === undefined) throw new Error('constraint is empty');
  return {
    kind: 'cel',
    rule: compileCel(textField(cel, 'rule')),
    message: textField(constraint, 'failureMessage'),
  };
}

function prefixed<Result>(prefix: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const expected = error instanceof Error && !(error instanceof TypeError);
    if (!expected || error.name === 'InvalidInputError') throw error;
    throw new ConstraintError(`${prefix}: ${error.message}`, { cause: error });
  }
}

/** The documents write `package: {name, versionRange}` where OLM reads `packageName`. */
function withPackageName(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withPackageName);
  if (!isObject(value)) return value;
  const copied: [string, JsonValue][] = Object.keys(value).map((key) => {
    const item = Object.getOwnPropertyDescriptor(value, key)?.value as JsonValue;
    return [key, key === 'package' && isObject(item) ? renameKey(item) : withPackageName(item)];
  });
  return Object.fromEntries(copied);
}

function renameKey(value: JsonObject): JsonObject {
  if (Object.hasOwn(value, 'packageName')) return value;
  return Object.fromEntries(
    Object.keys(value).map((key) => [
      key === 'name' ? 'packageName' : key,
      Object.getOwnPropertyDescriptor(value, key)?.value as JsonValue,
    ]),
  );
}
