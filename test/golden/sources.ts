/** What is derived from other objects, beside what their controllers make of them. */
import { collectCrds, type FoundCrd } from '../../src/upgrade/index.js';
import {
  documentOf,
  InvalidInputError,
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../../src/text/documents/index.js';
import { sameJson, type GoldenRow } from './golden.js';

/** In what ours and kro's differ; what only the cluster knows is not compared. */
export function kroDifference(row: GoldenRow): string | undefined {
  const found = derived(row);
  const wanted = own(expected(row), 'crd');
  if (found instanceof InvalidInputError) {
    return wanted === undefined ? undefined : `refused by us alone: ${found.describe()}`;
  }
  const [ours] = found;
  if (wanted === undefined || !isObject(wanted) || ours === undefined) {
    return `refused by kro alone: ${stringifyJson(own(expected(row), 'error') ?? null)}`;
  }
  const unknown = ours.madeFrom?.unknown ?? [];
  return difference(forget(wanted, unknown), forget(ours.crd.document, unknown));
}

/** In what ours and Crossplane's differ. */
export function crossplaneDifference(row: GoldenRow): string | undefined {
  const found = derived(row);
  const wanted = own(expected(row), 'crds');
  if (found instanceof InvalidInputError) {
    return wanted === undefined ? undefined : `refused by us alone: ${found.describe()}`;
  }
  if (!Array.isArray(wanted)) return `refused by Crossplane alone`;
  return difference(
    wanted,
    found.map(({ crd }) => crd.document),
  );
}

function derived(row: GoldenRow): FoundCrd[] | InvalidInputError {
  try {
    return [...collectCrds([documentOf(own(row, 'input') ?? null)]).crds.values()];
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
}

function expected(row: GoldenRow): JsonObject {
  const value = own(row, 'expect');
  return value !== undefined && isObject(value) ? value : {};
}

/** Without the schemas at these places. */
function forget(value: JsonValue, places: readonly Path[]): JsonValue {
  return places.reduce<JsonValue>(without, value);
}

function without(value: JsonValue, [key, ...rest]: Path): JsonValue {
  if (key === undefined) return 'unknown';
  if (Array.isArray(value))
    return value.map((each, at) => (at === key ? without(each, rest) : each));
  const inner = isObject(value) ? own(value, String(key)) : undefined;
  return isObject(value) && inner !== undefined ? { ...value, [key]: without(inner, rest) } : value;
}

/** The first place at which two values differ, and what stands there. */
function difference(wanted: JsonValue, ours: JsonValue, path = '$'): string | undefined {
  if (sameJson(wanted, ours)) return undefined;
  const keys = [wanted, ours].flatMap((each) =>
    Array.isArray(each) || isObject(each) ? Object.keys(each) : [],
  );
  for (const key of keys) {
    const [theirs, own] = [valueAt(wanted, key), valueAt(ours, key)];
    if (theirs === undefined || own === undefined) {
      return `${path}.${key}: ${stringifyJson(theirs ?? null)} and ${stringifyJson(own ?? null)}`;
    } else {
      const found = difference(theirs, own, `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  const shown = [wanted, ours].map((each) => stringifyJson(each).slice(0, 300));
  return `${path}: ${shown.join(' and ')}`;
}

function valueAt(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? own(value, key) : undefined;
}
