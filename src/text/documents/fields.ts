/**
 * Looks into Kubernetes objects that may have any shape: what is not there, or is of another type,
 * reads as absent. The API server has judged the shape already; a rule only has to survive it.
 */
import { isObject, NumberText, own, type JsonObject, type JsonValue } from './value.js';

type Steps = readonly (string | number)[];

export function valueAt(object: JsonValue | undefined, ...path: Steps): JsonValue | undefined {
  let value = object;
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number') value = value[key];
    else if (isObject(value)) value = own(value, String(key));
    else return undefined;
  }
  return value;
}

/** A copy with another value at a place that is there, sharing everything beside the way to it. */
export function withValueAt(root: JsonValue, [step, ...rest]: Steps, value: JsonValue): JsonValue {
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((item, index) => (index === step ? withValueAt(item, rest, value) : item));
  }
  const object = root as JsonObject;
  return { ...object, [step]: withValueAt(object[step] ?? null, rest, value) };
}

export function objectAt(object: JsonValue | undefined, ...path: Steps): JsonObject | undefined {
  const value = valueAt(object, ...path);
  return isObject(value) ? value : undefined;
}

export function textAt(object: JsonValue | undefined, ...path: Steps): string | undefined {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : undefined;
}

export function flagAt(object: JsonValue | undefined, ...path: Steps): boolean {
  return valueAt(object, ...path) === true;
}

export function numberAt(object: JsonValue | undefined, ...path: Steps): number | undefined {
  const value = valueAt(object, ...path);
  if (value instanceof NumberText) return value.value;
  return typeof value === 'number' ? value : undefined;
}

export function listAt(object: JsonValue | undefined, ...path: Steps): JsonValue[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value : [];
}

export function objectsAt(object: JsonValue | undefined, ...path: Steps): JsonObject[] {
  return listAt(object, ...path).filter(isObject);
}

export function textsAt(object: JsonValue | undefined, ...path: Steps): string[] {
  return listAt(object, ...path).filter((value) => typeof value === 'string');
}

/** Labels, annotations and the like: the entries whose values are texts. */
export function textMapAt(object: JsonValue | undefined, ...path: Steps): Map<string, string> {
  const map = new Map<string, string>();
  const value = objectAt(object, ...path) ?? {};
  // Not by entries, of which each is a list: a selector may have a hundred thousand.
  for (const key of Object.keys(value)) {
    const entry = value[key];
    if (typeof entry === 'string') map.set(key, entry);
  }
  return map;
}
