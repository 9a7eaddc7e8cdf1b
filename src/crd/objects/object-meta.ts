/**
 * Decodes `metadata` as the API server does: through metav1.ObjectMeta, so that fields of other
 * types are refused, unknown fields vanish and empty ones are left out.
 */
import {
  defineOwn,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../documents/index.js';
import { BadRequest } from './field-error.js';
import { parseTimestamp, timeError } from './formats/time.js';
import { float64Of, int64Of, isNumber } from './numbers.js';

/** A field's decoder: undefined leaves the field out. `path` is as Go names it in errors. */
type Decode = (value: JsonValue, path: string) => JsonValue | undefined;

function mismatch(value: JsonValue, path: string, expected: string): BadRequest {
  const place = path === '' ? '' : `Go struct field ${path} of type `;
  const target = path === '' ? `Go value of type ${expected}` : `${place}${expected}`;
  return new BadRequest(`json: cannot unmarshal ${jsonKind(value)} into ${target}`);
}

function jsonKind(value: JsonValue): string {
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'string' : 'object';
}

const text: Decode = (value, path) => {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  return value === '' ? undefined : value;
};

function integer(keepZero: boolean): Decode {
  return (value, path) => {
    if (!isNumber(value)) throw mismatch(value, path, 'int64');
    const number = int64Of(value);
    if (number === undefined) {
      const literal = typeof value === 'number' ? String(value) : value.text;
      throw new BadRequest(
        `json: cannot unmarshal number ${literal} into Go struct field ${path} of type int64`,
      );
    }
    return number === 0n && !keepZero ? undefined : value;
  };
}

const flag: Decode = (value, path) => {
  if (typeof value !== 'boolean') throw mismatch(value, path, 'bool');
  return value;
};

const time: Decode = (value, path) => {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  const nanoseconds = parseTimestamp(value);
  if (nanoseconds === undefined) throw new BadRequest(timeError(value, 'date-time'));
  return `${new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, 19)}Z`;
};

const textMap: Decode = (value, path) => {
  if (!isObject(value)) throw mismatch(value, path, 'map[string]string');
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  if (keys.every((key) => typeof value[key] === 'string')) return value;
  const result: JsonObject = {};
  for (const key of keys) {
    const item = value[key] as JsonValue;
    if (item !== null && typeof item !== 'string') throw mismatch(item, path, 'string');
    defineOwn(result, key, item ?? '');
  }
  return result;
};

function list(element: string, decode: (value: JsonValue, path: string) => JsonValue): Decode {
  return (value, path) => {
    if (!Array.isArray(value)) throw mismatch(value, path, `[]${element}`);
    return value.length === 0 ? undefined : value.map((item) => decode(item, path));
  };
}

function struct(name: string, fields: ReadonlyMap<string, Decode>, always: readonly string[]) {
  return (value: JsonValue, path: string): JsonObject => {
    const field = path.slice(path.indexOf('.') + 1);
    if (value !== null && !isObject(value)) throw mismatch(value, path, `v1.${name}`);
    const decoded = decodeFields(value ?? {}, fields, (key) => `${name}.${field}.${key}`);
    for (const key of always) if (!Object.hasOwn(decoded, key)) decoded[key] = '';
    return decoded;
  };
}

function decodeFields(
  source: JsonObject,
  fields: ReadonlyMap<string, Decode>,
  path: (key: string) => string,
): JsonObject {
  const decoded: JsonObject = {};
  for (const key of Object.keys(source)) {
    const decode = fields.get(key);
    const value = source[key] as JsonValue;
    if (decode === undefined || value === null) continue;
    const result = decode(value, path(key));
    if (result !== undefined) decoded[key] = result;
  }
  return decoded;
}

const ownerReference = new Map<string, Decode>([
  ['apiVersion', text],
  ['kind', text],
  ['name', text],
  ['uid', text],
  ['controller', flag],
  ['blockOwnerDeletion', flag],
]);

const managedFields = new Map<string, Decode>([
  ['manager', text],
  ['operation', text],
  ['apiVersion', text],
  ['time', time],
  ['fieldsType', text],
  ['fieldsV1', (value) => value],
  ['subresource', text],
]);

const objectMeta = new Map<string, Decode>([
  ['name', text],
  ['generateName', text],
  ['namespace', text],
  ['selfLink', text],
  ['uid', text],
  ['resourceVersion', text],
  ['generation', integer(false)],
  ['creationTimestamp', time],
  ['deletionTimestamp', time],
  ['deletionGracePeriodSeconds', integer(true)],
  ['labels', textMap],
  ['annotations', textMap],
  [
    'ownerReferences',
    list(
      'v1.OwnerReference',
      struct('OwnerReference', ownerReference, ['apiVersion', 'kind', 'name', 'uid']),
    ),
  ],
  [
    'finalizers',
    list('string', (value, path) => {
      if (value !== null && typeof value !== 'string') throw mismatch(value, path, 'string');
      return value ?? '';
    }),
  ],
  ['managedFields', list('v1.ManagedFieldsEntry', struct('ManagedFieldsEntry', managedFields, []))],
]);

/**
 * The metadata as the API server holds it.
 *
 * @throws BadRequest with Go's text for a field of the wrong type.
 */
export function decodeObjectMeta(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) throw mismatch(value, '', 'v1.ObjectMeta');
  return decodeFields(value, objectMeta, (key) => `ObjectMeta.${key}`);
}

/** The same, leaving out each field that cannot be decoded. */
export function decodeObjectMetaLeniently(value: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    try {
      Object.assign(
        kept,
        decodeFields({ [key]: value[key] as JsonValue }, objectMeta, () => key),
      );
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
    }
  }
  return kept;
}

/** A string field of decoded metadata, empty when absent. */
export function metaText(meta: JsonObject, key: string): string {
  const value = own(meta, key);
  return typeof value === 'string' ? value : '';
}

/** An int64 field of decoded metadata, 0 when absent. */
export function metaInteger(meta: JsonObject, key: string): number {
  const value = own(meta, key);
  return value !== undefined && isNumber(value) ? float64Of(value) : 0;
}
