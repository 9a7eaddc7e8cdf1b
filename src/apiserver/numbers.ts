/**
 * Numbers as the API server holds them: an integer literal within 64 bits is an int64, every other
 * literal a float64 (sigs.k8s.io/json). `1` and `1.0` are different values.
 */
import { NumberText, type JsonValue } from '../text/documents/index.js';
import { formatFloat } from '../crd/go-text.js';
import { BadRequest } from './field-error.js';

export type JsonNumber = number | NumberText;

export const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof NumberText;
}

/** Whether the API server reads this literal as an int64. */
export function isInteger(value: JsonNumber): boolean {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) || (Number.isInteger(value) && int64Of(value) !== undefined);
  }
  return int64Of(value) !== undefined;
}

/** The int64 that the API server reads, or undefined where it reads a float64. */
export function int64Of(value: JsonNumber): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value.text;
  if (!/^-?\d+$/.test(text)) return undefined;
  const integer = BigInt(text);
  return integer >= minInt64 && integer <= maxInt64 ? integer : undefined;
}

/** The value as a float64; an int64 is rounded as Go's conversion does. */
export function float64Of(value: JsonNumber): number {
  return typeof value === 'number' ? value : value.value;
}

/** Go's conversion of a float64 to an int64 on amd64: truncated, out of range is the least int64. */
export function truncateToInt64(value: number): bigint {
  if (!(value >= -9223372036854775808 && value < 9223372036854775808)) return minInt64;
  return BigInt(Math.trunc(value));
}

/** Whether swag.IsFloat64AJSONInteger holds: integral within a relative error of 1e-9 below 2^53. */
export function isJsonInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  if (value < 0 || whole === 0) return false;
  return Math.abs(value - whole) / (value + whole) < 1e-9;
}

/** A number as `%v` prints it in an error. */
export function formatNumber(value: JsonNumber): string {
  const integer = int64Of(value);
  return integer === undefined ? formatFloat(float64Of(value)) : integer.toString();
}

/** The JSON type that kube-openapi gives a value. */
export function schemaTypeOf(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return isInteger(value) ? 'integer' : 'number';
    default:
      if (value === null) return 'null';
      if (value instanceof NumberText) return isInteger(value) ? 'integer' : 'number';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

/**
 * Refuses numbers that no float64 holds, as Go's decoder does.
 *
 * @throws BadRequest
 */
export function checkNumbers(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof NumberText) {
    if (!Number.isFinite(value.value)) {
      throw new BadRequest(
        `json: cannot unmarshal number ${value.text} into Go value of type float64`,
      );
    }
  } else if (Array.isArray(value)) for (const item of value) checkNumbers(item);
  else for (const key of Object.keys(value)) checkNumbers(value[key] as JsonValue);
}
