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
import { InvalidRangeError, parseBlangRange, readBlangRange } from '../../text/versions/index.js';
import type { VersionPredicate } from '../../text/versions/index.js';
import { compileCel } from './cel.js';
import { ConstraintError } from './error.js';
import { decodeRecord, text, type DecodedRecord, type Shape } from './decode.js';
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
  const record = prefixed('parse olm.constraint', () => {
    if (Buffer.byteLength(stringifyJson(value)) > limit) {
      throw new Error(`olm.constraint value is greater than max constraint size ${limit} bytes`);
    }
    return decodeRecord(given, constraintShape, { refuseUnknown: true });
  });
  return prefixed('convert olm.constraint to resolver predicate', () => ({
    predicate: toPredicate(record),
    failureMessage: text(record, 'failureMessage'),
    partMessages: messagesBelow(record),
  }));
}

function messagesBelow(record: DecodedRecord): string[] {
  return (['all', 'any', 'not'] as const).flatMap((kind) => {
    const parts = recordAt(record, kind)?.get('constraints');
    return (Array.isArray(parts) ? parts : []).flatMap((part) => {
      if (!(part instanceof Map)) return [];
      const message = text(part, 'failureMessage');
      return [...(message === '' ? [] : [message]), ...messagesBelow(part)];
    });
  });
}

/** Large catalogs repeat a few ranges in thousands of bundles. */
const knownRanges = new Map<string, VersionPredicate>();
const maxKnownRanges = 10_000;

/** @throws InvalidRangeError, also for a range that would crash OLM when it is used */
export function parseRange(range: string): VersionPredicate {
  const known = knownRanges.get(range);
  if (known !== undefined) return known;
  const { alternatives } = readBlangRange(range);
  if (alternatives.some((comparisons) => comparisons.length === 0)) {
    throw new InvalidRangeError(`Range ${JSON.stringify(range)} has nothing between two '||'`);
  }
  const includes = parseBlangRange(range);
  if (knownRanges.size >= maxKnownRanges) knownRanges.clear();
  knownRanges.set(range, includes);
  return includes;
}

const string: Shape = { kind: 'string' };
const compound: Shape = {
  kind: 'record',
  type: 'constraints.CompoundConstraint',
  name: 'CompoundConstraint',
  fields: {
    constraints: { kind: 'list', type: '[]constraints.Constraint', element: () => constraintShape },
  },
};
const constraintShape: Shape & { kind: 'record' } = {
  kind: 'record',
  type: 'constraints.Constraint',
  name: 'Constraint',
  fields: {
    failureMessage: string,
    cel: { kind: 'record', type: 'constraints.Cel', name: 'Cel', fields: { rule: string } },
    package: {
      kind: 'record',
      type: 'constraints.PackageConstraint',
      name: 'PackageConstraint',
      fields: { packageName: string, versionRange: string },
    },
    gvk: {
      kind: 'record',
      type: 'constraints.GVKConstraint',
      name: 'GVKConstraint',
      fields: { group: string, kind: string, version: string },
    },
    all: compound,
    any: compound,
    not: compound,
  },
};

/** If an object has several kinds, OLM uses the first in this order. */
function toPredicate(record: DecodedRecord): Predicate {
  const gvk = recordAt(record, 'gvk');
  if (gvk !== undefined) {
    const api = {
      group: text(gvk, 'group'),
      version: text(gvk, 'version'),
      kind: text(gvk, 'kind'),
    };
    return { kind: 'gvk', api };
  }
  const required = recordAt(record, 'package');
  if (required !== undefined) {
    const range = text(required, 'versionRange');
    return packagePredicate(text(required, 'packageName'), range, parseRange(range));
  }
  for (const kind of ['all', 'any', 'not'] as const) {
    const list = recordAt(record, kind)?.get('constraints');
    if (recordAt(record, kind) === undefined) continue;
    const parts = Array.isArray(list) ? list : [];
    return { kind, parts: parts.map((part) => toPredicate(part as DecodedRecord)) };
  }
  const cel = recordAt(record, 'cel');
  if (cel === undefined) throw new Error('constraint is empty');
  return {
    kind: 'cel',
    rule: compileCel(text(cel, 'rule')),
    message: text(record, 'failureMessage'),
  };
}

function recordAt(record: DecodedRecord, field: string): DecodedRecord | undefined {
  const value = record.get(field);
  return value instanceof Map ? value : undefined;
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
