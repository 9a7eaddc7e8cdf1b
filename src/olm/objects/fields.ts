/**
 * Looks into Kubernetes objects that may have any shape: what is not there, or is of another type,
 * reads as absent. The API server has judged the shape already; a rule only has to survive it.
 */
import {
  isObject,
  NumberText,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';

export function valueAt(object: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  let value = object;
  for (const key of path) {
    if (!isObject(value)) return undefined;
    value = own(value, key);
  }
  return value;
}

export function objectAt(object: JsonValue | undefined, ...path: string[]): JsonObject | undefined {
  const value = valueAt(object, ...path);
  return isObject(value) ? value : undefined;
}

export function textAt(object: JsonValue | undefined, ...path: string[]): string | undefined {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : undefined;
}

export function flagAt(object: JsonValue | undefined, ...path: string[]): boolean {
  return valueAt(object, ...path) === true;
}

export function numberAt(object: JsonValue | undefined, ...path: string[]): number | undefined {
  const value = valueAt(object, ...path);
  if (value instanceof NumberText) return value.value;
  return typeof value === 'number' ? value : undefined;
}

export function listAt(object: JsonValue | undefined, ...path: string[]): JsonValue[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value : [];
}

export function objectsAt(object: JsonValue | undefined, ...path: string[]): JsonObject[] {
  return listAt(object, ...path).filter(isObject);
}

export function textsAt(object: JsonValue | undefined, ...path: string[]): string[] {
  return listAt(object, ...path).filter((value) => typeof value === 'string');
}

/** Labels, annotations and the like: the entries whose values are texts. */
export function textMapAt(object: JsonValue | undefined, ...path: string[]): Map<string, string> {
  const map = new Map<string, string>();
  const value = objectAt(object, ...path) ?? {};
  // Not by entries, of which each is a list: a selector may have a hundred thousand.
  for (const key of Object.keys(value)) {
    const entry = value[key];
    if (typeof entry === 'string') map.set(key, entry);
  }
  return map;
}
