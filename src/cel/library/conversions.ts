/** Conversions between types, and what can be asked of any value: cel-go's standard library. */
import { quote, decimalOf, formatFloat, parseDuration, runeCount } from '../../text/go/index.js';
import {
  spend,
  EvaluationError,
  Duration,
  Timestamp,
  printed,
  typeNameOf,
  CelList,
  CelMap,
  maxInt,
  maxUint,
  minInt,
  TypeValue,
  Uint,
  type CelValue,
} from '../values.js';
import { declare, type CelFunction, declareWhole, sharing } from '../overloads.js';
import { offsetMinutes, parseTimestamp } from '../../text/formats/time.js';
import { checkedTimestamp } from './operators.js';

const second = 1_000_000_000n;

/** RFC 3339 with as many decimals as are needed. */
function timestampText(timestamp: Timestamp): string {
  const fraction = modulo(timestamp.nanoseconds, second);
  const { offsetMinutes } = timestamp;
  const utc = Number((timestamp.nanoseconds - fraction) / 1_000_000n);
  const whole = new Date(utc + offsetMinutes * 60_000);
  const decimals =
    fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole.toISOString().slice(0, 19)}${decimals}${zoneText(offsetMinutes)}`;
}

function zoneText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}

/** Seconds as a double has them, never with an exponent. */
function durationText({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / second) + Number(nanoseconds % second) / 1e9;
  const [digits = '', exponent = '0'] = seconds.toExponential().split('e');
  return `${seconds.toFixed(Math.max(digits.replace(/^-?\d\.?/, '').length - Number(exponent), 0))}s`;
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

/** The date in a time zone: a fixed offset, or a name of the IANA database. */
function dateIn({ nanoseconds }: Timestamp, zone: string): Date {
  const utc = Number((nanoseconds - modulo(nanoseconds, 1_000_000n)) / 1_000_000n);
  if (zone === '' || zone === 'UTC') return new Date(utc);
  const colon = zone.indexOf(':');
  if (colon < 0) return new Date(utc + zoneOffset(utc, zone));
  const hours = toNumber(zone.slice(0, colon));
  const minutes = toNumber(zone.slice(colon + 1));
  const offset = hours * 60 + (zone.startsWith('-') ? -minutes : minutes);
  const date = new Date(utc + offset * 60_000);
  if (!Number.isNaN(date.getTime())) return date;
  throw new EvaluationError(`the time zone ${quote(zone)} is too far away`);
}

/** `strconv.Atoi`. */
function toNumber(text: string): number {
  const reason = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : Math.abs(Number(text)) >= 2 ** 63
      ? 'value out of range'
      : undefined;
  if (reason === undefined) return Number(text);
  throw new EvaluationError(`strconv.Atoi: parsing ${quote(text)}: ${reason}`);
}

function zoneOffset(utc: number, zone: string): number {
  if (zone.includes('..') || /^[\\/]/.test(zone) || zone.includes('\\')) {
    throw new EvaluationError('time: invalid location name');
  }
  spend(formattingCost);
  const parts = formatterOf(zone === 'Local' ? 'UTC' : zone).formatToParts(new Date(utc));
  const text = (name: string): string => parts.find(({ type }) => type === name)?.value ?? '';
  const part = (name: string): number => Number(text(name));
  const local = new Date(0);
  local.setUTCFullYear(
    text('era') === 'B' ? 1 - part('year') : part('year'),
    part('month') - 1,
    part('day'),
  );
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(utc / 1000) * 1000;
}

/** Asking for a zone takes as long as so many steps. */
const formattingCost = 50;
const maxFormatters = 1000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** @throws EvaluationError for a zone that is none */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  // To Go names of zones are names of files, which all begin with a capital letter.
  if (!/^[A-Z]/.test(zone)) throw new EvaluationError(`unknown time zone ${zone}`);
  if (formatters.size >= maxFormatters) formatters.clear();
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'narrow',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, made);
    return made;
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}

const day = 86_400_000;

/** By the names of their functions, and of cel-go's overloads. */
const dateParts: Readonly<Record<string, (date: Date) => number>> = {
  'getFullYear year': (date) => date.getUTCFullYear(),
  'getMonth month': (date) => date.getUTCMonth(),
  'getDayOfYear day_of_year': (date: Date): number => {
    const first = new Date(date.getTime());
    first.setUTCMonth(0, 1);
    return Math.round((date.getTime() - first.getTime()) / day);
  },
  'getDayOfMonth day_of_month': (date) => date.getUTCDate() - 1,
  'getDate day_of_month_1_based': (date) => date.getUTCDate(),
  'getDayOfWeek day_of_week': (date) => date.getUTCDay(),
  'getHours hours': (date) => date.getUTCHours(),
  'getMinutes minutes': (date) => date.getUTCMinutes(),
  'getSeconds seconds': (date) => date.getUTCSeconds(),
  'getMilliseconds milliseconds': (date) => date.getUTCMilliseconds(),
};

const inUnitsOf =
  (unit: bigint) =>
  ({ nanoseconds }: Duration): bigint =>
    nanoseconds / unit;

export const timeFunctions: readonly CelFunction[] = declare({
  ...Object.fromEntries(
    Object.entries(dateParts).flatMap(([names, part]) => {
      const [name = '', id = ''] = names.split(' ');
      const zoned = id === 'seconds' ? 'seconds_tz' : `${id}_with_tz`;
      const read = (time: Timestamp, zone = 'UTC'): bigint => BigInt(part(dateIn(time, zone)));
      return [
        [`timestamp_to_${id} timestamp:${name}() int`, read],
        [`timestamp_to_${zoned} timestamp:${name}(string) int`, read],
      ];
    }),
  ),
  'duration_to_hours duration:getHours() int': inUnitsOf(3600n * second),
  'duration_to_minutes duration:getMinutes() int': inUnitsOf(60n * second),
  'duration_to_seconds duration:getSeconds() int': inUnitsOf(second),
  'duration_to_milliseconds duration:getMilliseconds() int': inUnitsOf(1_000_000n),
});

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

function toTimestamp(value: CelValue): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return checkedTimestamp(value * 1_000_000_000n);
  const nanoseconds = parseTimestamp(value as string);
  if (nanoseconds === undefined) throw failed(value, 'google.protobuf.Timestamp');
  return checkedTimestamp(nanoseconds, offsetMinutes(value as string));
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
    (value: CelValue): bigint => {
      if (typeof value === 'string') return BigInt(runeCount(value));
      if (value instanceof Uint8Array) return BigInt(value.length);
      return BigInt((value as CelList | CelMap).size);
    },
    (value: CelValue) =>
      typeof value === 'string' ||
      value instanceof Uint8Array ||
      value instanceof CelList ||
      value instanceof CelMap,
  ),
  declareWhole(['type type(A) type(A)'], (value: CelValue) => new TypeValue(typeNameOf(value))),
  declareWhole(['to_dyn dyn(A) dyn'], (value: CelValue) => value),
  ...declare({
    ...converting('bool', toBool, 'bool string'),
    ...converting(
      'bytes',
      (value: CelValue) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value)) : value),
      'bytes string',
    ),
    ...converting('double', toDouble, 'double int string uint'),
    ...converting(
      'duration',
      (value: CelValue): Duration => {
        if (value instanceof Duration) return value;
        const read = typeof value === 'string' ? parseDuration(value) : undefined;
        if (read === undefined || 'error' in read) throw failed(value, 'google.protobuf.Duration');
        return new Duration(read.nanoseconds);
      },
      'duration int string',
    ),
    ...converting('int', toInt, 'int double duration string timestamp uint'),
    ...converting('string', toText, 'string bool bytes double duration int timestamp uint'),
    ...converting('timestamp', toTimestamp, 'timestamp int string'),
    ...converting('uint', toUint, 'uint double int string'),
  }),
];
