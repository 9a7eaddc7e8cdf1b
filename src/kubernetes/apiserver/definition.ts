import {
  type InvalidInputError,
  invalidInput,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { BadRequest } from './field-error.js';
import type { KnownSchemas } from './known-schemas.js';
import { checkNumbers } from './numbers.js';
import type { Release } from './open-api.js';
import type { ScalePaths } from './scale.js';
import { readSchema } from './read-schema.js';
import type { SchemaNode } from './schema.js';

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
  refuseHugeNumbers(isRead ? { ...entry, schema: null } : entry, path);
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

function refuseHugeNumbers(version: JsonObject, path: string): void {
  try {
    checkNumbers(version);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    throw invalidInput(error.message, { path });
  }
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
