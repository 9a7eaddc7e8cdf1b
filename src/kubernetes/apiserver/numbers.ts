/**
 * Numbers as the API server holds them: an integer literal within 64 bits is an int64, every other
 * literal a float64 (sigs.k8s.io/json). `1` and `1.0` are different values.
 */
import { NumberText, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import { BadRequest } from './field-error.js';
import { type JsonNumber, cannotUnmarshal, int64Of, minInt64 } from '../../text/go/index.js';

/** Whether the API server reads this literal as an int64. */
function isInteger(value: JsonNumber): boolean {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) || (Number.isInteger(value) && int64Of(value) !== undefined);
  }
  return int64Of(value) !== undefined;
}

/** A number as it is stored: a float64 without a fraction is written as an integer, and read as one. */
export function asStored(value: JsonValue): JsonValue {
  const isWhole = value instanceof NumberText && Number.isInteger(value.value) && !isInteger(value);
  return isWhole ? value.value + 0 : value;
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

/** As Go's decoder does. @throws BadRequest */
export function checkNumbers(root: JsonValue): void {
  if (!holdsHugeNumber(root)) return;
  // Of several the first in the document is named.
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof NumberText) {
      if (!Number.isFinite(value.value)) {
        throw new BadRequest(cannotUnmarshal(`number ${value.text}`, 'float64'));
      }
    } else if (typeof value === 'object' && value !== null)
      append(open, Object.values(value).reverse());
  }
}

function holdsHugeNumber(root: JsonValue): boolean {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof NumberText) {
      if (!Number.isFinite(value.value)) return true;
    } else if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) open.push(item);
    } else {
      for (const key in value as JsonObject) {
        const item = (value as JsonObject)[key];
        if (typeof item === 'object' && item !== null) open.push(item);
      }
    }
  }
  return false;
}
