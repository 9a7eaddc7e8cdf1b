/** Conversions between types, and what can be asked of any value: cel-go's standard library. */
import { offsetMinutes, parseTimestamp } from '../text/formats/time.js';
import { EvaluationError } from './errors.js';
import type { CelList } from './lists.js';
import { itemAt } from './lists.js';
import type { CelMap } from './maps.js';
import { checkedInt, checkedTimestamp } from './operators.js';
import { declare } from './signature.js';
import { durationText, timestampText } from './time-functions.js';
import { runtimeNames, typeNameOf } from './types.js';
import {
  Duration,
  maxInt,
  maxUint,
  minInt,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type CelValue,
} from './values.js';
import { formatFloat, parseDuration } from '../text/go/index.js';

function failed(value: CelValue, target: string): EvaluationError {
  const from = typeNameOf(value);
  return new EvaluationError(
    `type conversion error from '${runtimeNames[from] ?? from}' to '${target}'`,
  );
}

function toInt(value: CelValue): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) {
    if (value.value > maxInt) throw new EvaluationError('integer overflow');
    return value.value;
  }
  if (value instanceof Timestamp) {
    const seconds = value.nanoseconds / 1_000_000_000n;
    return value.nanoseconds < 0n && value.nanoseconds % 1_000_000_000n !== 0n
      ? seconds - 1n
      : seconds;
  }
  if (value instanceof Duration) return value.nanoseconds;
  if (typeof value === 'number') {
    if (!(value > -9223372036854775808 && value < 9223372036854775808)) {
      throw new EvaluationError('integer overflow');
    }
    return BigInt(Math.trunc(value));
  }
  const text = value as string;
  if (!/^[+-]?\d+$/.test(text)) throw failed(value, 'int');
  const integer = BigInt(text.replace(/^\+/, ''));
  if (integer > maxInt || integer < minInt) throw failed(value, 'int');
  return integer;
}

function toUint(value: CelValue): Uint {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') {
    if (value < 0n) throw new EvaluationError('unsigned integer overflow');
    return new Uint(value);
  }
  if (typeof value === 'number') {
    if (!(value >= 0 && value < 18446744073709551616)) {
      throw new EvaluationError('unsigned integer overflow');
    }
    return new Uint(BigInt(Math.trunc(value)));
  }
  const text = value as string;
  if (!/^\d+$/.test(text) || BigInt(text) > maxUint) throw failed(value, 'uint');
  return new Uint(BigInt(text));
}

const special = new Map([
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-infinity', -Infinity],
  ['nan', NaN],
]);

/** `0x1.8p3`, which Go reads, too. */
function hexadecimalFloat(text: string): number | undefined {
  const match = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(text);
  const [, sign, whole = '', fraction = '', exponent] = match ?? [];
  if (whole + fraction === '') return undefined;
  const digits = Number(BigInt(`0x${whole}${fraction}`));
  return (sign === '-' ? -digits : digits) * 2 ** (Number(exponent) - 4 * fraction.length);
}

function toDouble(value: CelValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  const text = value as string;
  const named = special.get(text.toLowerCase());
  if (named !== undefined) return named;
  const hexadecimal = hexadecimalFloat(text);
  if (hexadecimal !== undefined) return hexadecimal;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw failed(value, 'double');
  const number = Number(text);
  if (!Number.isFinite(number)) throw failed(value, 'double');
  return number;
}

function toText(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatFloat(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  const bytes = value as Uint8Array;
  const text = Buffer.from(bytes).toString('utf8');
  if (Buffer.compare(Buffer.from(text), bytes) !== 0) {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
  return text;
}

function toBool(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  const text = value as string;
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false;
  throw failed(value, 'bool');
}

function toDuration(value: CelValue): Duration {
  if (value instanceof Duration) return value;
  const duration = parseDuration(value as string);
  if ('error' in duration) throw failed(value, 'google.protobuf.Duration');
  return new Duration(duration.nanoseconds);
}

function toTimestamp(value: CelValue): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return checkedTimestamp(value * 1_000_000_000n);
  const nanoseconds = parseTimestamp(value as string);
  if (nanoseconds === undefined) throw failed(value, 'google.protobuf.Timestamp');
  return checkedTimestamp(nanoseconds, offsetMinutes(value as string));
}

function sizeOf(value: CelValue): bigint {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value instanceof Uint8Array) return BigInt(value.length);
  return BigInt((value as CelList | CelMap).size);
}

const sized = ['string', 'bytes', 'list(A)', 'map(A, B)'];

export const conversionOverloads = declare([
  ...sized.flatMap((name) => [
    [`size(${name}) int`, ([a]: readonly CelValue[]) => sizeOf(a as CelValue)] as const,
    [`${name}:size() int`, ([a]: readonly CelValue[]) => sizeOf(a as CelValue)] as const,
  ]),
  ...['int', 'uint', 'double', 'string', 'timestamp', 'duration'].map(
    (name) =>
      [`int(${name}) int`, ([a]: readonly CelValue[]) => checkedInt(toInt(a as CelValue))] as const,
  ),
  ...['int', 'uint', 'double', 'string'].flatMap((name) => [
    [`uint(${name}) uint`, ([a]: readonly CelValue[]) => toUint(a as CelValue)] as const,
    [`double(${name}) double`, ([a]: readonly CelValue[]) => toDouble(a as CelValue)] as const,
  ]),
  ...['int', 'uint', 'double', 'string', 'bool', 'bytes', 'timestamp', 'duration'].map(
    (name) =>
      [`string(${name}) string`, ([a]: readonly CelValue[]) => toText(a as CelValue)] as const,
  ),
  ['bytes(bytes) bytes', ([a]) => a!],
  ['bytes(string) bytes', ([a]) => new Uint8Array(Buffer.from(a as string))],
  ['bool(bool) bool', ([a]) => a!],
  ['bool(string) bool', ([a]) => toBool(a!)],
  ['duration(duration) duration', ([a]) => a!],
  ['duration(string) duration', ([a]) => toDuration(a!)],
  ['timestamp(timestamp) timestamp', ([a]) => a!],
  ['timestamp(string) timestamp', ([a]) => toTimestamp(a!)],
  ['timestamp(int) timestamp', ([a]) => toTimestamp(a!)],
  ['dyn(A) dyn', ([a]) => a!],
  [
    'type(A) type(A)',
    ([a]) => {
      const name = typeNameOf(a!);
      return new TypeValue(runtimeNames[name] ?? name);
    },
  ],
  ['!_(bool) bool', ([a]) => !(a as boolean)],
  ['_[_](list(A), int) A', ([a, b]) => itemAt(a as CelList, b!)],
  [
    '_[_](map(A, B), A) B',
    ([a, b]) => {
      const found = (a as CelMap).find(b!);
      if (found === undefined) throw new EvaluationError(`no such key: ${keyText(b!)}`);
      return found;
    },
  ],
  ['_[?_](list(A), int) optional_type(A)', ([a, b]) => optionalItem(a as CelList, b as bigint)],
  ['_[?_](map(A, B), A) optional_type(B)', ([a, b]) => new Optional((a as CelMap).find(b!))],
]);

function optionalItem(list: CelList, index: bigint): Optional {
  const place = Number(index);
  return new Optional(place >= 0 && place < list.size ? list.at(place) : undefined);
}

/** A key as it stands in an error. */
export function keyText(key: CelValue): string {
  return toText(key);
}
