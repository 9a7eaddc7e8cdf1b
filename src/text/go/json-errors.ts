/** Errors of Go's `encoding/json` for a value that does not fit its Go type. */
import { isObject } from '../documents/value.js';
import { isNumber } from './json-number.js';

export type JsonKind = 'array' | 'bool' | 'null' | 'number' | 'object' | 'string';

/** Go's name for the kind of a decoded value. */
export function jsonKind(value: unknown): JsonKind {
  if (isObject(value)) return 'object';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : value === null ? 'null' : 'string';
}

/**
 * The text of a `json.UnmarshalTypeError`.
 *
 * @param what a {@link JsonKind}, or `number 1e400` where the literal does not fit
 * @param type the Go type that should have been filled
 * @param field the path of the struct's field, with the struct's name before it
 */
export function cannotUnmarshal(what: string, type: string, field = ''): string {
  return field === ''
    ? `json: cannot unmarshal ${what} into Go value of type ${type}`
    : `json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`;
}
