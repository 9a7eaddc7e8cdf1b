/** Unsigned and signed 64-bit integers in decimal text. npm's semver stops at 2^53, the references do not. */
import { InvalidVersionError } from './error.js';
import { decimalOf, maxInt64, minInt64, quote } from '../go/index.js';

/** A number up to 2^53 - 1, a bigint only beyond: so `===`, `<` and `>` compare any two of them rightly. */
export type Integer = number | bigint;

const MAX_UINT64 = 2n ** 64n - 1n;

/** Rule: Go's strconv.ParseUint(text, 10, 64); undefined for what is no such number or too large. */
export function readUint64(text: string): Integer | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  if (text.length < 16) return Number(text);
  const value = decimalOf(text);
  return value === undefined || value > MAX_UINT64 ? undefined : smallest(value);
}

/** As {@link readUint64}, but throws {@link InvalidVersionError} with strconv's text. */
export function parseUint64(text: string): Integer {
  const value = readUint64(text);
  if (value !== undefined) return value;
  const reason = /^[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new InvalidVersionError(`strconv.ParseUint: parsing ${quote(text)}: ${reason}`);
}

/** Rule: Go's strconv.Atoi on a 64-bit machine; a sign is allowed. */
export function readInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = decimalOf(text);
  return value === undefined || value > maxInt64 || value < minInt64 ? undefined : value;
}

export function smallest(value: bigint): Integer {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
