/**
 * `set` (items) and `map` (keys). Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go.
 */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { identity } from './equality.js';
import { child, duplicate, invalid, type FieldError } from './field-error.js';
import type { SchemaNode } from './schema.js';
import { isNumber, marshalJson } from '../../text/go/index.js';

export function validateLists(
  value: JsonValue,
  schema: SchemaNode,
  path: string,
  errors: FieldError[],
): void {
  if (typeof value !== 'object' || value === null || !schema.holds('listTypes')) return;
  if (Array.isArray(value)) validateList(value, schema, path, errors);
  else if (isObject(value)) validateFields(value, schema, path, errors);
}

function validateFields(
  object: JsonObject,
  schema: SchemaNode,
  path: string,
  errors: FieldError[],
): void {
  const additional = schema.additionalProperties?.schema;
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    if (typeof value !== 'object') continue;
    // Both apply where both are there, as upstream has it.
    if (additional !== undefined) validateLists(value, additional, `${path}[${key}]`, errors);
    const property = schema.properties?.get(key);
    if (property !== undefined) validateLists(value, property, child(path, key), errors);
  }
}

function validateList(
  list: readonly JsonValue[],
  schema: SchemaNode,
  path: string,
  errors: FieldError[],
): void {
  if (schema.listType === 'set') {
    if (areTextsApart(list)) return;
    repeated(list.map(itemIdentity)).forEach((index) =>
      errors.push(duplicate(`${path}[${index}]`)),
    );
  } else if (schema.listType === 'map') {
    validateListMap(list, schema.listMapKeys, path, errors);
  }
  const { items } = schema;
  if (items === undefined) return;
  list.forEach((item, index) => {
    validateLists(item, items, `${path}[${index}]`, errors);
  });
}

function validateListMap(
  list: readonly JsonValue[],
  keys: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const stray = list.findIndex((item) => item !== null && !isObject(item));
  if (stray >= 0) {
    errors.push(invalid(`${path}[${stray}]`, 'must be an object for an array of list-type map'));
    return;
  }
  const identities = list.map((item) => {
    const object = item as JsonObject | null;
    if (keys.length !== 1) return compositeKey(object, keys);
    const key = object === null ? undefined : own(object, keys[0] ?? '');
    return key === undefined ? 'unspecified' : itemIdentity(key);
  });
  repeated(identities).forEach((index) => errors.push(duplicate(`${path}[${index}]`)));
}

function compositeKey(object: JsonObject | null, keys: readonly string[]): string {
  const parts = keys
    .filter((key) => object !== null && Object.hasOwn(object, key))
    .map(
      (key) => `${JSON.stringify(key)}:${marshalJson((object as JsonObject)[key] as JsonValue)}`,
    );
  return parts.sort().join(',');
}

/** Most sets are of texts without a repetition, and texts hold no lists. */
function areTextsApart(list: readonly JsonValue[]): boolean {
  return list.every((item) => typeof item === 'string') && new Set(list).size === list.length;
}

/** Scalars differ by their type (`1` and `1.0`), lists and objects by their JSON. */
function itemIdentity(value: JsonValue): string {
  const compound = typeof value === 'object' && value !== null && !isNumber(value);
  return compound ? `j${marshalJson(value)}` : `v${identity(value)}`;
}

/** The second place of each value that is there more than once; further ones are not reported. */
function repeated(identities: readonly string[]): number[] {
  const times = new Map<string, number>();
  const places: number[] = [];
  identities.forEach((id, index) => {
    const count = (times.get(id) ?? 0) + 1;
    times.set(id, count);
    if (count === 2) places.push(index);
  });
  return places;
}
