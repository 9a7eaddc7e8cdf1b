/** Conversions between types, and what can be asked of any value: cel-go's standard library. */
import { decimalOf, formatFloat, parseDuration, runeCount } from '../../text/go/index.js';
import { offsetMinutes, parseTimestamp } from '../../text/formats/time.js';
import {
  EvaluationError,
  printed,
  typeNameOf,
  CelList,
  CelMap,
  Duration,
  maxInt,
  maxUint,
  minInt,
  Timestamp,
  TypeValue,
  Uint,
  type CelValue,
} from '../values.js';
import { declare, declareWhole, sharing, type CelFunction } from '../overloads.js';
import { checkedTimestamp } from './operators.js';
import { durationText, timestampText } from './time-functions.js';

function failed(value: CelValue, target: string): EvaluationError {
  return new EvaluationError(`type conversion error from '${typeNameOf(value)}' to '${target}'`);
}

function toInt(value: CelValue): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) {
    if (value.value > maxInt) throw new EvaluationError('integer overflow');
    return value.value;
  }
  if (value instanceof Timestamp) {
    const seconds = value.nanoseconds / 1_000_000_000n;
    return seconds * 1_000_000_000n > value.nanoseconds ? seconds - 1n : seconds;
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
  const integer = decimalOf(text);
  if (integer === undefined || integer > maxInt || integer < minInt) throw failed(value, 'int');
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
  const integer = /^\d+$/.test(text) ? decimalOf(text) : undefined;
  if (integer === undefined || integer > maxUint) throw failed(value, 'uint');
  return new Uint(integer);
}

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
  if (/^nan$/i.test(text)) return NaN;
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const hexadecimal = hexadecimalFloat(text);
  if (hexadecimal !== undefined) return hexadecimal;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw failed(value, 'double');
  const number = Number(text);
  if (!Number.isFinite(number)) throw failed(value, 'double');
  return number;
}

/** For people: as {@link toText}, or what cel-go prints of it. */
export function writtenText(value: CelValue): string {
  return value instanceof Timestamp || value instanceof Duration ? toText(value) : printed(value);
}

/** `string(value)`. @throws EvaluationError for bytes that are no UTF-8, and what has no text */
export function toText(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatFloat(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.typeName;
  if (!(value instanceof Uint8Array)) throw failed(value, 'string');
  const text = Buffer.from(value).toString('utf8');
  if (Buffer.compare(Buffer.from(text), value) !== 0) {
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
  const read = typeof value === 'string' ? parseDuration(value) : undefined;
  if (read === undefined || 'error' in read) throw failed(value, 'google.protobuf.Duration');
  return new Duration(read.nanoseconds);
}

function toTimestamp(value: CelValue): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return checkedTimestamp(value * 1_000_000_000n);
  const nanoseconds = parseTimestamp(value as string);
  if (nanoseconds === undefined) throw failed(value, 'google.protobuf.Timestamp');
  return checkedTimestamp(nanoseconds, offsetMinutes(value as string));
}

function isSized(value: CelValue): boolean {
  return (
    typeof value === 'string' ||
    value instanceof Uint8Array ||
    value instanceof CelList ||
    value instanceof CelMap
  );
}

function sizeOf(value: CelValue): bigint {
  if (typeof value === 'string') return BigInt(runeCount(value));
  if (value instanceof Uint8Array) return BigInt(value.length);
  return BigInt((value as CelList | CelMap).size);
}

function toBytes(value: CelValue): CelValue {
  return typeof value === 'string' ? new Uint8Array(Buffer.from(value)) : value;
}

/** A function that converts values of each of these types; ids name the types as Go does. */
function converting(
  name: string,
  convert: (value: CelValue) => CelValue,
  sources: string,
): ReturnType<typeof sharing> {
  const idOf = (type: string): string => type.replace(/int$/, 'int64');
  return sharing(
    sources.split(' ').map((type) => `${idOf(type)}_to_${idOf(name)} ${name}(${type}) ${name}`),
    convert,
  );
}

export const conversionFunctions: readonly CelFunction[] = [
  declareWhole(
    [
      'size_bytes size(bytes) int',
      'bytes_size bytes:size() int',
      'size_list size(list(A)) int',
      'list_size list(A):size() int',
      'size_map size(map(A, B)) int',
      'map_size map(A, B):size() int',
      'size_string size(string) int',
      'string_size string:size() int',
    ],
    sizeOf,
    isSized,
  ),
  declareWhole(['type type(A) type(A)'], (value: CelValue) => new TypeValue(typeNameOf(value))),
  declareWhole(['to_dyn dyn(A) dyn'], (value: CelValue) => value),
  ...declare({
    ...converting('bool', toBool, 'bool string'),
    ...converting('bytes', toBytes, 'bytes string'),
    ...converting('double', toDouble, 'double int string uint'),
    ...converting('duration', toDuration, 'duration int string'),
    ...converting('int', toInt, 'int double duration string timestamp uint'),
    ...converting('string', toText, 'string bool bytes double duration int timestamp uint'),
    ...converting('timestamp', toTimestamp, 'timestamp int string'),
    ...converting('uint', toUint, 'uint double int string'),
  }),
];
