import {
  type InvalidInputError,
  invalidInput,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { BadRequest, invalid, type FieldError } from './field-error.js';
import type { KnownSchemas } from './known-schemas.js';
import { checkNumbers } from './equality.js';
import type { Release } from './open-api.js';
import { readSchema } from './read-schema.js';
import type { SchemaNode } from './schema.js';
import { formatValue, int64Of, isNumber, typeName } from '../../text/go/index.js';

export interface VersionDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly schema: SchemaNode;
  /** spec.preserveUnknownFields of old definitions: nothing is pruned. */
  readonly preserveUnknownFields: boolean;
  readonly scale?: ScalePaths;
  readonly hasStatus: boolean;
  /** Objects are stored in another version, so that they are read without the defaults of this one. */
  readonly isConverted?: boolean;
  /** The Kubernetes release whose rules apply to values; 1.35 by default. */
  readonly release?: Release;
}

/**
 * Without a schema any object is accepted and no field kept. @param known of another definition @throws `E_INPUT`
 */
export function readDefinition(
  crd: JsonObject,
  version: string,
  known?: KnownSchemas,
): VersionDefinition {
  const spec = own(crd, 'spec');
  if (!isObject(spec ?? null)) throw missing('$.crd.spec', 'an object');
  const names = own(spec as JsonObject, 'names');
  const versions = own(spec as JsonObject, 'versions');
  if (!isObject(names ?? null)) throw missing('$.crd.spec.names', 'an object');
  if (!Array.isArray(versions)) throw missing('$.crd.spec.versions', 'a list');
  const index = versions.findIndex((entry) => isObject(entry) && own(entry, 'name') === version);
  const entry = versions[index];
  if (entry === undefined || !isObject(entry)) {
    const known = versions
      .map((each) => (isObject(each) ? text(own(each, 'name')) : ''))
      .join(', ');
    throw invalidInput(
      `the definition has no version "${version}"; it has ${known === '' ? 'none' : known}`,
      { path: '$.version' },
    );
  }
  const path = `$.crd.spec.versions[${index}]`;
  const scale = scaleOf(entry);
  const schema = schemaOf(entry);
  const isRead = known?.find(schema) !== undefined;
  try {
    checkNumbers(isRead ? { ...entry, schema: null } : entry);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    throw invalidInput(error.message, { path });
  }
  return {
    group: text(own(spec as JsonObject, 'group')),
    version,
    kind: text(own(names as JsonObject, 'kind')),
    namespaced: own(spec as JsonObject, 'scope') === 'Namespaced',
    schema: readSchema(schema, `${path}.schema.openAPIV3Schema`, known),
    preserveUnknownFields: own(spec as JsonObject, 'preserveUnknownFields') === true,
    hasStatus: subresource(entry, 'status') !== undefined,
    scale,
    ...(own(entry, 'storage') === false && { isConverted: true }),
    ...(known?.release && { release: known.release }),
  };
}

/** A version's openAPIV3Schema as it is in the definition, an empty one where there is none. */
export function schemaOf(version: JsonObject): JsonValue {
  const schema = own(version, 'schema');
  if (schema === undefined || !isObject(schema)) return {};
  return own(schema, 'openAPIV3Schema') ?? {};
}

function subresource(version: JsonObject, name: string): JsonObject | undefined {
  const subresources = own(version, 'subresources');
  if (subresources === undefined || !isObject(subresources)) return undefined;
  const found = own(subresources, name);
  return isObject(found) ? found : undefined;
}

function scaleOf(version: JsonObject): ScalePaths | undefined {
  const scale = subresource(version, 'scale');
  if (scale === undefined) return undefined;
  const labelSelector = own(scale, 'labelSelectorPath');
  return {
    specReplicas: text(own(scale, 'specReplicasPath')),
    statusReplicas: text(own(scale, 'statusReplicasPath')),
    ...(typeof labelSelector === 'string' ? { labelSelector } : {}),
  };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function missing(path: string, expected: string): InvalidInputError {
  return invalidInput(`must be ${expected}`, { path });
}

/** Source: k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

export function validateScale(object: JsonObject, scale: ScalePaths): FieldError[] {
  return [
    ...validateReplicas(object, scale.specReplicas),
    ...validateReplicas(object, scale.statusReplicas),
    ...(scale.labelSelector === undefined ? [] : validateSelector(object, scale.labelSelector)),
  ];
}

function validateReplicas(object: JsonObject, path: string): FieldError[] {
  const found = lookUp(object, path);
  if ('problem' in found) return [invalid(path, found.problem)];
  if (found.value === undefined) return [];
  const replicas = isNumber(found.value) ? int64Of(found.value) : undefined;
  if (replicas === undefined) return [invalid(path, accessorError(path, found.value, 'int64'))];
  if (replicas < 0n) return [invalid(path, 'should be a non-negative integer')];
  if (replicas > 2147483647n) return [invalid(path, 'should be less than or equal to 2147483647')];
  return [];
}

function validateSelector(object: JsonObject, path: string): FieldError[] {
  const found = lookUp(object, path);
  if ('problem' in found) return [invalid(path, found.problem)];
  if (found.value === undefined || typeof found.value === 'string') return [];
  return [invalid(path, accessorError(path, found.value, 'string'))];
}

function fieldsOf(path: string): string[] {
  return (path.startsWith('.') ? path.slice(1) : path).split('.');
}

/** unstructured.NestedFieldNoCopy: a null on the way counts as absent, at the end it is a value. */
function lookUp(
  object: JsonObject,
  path: string,
): { value: JsonValue | undefined } | { problem: string } {
  let value: JsonValue = object;
  const fields = fieldsOf(path);
  for (const [index, field] of fields.entries()) {
    if (value === null) return { value: undefined };
    if (!isObject(value)) {
      const place = `.${fields.slice(0, index + 1).join('.')}`;
      return { problem: accessorError(place, value, 'map[string]interface{}') };
    }
    const next = own(value, field);
    if (next === undefined) return { value: undefined };
    value = next;
  }
  return { value };
}

/** The sentence of unstructured's accessors about a value of another type. */
export function accessorError(path: string, value: JsonValue, expected: string): string {
  const place = `.${fieldsOf(path).join('.')}`;
  return `${place} accessor error: ${formatValue(value)} is of the type ${typeName(value)}, expected ${expected}`;
}
