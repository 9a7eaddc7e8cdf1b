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

/** @param read gives undefined for a value of another shape */
function reader<Value>(
  shape: string,
  read: (value: JsonValue) => Value | undefined,
): (value: Maybe) => Value | undefined {
  return (value) => {
    if (value === undefined || value === null) return undefined;
    const found = read(value);
    if (found === undefined) throw invalidInput(`must be ${shape}`);
    return found;
  };
}

export function named(error: unknown, keyword: string): unknown {
  if (!(error instanceof InvalidInputError)) return error;
  return new InvalidInputError(error.code, `${keyword}: ${error.message}`);
}

export const readText = reader('text', (value) => (typeof value === 'string' ? value : undefined));

export const readFlag = reader('true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export const readFloat = reader('a number', (value) => {
  if (!(value instanceof NumberText)) return typeof value === 'number' ? value : undefined;
  // Go reads an integer literal such as -0 as an integer first.
  return value.isIntegerLiteral && value.value === 0 ? 0 : value.value;
});

export const readInteger = reader('an integer of at most 64 bits', (value) =>
  typeof value === 'number' || value instanceof NumberText ? readInt64(value) : undefined,
);

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

export const readList = reader('a list', (value) =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : undefined,
);

const emptySchema: JsonObject = Object.freeze({});

export const readObject = reader('an object', (value) => (isObject(value) ? value : undefined));

/** A schema in a list or a map, where null stands for a schema without keywords. */
export function readSchema(value: Maybe): JsonObject {
  return readObject(value) ?? emptySchema;
}

/** `additionalProperties` and `additionalItems`. @throws InvalidInputError for any other shape. */
export const readSchemaOrFlag = reader('true, false or a schema', (value) =>
  typeof value === 'boolean' || isObject(value) ? value : undefined,
);
