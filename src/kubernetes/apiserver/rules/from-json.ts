/** JSON to CEL by schema. Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go. */
import {
  type CelValue,
  Duration,
  EvaluationError,
  listOf,
  Opaque,
  spend,
  Timestamp,
  ValueMap,
  attempt,
  CelMap,
  isEqualToRead,
  noSuchOverload,
} from '../../../cel/index.js';
import { type JsonValue, own, type JsonObject } from '../../../text/documents/index.js';
import {
  corruptBase64,
  float64Of,
  int64Of,
  isNumber,
  type JsonNumber,
} from '../../../text/go/index.js';
import { sameValue } from '../equality.js';
import {
  offsetMinutes,
  parseDate,
  parseDuration,
  parseTimestamp,
  timeError,
} from '../../../text/formats/time.js';
import type { SchemaNode } from '../schema.js';
import {
  countOf,
  Foreign,
  isPlainList,
  isPlainObject,
  plainOf,
  plainTypeName,
  type Plain,
  ResourceList,
  ResourceMapList,
  ResourceSet,
  type Reader,
} from './resource-lists.js';
import { escapeName, unescapeName } from './field-names.js';

/** @throws EvaluationError for data that does not fit its schema */
type Read = (value: Plain) => CelValue;

/** Made once for a schema: rules read the same fields again and again. */
const readers = new WeakMap<SchemaNode, Read>();

/** @throws EvaluationError for data that does not fit its schema */
export function fromJson(value: Plain, schema: SchemaNode): CelValue {
  return readerOf(schema)(value);
}

function readerOf(schema: SchemaNode): Read {
  let read = readers.get(schema);
  if (read === undefined) readers.set(schema, (read = makeReader(schema)));
  return read;
}

/** Tries the usual value of the type first. */
function makeReader(schema: SchemaNode): Read {
  const type = schema.intOrString || specialFormats.has(schema.format) ? '' : schema.type;
  if (type === 'object') {
    const fields = new Fields(schema.embeddedResource ? schema.asResource() : schema);
    return (value) =>
      isPlainObject(value) ? new ResourceMap(value, fields) : readAny(value, schema);
  }
  if (type === 'integer') {
    return (value) =>
      typeof value === 'number' && Number.isSafeInteger(value)
        ? value >= 0 && value < small.length
          ? (small[value] ??= BigInt(value))
          : BigInt(value)
        : readAny(value, schema);
  }
  if (type === 'string' || type === 'boolean') {
    return (value) =>
      typeof value === type ? (value as string | boolean) : readAny(value, schema);
  }
  return (value) => readAny(value, schema);
}

/** Most integers are small, and are made once. */
const small: (bigint | undefined)[] = Array.from({ length: 16_384 });

const specialFormats = new Set(['duration', 'date', 'date-time', 'byte']);

function readAny(value: Plain, schema: SchemaNode): CelValue {
  if (value === null) {
    if (schema.nullable) return null;
    throw new EvaluationError('invalid data, got null for schema with nullable=false');
  }
  if (schema.intOrString) return intOrString(value);
  switch (schema.type) {
    case 'object':
      throw unfit('a map for the provided schema with type=object');
    case 'array':
      return listFrom(value, schema);
    case 'string':
      if (typeof value !== 'string') throw unfit(`string, got ${plainTypeName(value)}`);
      return textFrom(value, schema.format);
    case 'number':
      if (!isPlainNumber(value)) throw unfit(`float, got ${plainTypeName(value)}`);
      return float64Of(value);
    case 'integer': {
      const integer = isPlainNumber(value) ? int64Of(value) : undefined;
      if (integer === undefined) throw unfit(`int, got ${plainTypeName(value)}`);
      return integer;
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw unfit(`bool, got ${plainTypeName(value)}`);
      return value;
    default:
      if (schema.preserveUnknownFields) return new Preserved(value);
      throw new EvaluationError(
        `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
      );
  }
}

function isPlainNumber(value: Plain): value is JsonNumber {
  return !(value instanceof Foreign) && !isPlainList(value) && isNumber(value);
}

function unfit(expected: string): EvaluationError {
  return new EvaluationError(`invalid data, expected ${expected}`);
}

function intOrString(value: Plain): CelValue {
  if (typeof value === 'string') return value;
  const integer = isPlainNumber(value) ? int64Of(value) : undefined;
  if (integer !== undefined) return integer;
  throw unfit('XIntOrString value to be either a string or integer');
}

function listFrom(value: Plain, schema: SchemaNode): CelValue {
  if (!isPlainList(value)) throw unfit('an array for the provided schema with type=array');
  if (schema.items === undefined) {
    throw new EvaluationError('invalid array type, expected Items with a non-empty Schema');
  }
  const reader: Reader = { read: readerOf(schema.items), readWithoutSchema };
  switch (schema.listType) {
    case 'set':
      return new ResourceSet(value, schema, reader);
    case 'map':
      return new ResourceMapList(value, schema, reader);
    case 'atomic':
    case '':
    case undefined:
      return new ResourceList(value, schema, reader);
    default:
      throw new EvaluationError(
        `invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${schema.listType}`,
      );
  }
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
  const usual: Readonly<Record<string, string>> = { '-': '+', _: '/', '+': '!', '/': '!' };
  const wrong = corruptBase64(text.replaceAll(/[-_+/]/g, (character) => usual[character] ?? ''));
  if (wrong !== undefined) {
    throw new EvaluationError(
      `Invalid byte formatted string ${text}: illegal base64 data at input byte ${wrong}`,
    );
  }
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Data that is kept without a schema: it can only be compared. */
class Preserved extends Opaque {
  override readonly typeName = 'unknown';
  override readonly hash = this;

  constructor(readonly plain: Plain) {
    super();
  }

  override equals(other: CelValue): boolean {
    spend(countOf(this.plain));
    return samePlain(this.plain, plainOf(other));
  }
}

function samePlain(one: Plain, other: Plain): boolean {
  if (isPlainList(one) && isPlainList(other)) {
    return (
      one.length === other.length &&
      one.every((item, index) => samePlain(item, other[index] as Plain))
    );
  }
  const isForeign = one instanceof Foreign || other instanceof Foreign;
  return !isForeign && !isPlainList(one) && !isPlainList(other) && sameValue(one, other);
}

/** With the names and the nulls of the JSON, as Go's data has them. */
export function readWithoutSchema(value: Plain): CelValue {
  spend(1);
  if (isPlainList(value)) return listOf(value.map(readWithoutSchema));
  if (isPlainNumber(value)) return int64Of(value) ?? float64Of(value);
  if (isPlainObject(value)) {
    const entries = Object.keys(value).map(
      (key) => [key, readWithoutSchema(value[key] as JsonValue)] as const,
    );
    return new ValueMap(entries);
  }
  if (!(value instanceof Foreign)) return value;
  if (value.value instanceof EvaluationError) throw value.value;
  return value.value;
}

class Fields {
  readonly areNamed: boolean;
  /** Every entry has a schema, and its own name. */
  readonly isPlainMap: boolean;
  private readonly byKey = new Map<string, Field>();

  constructor(readonly schema: SchemaNode) {
    this.areNamed = (schema.properties?.size ?? 0) > 0;
    this.isPlainMap = !this.areNamed && !schema.embeddedResource && schema.additionalProperties?.schema !== undefined; // prettier-ignore
  }

  /** @param key as expressions name it; undefined for a field that they cannot see */
  find(key: string): Field | undefined {
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const name = this.areNamed ? unescapeName(key) : key;
    const schema = name === undefined ? undefined : this.schemaOf(name);
    if (name === undefined || schema === undefined) return undefined;
    const field = { name, read: readerOf(schema), isInherited: name in Object.prototype };
    if (this.areNamed) this.byKey.set(key, field);
    return field;
  }

  schemaOf(name: string): SchemaNode | undefined {
    if (this.areNamed || this.schema.embeddedResource) return this.schema.properties?.get(name);
    return this.schema.additionalProperties?.schema;
  }
}

interface Field {
  readonly name: string;
  readonly read: Read;
  /** Whether every JavaScript object inherits a property of this name. */
  readonly isInherited: boolean;
}

/**
 * An object of a resource. With properties in its schema it has fields, under escaped names, and a
 * null in a field counts as absent; with additionalProperties it is a map.
 *
 * Source: k8s.io/apiserver/pkg/cel/common/valuesunstructured.go.
 */
class ResourceMap extends CelMap {
  override get isOfResource(): boolean {
    return true;
  }

  constructor(
    readonly plain: JsonObject,
    private readonly fields: Fields,
  ) {
    super();
  }

  override get size(): number {
    return Object.keys(this.plain).length;
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const field = this.fields.find(key);
    if (field === undefined) return undefined;
    const { name } = field;
    const value = field.isInherited ? own(this.plain, name) : this.plain[name];
    if (value === undefined || (value === null && this.fields.areNamed)) return undefined;
    return field.read(value);
  }

  override keys(): CelValue[] {
    const names = Object.keys(this.plain);
    if (this.fields.isPlainMap) return names;
    return names
      .filter((name) => this.fields.schemaOf(name) !== undefined)
      .map((name) => (this.fields.areNamed ? (escapeName(name) ?? name) : name));
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelMap)) throw noSuchOverload();
    if (this.size !== other.size) return false;
    return Object.keys(this.plain).every((name) => {
      if (this.fields.schemaOf(name) !== undefined) return this.hasSame(name, other);
      // Fields without a schema are compared as they are, and only where both have them.
      if (!(other instanceof ResourceMap)) throw noSuchOverload();
      const theirs = own(other.plain, name);
      if (theirs === undefined) return true;
      spend(countOf(theirs));
      return sameValue(own(this.plain, name) as JsonValue, theirs);
    });
  }

  override withoutSchema(): CelMap {
    return readWithoutSchema(this.plain) as CelMap;
  }

  private hasSame(name: string, other: CelMap): boolean {
    const mine = this.find(name);
    const theirs = attempt(() => other.find(name));
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return isEqualToRead(mine, theirs);
  }
}
