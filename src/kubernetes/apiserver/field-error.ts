/** One refusal, as `metav1.Status` causes carry it. */
import { compareBytes, quote } from '../../text/go/index.js';

export type FieldErrorType =
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooShort'
  | 'FieldValueTooFew'
  | 'FieldValueDuplicate'
  | 'InternalError'
  | 'BadRequest';

export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.list[0].name`; `<nil>` for the object as a whole. */
  readonly field: string;
  readonly detail: string;
  /** The detail without values of the object, for readers who may not see these. */
  readonly withoutValues?: string;
  /** Whatever the object holds. An API server stores no such definition, unless its compiler knows better. */
  readonly isOfDefinition?: true;
}

/** The error that ends a request of an API server without any answer about the object. */
export function breakdown(field: string, over: string): FieldError {
  return { type: 'InternalError', field, detail: `the API server breaks down over ${over}` };
}

export const wholeObject = '<nil>';

/** Logical operators name the object as a whole and quote the place in their text. */
export function fieldOf({ field, detail }: FieldError): string {
  return field === wholeObject ? (/^"([^"]*)"/.exec(detail)?.[1] ?? '') : field;
}

const unchecked = 'some validation rules were not checked because the object was invalid;';

/** Said beside other errors: that they kept the validation rules from being asked. */
export const uncheckedRules = invalid(
  wholeObject,
  `${unchecked} correct the existing errors to complete validation`,
);

export function isUnchecked({ detail }: FieldError): boolean {
  return detail.startsWith(unchecked);
}

export function invalid(field: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, detail };
}

/** One for each problem. */
export function invalids(field: string, problems: readonly string[]): FieldError[] {
  return problems.map((detail) => invalid(field, detail));
}

export function required(field: string, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field, detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, detail };
}

export function notSupported(field: string, values: readonly string[]): FieldError {
  const listed = values.map(quote).join(', ');
  return { type: 'FieldValueNotSupported', field, detail: `supported values: ${listed}` };
}

export function duplicate(field: string): FieldError {
  return { type: 'FieldValueDuplicate', field, detail: '' };
}

export function tooLong(field: string, most: number): FieldError {
  const detail = `may not be more than ${most} ${most === 1 ? 'byte' : 'bytes'}`;
  return { type: 'FieldValueTooLong', field, detail: most < 0 ? 'value is too long' : detail };
}

export function tooMany(field: string, most: number): FieldError {
  const detail = `must have at most ${most} ${most === 1 ? 'item' : 'items'}`;
  return { type: 'FieldValueTooMany', field, detail: most < 0 ? 'has too many items' : detail };
}

/** `field.Path.Child` and `field.Path.Key`, on text. */
export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Thrown while an object is decoded: the API server answers 400 and judges nothing else. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** Sorts by field, type and detail, and drops nothing. */
export function sortErrors(errors: readonly FieldError[]): FieldError[] {
  return [...errors].sort(
    (left, right) =>
      compareBytes(left.field, right.field) ||
      compareBytes(left.type, right.type) ||
      compareBytes(left.detail, right.detail),
  );
}
