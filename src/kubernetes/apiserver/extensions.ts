/** Embedded resources, sets and maps. Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{objectmeta,listtype}. */
import {
  defineOwn,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import {
  BadRequest,
  child,
  invalid,
  invalids,
  required,
  type FieldError,
  duplicate,
} from './field-error.js';
import { pathSegmentName, validateMeta, type MetaWording } from './meta-validation.js';
import { label1035Problems } from '../../text/formats/names.js';
import { decodeObjectMeta, decodeObjectMetaLeniently, metaText } from './object-meta.js';
import { printed } from './schema-errors.js';
import type { SchemaNode } from './schema.js';
import { append } from '../../text/long-lists.js';
import { identity } from './equality.js';
import { isNumber, marshalJson } from '../../text/go/index.js';

/** @param lenient drops what cannot be decoded, as for defaults @throws BadRequest unless lenient */
export function coerceEmbedded(object: JsonObject, path: string, lenient = false): JsonObject {
  const coerced: JsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    if ((key === 'apiVersion' || key === 'kind') && typeof value !== 'string') {
      if (lenient) continue;
      throw badField(child(path, key), value, 'must be a string');
    }
    defineOwn(coerced, key, key === 'metadata' ? coerceMeta(value, path, lenient) : value);
  }
  return coerced;
}

function coerceMeta(value: JsonValue, path: string, lenient: boolean): JsonValue {
  try {
    return decodeObjectMeta(value);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    if (lenient) return isObject(value) ? decodeObjectMetaLeniently(value) : value;
    throw badField(child(path, 'metadata'), value, error.message);
  }
}

function badField(field: string, value: JsonValue, detail: string): BadRequest {
  return new BadRequest(`${field}: Invalid value: ${printed(value)}: ${detail}`);
}

/** Walks to every embedded resource of an object and validates its type and metadata. */
export function validateEmbedded(
  value: JsonValue,
  schema: SchemaNode | undefined,
  path: string,
  errors: FieldError[],
  wording?: MetaWording,
): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      validateEmbedded(item, schema.items, `${path}[${index}]`, errors, wording);
    });
    return;
  }
  if (!isObject(value)) return;
  if (schema.embeddedResource) validateResource(value, path, errors, wording);
  for (const key of Object.keys(value)) {
    const property = schema.properties?.get(key);
    const item = value[key] as JsonValue;
    if (property !== undefined) validateEmbedded(item, property, child(path, key), errors, wording);
    else
      validateEmbedded(
        item,
        schema.additionalProperties?.schema,
        `${path}[${key}]`,
        errors,
        wording,
      );
  }
}

function validateResource(
  object: JsonObject,
  path: string,
  errors: FieldError[],
  wording?: MetaWording,
): void {
  for (const key of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(object, key)) errors.push(required(child(path, key)));
  }
  const apiVersion = own(object, 'apiVersion');
  if (apiVersion !== undefined) {
    append(
      errors,
      problems(child(path, 'apiVersion'), apiVersion, (text: string) =>
        text.split('/').length > 2 ? [`unexpected GroupVersion string: ${text}`] : [],
      ),
    );
  }
  const kind = own(object, 'kind');
  if (kind !== undefined)
    append(
      errors,
      problems(child(path, 'kind'), kind, (text: string): string[] => {
        const reasons = label1035Problems(text.toLowerCase());
        if (reasons.length === 0) return [];
        return [`may have mixed case, but should otherwise match: ${reasons.join(',')}`];
      }),
    );
  const metadata = own(object, 'metadata');
  if (metadata === undefined) return;
  const field = child(path, 'metadata');
  try {
    const meta = decodeObjectMeta(metadata);
    const named = metaText(meta, 'name') === '' ? { ...meta, name: 'fakename' } : meta;
    const namespaced = metaText(meta, 'namespace') !== '';
    append(errors, validateMeta(named, namespaced, pathSegmentName, field, wording));
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    errors.push(invalid(field, error.message));
  }
}

function problems(
  field: string,
  value: JsonValue,
  check: (text: string) => string[],
): FieldError[] {
  if (typeof value !== 'string') return [invalid(field, 'must be a string')];
  if (value === '') return [invalid(field, 'must not be empty')];
  return invalids(field, check(value));
}

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
    if (list.every((item) => typeof item === 'string') && new Set(list).size === list.length)
      return;
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
