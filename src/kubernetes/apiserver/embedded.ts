/** x-kubernetes-embedded-resource. Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta. */
import {
  defineOwn,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { BadRequest, child, invalid, required, type FieldError } from './field-error.js';
import { pathSegmentName, validateMeta, type MetaWording } from './meta-validation.js';
import { label1035Problems } from '../../text/formats/names.js';
import { decodeObjectMeta, decodeObjectMetaLeniently, metaText } from './object-meta.js';
import type { SchemaNode } from './schema.js';
import { printed } from './schema-errors.js';
import { append } from '../../text/long-lists.js';

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
    append(errors, problems(child(path, 'apiVersion'), apiVersion, apiVersionProblems));
  }
  const kind = own(object, 'kind');
  if (kind !== undefined) append(errors, problems(child(path, 'kind'), kind, kindProblems));
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
  return check(value).map((problem) => invalid(field, problem));
}

function apiVersionProblems(text: string): string[] {
  return text.split('/').length > 2 ? [`unexpected GroupVersion string: ${text}`] : [];
}

function kindProblems(text: string): string[] {
  const reasons = label1035Problems(text.toLowerCase());
  if (reasons.length === 0) return [];
  return [`may have mixed case, but should otherwise match: ${reasons.join(',')}`];
}
