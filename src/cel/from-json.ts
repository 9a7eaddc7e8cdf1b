/**
 * From an object's JSON to values of CEL, by schema, and back.
 *
 * Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
import { isObject, NumberText, type JsonObject, type JsonValue } from '../text/documents/index.js';
import { sameValue } from '../apiserver/equality.js';
import {
  offsetMinutes,
  parseDate,
  parseDuration,
  parseTimestamp,
  timeError,
} from '../text/formats/time.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { EvaluationError, noSuchOverload } from './errors.js';
import { CelList, JsonList, ValueList } from './lists.js';
import { CelMap, JsonMap, ValueMap } from './maps.js';
import { Duration, Opaque, Timestamp, Uint, type CelValue } from './values.js';
import { float64Of, int64Of, isNumber, typeName } from '../text/go/index.js';

/** @throws EvaluationError for data that does not fit its schema */
export function fromJson(value: JsonValue, schema: SchemaNode): CelValue {
  if (value === null) {
    if (schema.nullable) return null;
    throw new EvaluationError('invalid data, got null for schema with nullable=false');
  }
  if (schema.intOrString) return intOrString(value);
  switch (schema.type) {
    case 'object':
      if (!isObject(value)) throw unfit('a map for the provided schema with type=object');
      return new JsonMap(value, schema.embeddedResource ? withTypeAndMeta(schema) : schema);
    case 'array':
      return listFrom(value, schema);
    case 'string':
      if (typeof value !== 'string') throw unfit(`string, got ${typeName(value)}`);
      return textFrom(value, schema.format);
    case 'number':
      if (!isNumber(value)) throw unfit(`float, got ${typeName(value)}`);
      return float64Of(value);
    case 'integer': {
      const integer = isNumber(value) ? int64Of(value) : undefined;
      if (integer === undefined) throw unfit(`int, got ${typeName(value)}`);
      return integer;
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw unfit(`bool, got ${typeName(value)}`);
      return value;
    default:
      if (schema.preserveUnknownFields) return new Preserved(value);
      throw new EvaluationError(
        `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
      );
  }
}

function unfit(expected: string): EvaluationError {
  return new EvaluationError(`invalid data, expected ${expected}`);
}

function intOrString(value: JsonValue): CelValue {
  if (typeof value === 'string') return value;
  const integer = isNumber(value) ? int64Of(value) : undefined;
  if (integer !== undefined) return integer;
  throw unfit('XIntOrString value to be either a string or integer');
}

function listFrom(value: JsonValue, schema: SchemaNode): CelValue {
  if (!Array.isArray(value)) throw unfit('an array for the provided schema with type=array');
  if (schema.items === undefined) {
    throw new EvaluationError('invalid array type, expected Items with a non-empty Schema');
  }
  return new JsonList(value, schema, schema.items);
}

function textFrom(text: string, format: string): CelValue {
  switch (format) {
    case 'duration': {
      const nanoseconds = parseDuration(text);
      if (nanoseconds !== undefined) return new Duration(nanoseconds);
      throw new EvaluationError(`Invalid duration ${text}: unable to parse ${text} as duration`);
    }
    case 'date': {
      const days = parseDate(text);
      if (days !== undefined) return new Timestamp(BigInt(days) * 86_400_000_000_000n);
      throw new EvaluationError(
        `Invalid date formatted string ${text}: ${timeError(text, 'date')}`,
      );
    }
    case 'date-time': {
      const nanoseconds = text === '' ? 0n : parseTimestamp(text, true);
      if (nanoseconds !== undefined) return new Timestamp(nanoseconds, offsetMinutes(text));
      throw new EvaluationError(
        `Invalid date-time formatted string ${text}: ${timeError(text, 'local')}`,
      );
    }
    case 'byte':
      return bytesFrom(text);
    default:
      return text;
  }
}

/** Padded base64 with the alphabet of URLs, which is not the alphabet that format byte checks. */
function bytesFrom(text: string): Uint8Array {
  const clean = text.replaceAll(/[\r\n]/g, '');
  const wrong =
    /[^A-Za-z0-9_=-]/.exec(clean)?.index ?? (clean.length % 4 === 0 ? -1 : clean.length);
  if (wrong >= 0) {
    throw new EvaluationError(
      `Invalid byte formatted string ${text}: illegal base64 data at input byte ${wrong}`,
    );
  }
  return new Uint8Array(Buffer.from(clean, 'base64url'));
}

/** Data that is kept without a schema: it can only be compared. */
class Preserved extends Opaque {
  override readonly typeName = 'unknown';

  constructor(readonly json: JsonValue) {
    super();
  }

  override equals(other: CelValue): boolean {
    return sameValue(this.json, toJson(other));
  }
}

/**
 * The value as an optional holds it: objects and lists without their schema, with the names and the
 * nulls of the JSON behind them, because cel-go unwraps a variable that is optional.
 */
export function withoutSchema(value: CelValue): CelValue {
  if (value instanceof JsonMap || value instanceof JsonList) return fromPlainJson(value.json);
  if (value instanceof Preserved) return fromPlainJson(value.json);
  return value;
}

function fromPlainJson(value: JsonValue): CelValue {
  if (Array.isArray(value)) return new ValueList(value.map(fromPlainJson));
  if (isNumber(value)) return int64Of(value) ?? float64Of(value);
  if (!isObject(value)) return value;
  return new ValueMap(
    Object.keys(value).map((key) => [key, fromPlainJson(value[key] as JsonValue)] as const),
  );
}

const text = { type: 'string' } as const;
const resourceSchemas = new WeakMap<SchemaNode, SchemaNode>();

/** The schema of a resource: kind, apiVersion, metadata.name and generateName can always be used. */
export function withTypeAndMeta(schema: SchemaNode): SchemaNode {
  const known = resourceSchemas.get(schema);
  if (known !== undefined) return known;
  const empty: SchemaNode = {
    type: '',
    nullable: false,
    format: '',
    exclusiveMaximum: false,
    exclusiveMinimum: false,
    pattern: '',
    uniqueItems: false,
    required: [],
    allOf: [],
    anyOf: [],
    oneOf: [],
    preserveUnknownFields: false,
    embeddedResource: false,
    intOrString: false,
    listMapKeys: [],
    rules: [],
  };
  const string: SchemaNode = { ...empty, ...text };
  const metadata: SchemaNode = {
    ...empty,
    type: 'object',
    properties: new Map([
      ['name', string],
      ['generateName', string],
    ]),
  };
  const properties = new Map(schema.properties);
  const own = properties.get('metadata')?.properties;
  const complete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    own?.get('name')?.type === 'string' &&
    own.get('generateName')?.type === 'string';
  if (!complete) {
    properties.set('kind', string).set('apiVersion', string).set('metadata', metadata);
  }
  const result: SchemaNode = { ...schema, properties };
  resourceSchemas.set(schema, result);
  return result;
}

/** A value as the JSON it would be stored as. @throws EvaluationError for values without JSON */
export function toJson(value: CelValue): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') {
    return Number.isInteger(value) ? new NumberText(`${value}.0`) : value;
  }
  if (typeof value === 'bigint' || value instanceof Uint) return jsonInteger(value);
  if (value instanceof Preserved) return value.json;
  if (value instanceof JsonMap) return value.json;
  if (value instanceof CelList) return [...value.items()].map(toJson);
  if (value instanceof CelMap) {
    const object: JsonObject = {};
    for (const key of value.keys()) {
      if (typeof key !== 'string') throw noSuchOverload();
      Object.defineProperty(object, key, {
        value: toJson(value.find(key) ?? null),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return object;
  }
  throw noSuchOverload();
}

function jsonInteger(value: bigint | Uint): JsonValue {
  const integer = typeof value === 'bigint' ? value : value.value;
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : new NumberText(String(integer));
}

/** A list of values. */
export function listOf(values: readonly CelValue[]): CelList {
  return new ValueList(values);
}
