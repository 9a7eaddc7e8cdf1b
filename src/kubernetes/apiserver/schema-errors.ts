/** Errors of schema validation, and how they become a refusal: kube-openapi's errors and texts. */
import type { JsonValue } from '../../text/documents/index.js';
import {
  invalid,
  required as requiredField,
  tooLong,
  tooMany,
  wholeObject,
  type FieldError,
  type FieldErrorType,
} from './field-error.js';
import { formatNumber, formatValue, isNumber, marshalJson, quote } from '../../text/go/index.js';
import type { Correlated } from './equality.js';

/** Adds what it refuses to `errors`, and returns kube-openapi's match count. */
export type Check<Value = JsonValue> = (
  value: Value,
  path: string,
  errors: SchemaError[],
  correlated: Correlated | undefined,
) => number;

/** `message` is what equal errors are recognised by; `badValue` is the value that a full text shows. */
export interface SchemaError extends FieldError {
  readonly message: string;
  readonly badValue?: JsonValue;
  /** As servers have it that name what is too short or too few. */
  readonly named?: Pick<FieldError, 'type' | 'detail'>;
}

/** The place of an error: a leading dot is an empty root, and the root itself has no name. */
function place(path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path;
  return name === '' ? wholeObject : name;
}

/** An error with the value that is wrong, in kube-openapi's words. */
export function badValueError(path: string, message: string, badValue: JsonValue): SchemaError {
  return {
    type: 'FieldValueInvalid',
    field: place(path),
    detail: message,
    withoutValues: message,
    message,
    badValue,
  };
}

/** @param actual the name of the type that the value has */
export function typeError(path: string, expected: string, actual: string): SchemaError {
  const error = formatError(path, expected, actual);
  return { ...error, withoutValues: error.message };
}

export function formatError(path: string, format: string, value: string): SchemaError {
  const withoutValues = `${path} in body must be of type ${format}`;
  const message = `${withoutValues}: ${quote(value)}`;
  return {
    type: 'FieldValueTypeInvalid',
    field: place(path),
    detail: message,
    withoutValues,
    message,
    badValue: value,
  };
}

export function requiredError(path: string): SchemaError {
  return { ...requiredField(place(path)), message: `${path} in body is required` };
}

/** The list of values in an error about an enum; made once for each schema. */
export function enumTexts(values: readonly JsonValue[]): { detail: string; message: string } {
  const listed = values.map((value) => (typeof value === 'string' ? value : marshalJson(value)));
  return {
    detail: `supported values: ${listed.map(quote).join(', ')}`,
    message: `should be one of [${values.map((value) => formatValue(value)).join(' ')}]`,
  };
}

export function enumError(
  path: string,
  texts: { detail: string; message: string },
  badValue: JsonValue,
): SchemaError {
  return {
    type: 'FieldValueNotSupported',
    field: place(path),
    detail: texts.detail,
    withoutValues: texts.detail,
    message: `${path} in body ${texts.message}`,
    badValue,
  };
}

export function tooLongError(path: string, max: number): SchemaError {
  const message = `${path} in body should be at most ${max} chars long`;
  const error = tooLong(place(path), max);
  return { ...error, withoutValues: error.detail, message };
}

export function tooShortError(path: string, min: number, badValue: JsonValue): SchemaError {
  const error = badValueError(
    path,
    `${path} in body should be at least ${min} chars long`,
    badValue,
  );
  const detail = `must be at least ${min} ${min === 1 ? 'character' : 'characters'}`;
  return { ...error, named: { type: 'FieldValueTooShort', detail } };
}

/** Errors about ranges name the object as a whole. */
export function rangeError(subject: string, range: string, path: string): SchemaError {
  const message = `${subject} value must be of type ${range} in ${path}`;
  return { ...invalid(wholeObject, message), withoutValues: message, message, badValue: '' };
}

export function tooManyError(
  path: string,
  max: number,
  kind: 'items' | 'properties',
  actual: number,
): SchemaError {
  const error = tooMany(place(path), max);
  const message = `${path} in body should have at most ${max} ${kind}`;
  return { ...error, withoutValues: error.detail, message, badValue: actual };
}

export function tooFewError(
  path: string,
  min: number,
  kind: 'items' | 'properties',
  badValue: JsonValue,
): SchemaError {
  const error = badValueError(
    path,
    `${path} in body should have at least ${min} ${kind}`,
    badValue,
  );
  const detail = `must have at least ${min} ${min === 1 ? 'item' : 'items'}`;
  return { ...error, named: { type: 'FieldValueTooFew', detail } };
}

/** Errors of logical operators name the object as a whole. */
export function logicError(path: string, reason: string): SchemaError {
  const message = `${quote(path)} must ${reason}`;
  return { ...invalid(wholeObject, message), withoutValues: message, message, badValue: '' };
}

/** The whole text of an error below its place: `Invalid value: 1: …`, as field.Error prints it. */
export function errorBody(error: SchemaError): string {
  const { type, detail, badValue } = error;
  const kind = kinds[type] ?? type;
  const shown = badValue === undefined ? kind : `${kind}: ${printed(badValue)}`;
  return detail === '' ? shown : `${shown}: ${detail}`;
}

const kinds: Partial<Record<FieldErrorType, string>> = {
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
};

export function printed(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  return isNumber(value) ? formatNumber(value) : marshalJson(value);
}

/** Each message once, as kube-openapi merges its results. */
export function distinct(errors: readonly SchemaError[], namesTooFew = false): FieldError[] {
  const seen = new Set<string>();
  const result: FieldError[] = [];
  for (const { message, type, field, detail, withoutValues, named } of errors) {
    if (seen.has(message)) continue;
    seen.add(message);
    if (namesTooFew && named !== undefined) result.push({ field, ...named });
    else
      result.push({ type, field, detail, ...(withoutValues !== undefined && { withoutValues }) });
  }
  return result;
}
