/**
 * Numbers as sigs.k8s.io/json decodes them into an `interface{}`: a literal without fraction and
 * exponent that fits 64 bits is an int64, every other one a float64. `1` and `1.0` are different values.
 */
import { NumberText } from '../documents/value.js';

export type JsonNumber = number | NumberText;

export const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof NumberText;
}

/** The int64 that is read, or undefined where it is a float64. */
export function int64Of(value: JsonNumber): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value.text;
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const integer = BigInt(text);
  return integer >= minInt64 && integer <= maxInt64 ? integer : undefined;
}

/** The value as a float64; an int64 is rounded as Go's conversion does. */
export function float64Of(value: JsonNumber): number {
  return typeof value === 'number' ? value : value.value;
}
