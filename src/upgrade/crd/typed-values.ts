/** Values of keywords as the API's types hold them, whatever their JSON looked like. */
import {
  InvalidInputError,
  invalidInput,
  isObject,
  NumberText,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { int64Of, marshalJson } from '../../text/go/index.js';

type Maybe = JsonValue | undefined;

const wrong = (what: string): InvalidInputError => invalidInput(what);

export function named(error: unknown, keyword: string): unknown {
  if (!(error instanceof InvalidInputError)) return error;
  return new InvalidInputError(error.code, `${keyword}: ${error.message}`);
}

export function readText(value: Maybe): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw wrong('must be text');
}

export function readFlag(value: Maybe): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw wrong('must be true or false');
}

export function readFloat(value: Maybe): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  if (!(value instanceof NumberText)) throw wrong('must be a number');
  // Go reads an integer literal such as -0 as an integer first.
  return value.isIntegerLiteral && value.value === 0 ? 0 : value.value;
}

export function readInteger(value: Maybe): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const integer =
    typeof value === 'number' || value instanceof NumberText ? readInt64(value) : undefined;
  if (integer === undefined) throw wrong('must be an integer of at most 64 bits');
  return integer;
}

/** As Go's decoder: an integer when it is written as one and fits 64 bits, or is a float without fraction. */
function readInt64(value: number | NumberText): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (value.isIntegerLiteral) return int64Of(value);
  return Number.isSafeInteger(value.value) ? BigInt(value.value) : undefined;
}

/** A default or an example as canonical JSON; `null` is no value. */
export function readJson(value: Maybe): string | undefined {
  return value === undefined || value === null ? undefined : marshalJson(value);
}

/** The values of an `enum` as canonical JSON; a `null` among them is the empty text, as in the reference. */
export function readJsonList(value: Maybe): readonly string[] | undefined {
  return readList(value)?.map((item) => (item === null ? '' : marshalJson(item)));
}

export function readTextList(value: Maybe): readonly string[] | undefined {
  return readList(value)?.map((item) => readText(item) ?? '');
}

export function readList(value: Maybe): readonly JsonValue[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value;
  throw wrong('must be a list');
}

const emptySchema: JsonObject = Object.freeze({});

export function readObject(value: Maybe): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw wrong('must be an object');
}

/** A schema in a list or a map, where null stands for a schema without keywords. */
export function readSchema(value: Maybe): JsonObject {
  return readObject(value) ?? emptySchema;
}

/** `additionalProperties` and `additionalItems`. @throws InvalidInputError for any other shape. */
export function readSchemaOrFlag(value: Maybe): JsonObject | boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean' || isObject(value)) return value;
  throw wrong('must be true, false or a schema');
}
