/**
 * Decodes `metadata` as the API server does: through metav1.ObjectMeta, so that fields of other
 * types are refused, unknown fields vanish and empty ones are left out.
 */
import {
  defineOwn,
  isObject,
  own,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { BadRequest } from './field-error.js';
import { parseTimestamp, timeError } from '../../text/formats/time.js';
import {
  type JsonNumber,
  cannotUnmarshal,
  compareBytes,
  float64Of,
  int64Of,
  isNumber,
  jsonKind,
  marshalJson,
} from '../../text/go/index.js';

/** How one decoding goes through the keys of objects, and what it does with a value of another type. */
interface Decoding {
  readonly keysOf: (object: JsonObject) => readonly string[];
  readonly refuse: (error: BadRequest) => void;
}

/** A field's decoder: undefined leaves the field out. `path` is as Go names it in errors. */
type Decode = (value: JsonValue, path: string, decoding: Decoding) => JsonValue | undefined;

function mismatch(value: JsonValue, path: string, expected: string): BadRequest {
  return new BadRequest(cannotUnmarshal(jsonKind(value), expected, path));
}

function text(type = 'string'): Decode {
  return (value, path, { refuse }) => {
    if (typeof value === 'string') return value === '' ? undefined : value;
    refuse(mismatch(value, path, type));
    return undefined;
  };
}

function integer(keepZero: boolean): Decode {
  return (value, path, { refuse }) => {
    if (!isNumber(value)) {
      refuse(mismatch(value, path, 'int64'));
      return undefined;
    }
    // It is written out and read again: 1.0 has become 1 by then.
    const literal = marshalJson(value);
    const written = parseJson(literal) as JsonNumber;
    const number = int64Of(written);
    if (number === undefined) {
      refuse(new BadRequest(cannotUnmarshal(`number ${literal}`, 'int64', path)));
      return undefined;
    }
    return number === 0n && !keepZero ? undefined : written;
  };
}

const flag: Decode = (value, path, { refuse }) => {
  if (typeof value === 'boolean') return value;
  refuse(mismatch(value, path, 'bool'));
  return undefined;
};

/** The one type that decodes itself: what it refuses ends the decoding at once. */
const time: Decode = (value, path) => {
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  const nanoseconds = parseTimestamp(value);
  if (nanoseconds === undefined) throw new BadRequest(timeError(value, 'date-time'));
  return `${new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, 19)}Z`;
};

const textMap: Decode = (value, path, { keysOf, refuse }) => {
  if (!isObject(value)) {
    refuse(mismatch(value, path, 'map[string]string'));
    return undefined;
  }
  const keys = keysOf(value);
  if (keys.length === 0) return undefined;
  if (keys.every((key) => typeof value[key] === 'string')) return value;
  const result: JsonObject = {};
  for (const key of keys) {
    const item = value[key] as JsonValue;
    if (item !== null && typeof item !== 'string') refuse(mismatch(item, path, 'string'));
    defineOwn(result, key, typeof item === 'string' ? item : '');
  }
  return result;
};

function list(
  element: string,
  decode: (value: JsonValue, path: string, decoding: Decoding) => JsonValue,
): Decode {
  return (value, path, decoding) => {
    if (Array.isArray(value)) {
      return value.length === 0 ? undefined : value.map((item) => decode(item, path, decoding));
    }
    decoding.refuse(mismatch(value, path, `[]${element}`));
    return undefined;
  };
}

function struct(name: string, fields: ReadonlyMap<string, Decode>, always: readonly string[]) {
  return (value: JsonValue, path: string, decoding: Decoding): JsonObject => {
    const field = path.slice(path.indexOf('.') + 1);
    const isStruct = isObject(value);
    if (!isStruct && value !== null) decoding.refuse(mismatch(value, path, `v1.${name}`));
    const source = isStruct ? value : {};
    const decoded = decodeFields(source, fields, (key) => `${name}.${field}.${key}`, decoding);
    for (const key of always) if (!Object.hasOwn(decoded, key)) decoded[key] = '';
    return decoded;
  };
}

function decodeFields(
  source: JsonObject,
  fields: ReadonlyMap<string, Decode>,
  path: (key: string) => string,
  decoding: Decoding,
): JsonObject {
  const decoded: JsonObject = {};
  for (const key of decoding.keysOf(source)) {
    const decode = fields.get(key);
    const value = source[key] as JsonValue;
    if (decode === undefined || value === null) continue;
    const result = decode(value, path(key), decoding);
    if (result !== undefined) decoded[key] = result;
  }
  return decoded;
}

const ownerReference = new Map<string, Decode>([
  ['apiVersion', text()],
  ['kind', text()],
  ['name', text()],
  ['uid', text('types.UID')],
  ['controller', flag],
  ['blockOwnerDeletion', flag],
]);

const managedFields = new Map<string, Decode>([
  ['manager', text()],
  ['operation', text('v1.ManagedFieldsOperationType')],
  ['apiVersion', text()],
  ['time', time],
  ['fieldsType', text()],
  ['fieldsV1', (value) => value],
  ['subresource', text()],
]);

const objectMeta = new Map<string, Decode>([
  ['name', text()],
  ['generateName', text()],
  ['namespace', text()],
  ['selfLink', text()],
  ['uid', text('types.UID')],
  ['resourceVersion', text()],
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
    list('string', (value, path, { refuse }) => {
      if (value !== null && typeof value !== 'string') refuse(mismatch(value, path, 'string'));
      return typeof value === 'string' ? value : '';
    }),
  ],
  ['managedFields', list('v1.ManagedFieldsEntry', struct('ManagedFieldsEntry', managedFields, []))],
]);

/** Stops at the first value that cannot be decoded, whichever it is. */
const hasty: Decoding = {
  keysOf: Object.keys,
  refuse: (error) => {
    throw error;
  },
};

/** @throws BadRequest with Go's text for a field of the wrong type */
export function decodeObjectMeta(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) throw mismatch(value, '', 'v1.ObjectMeta');
  try {
    return decodeFields(value, objectMeta, fieldOfMeta, hasty);
  } catch (error) {
    throw error instanceof BadRequest ? refusalOf(value) : error;
  }
}

const fieldOfMeta = (key: string): string => `ObjectMeta.${key}`;

/**
 * Keys in the order in which a map is written; a wrong type is reported when nothing after it ends the decoding.
 */
function refusalOf(value: JsonObject): unknown {
  let first: BadRequest | undefined;
  const decoding: Decoding = {
    keysOf: (object) => Object.keys(object).sort(compareBytes),
    refuse: (error) => {
      first ??= error;
    },
  };
  try {
    decodeFields(value, objectMeta, fieldOfMeta, decoding);
  } catch (error) {
    return error;
  }
  return first;
}

/** The same, leaving out each field that cannot be decoded. */
export function decodeObjectMetaLeniently(value: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    try {
      const single = { [key]: value[key] as JsonValue };
      Object.assign(kept, decodeFields(single, objectMeta, fieldOfMeta, hasty));
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

export function generationOf(meta: JsonObject): number {
  const value = own(meta, 'generation');
  return value !== undefined && isNumber(value) ? float64Of(value) : 0;
}
