import { quote } from '../../text/go/index.js';
import { spend, EvaluationError, type Duration, type Timestamp } from '../values.js';
import { declare, type CelFunction } from '../overloads.js';

const second = 1_000_000_000n;

/** RFC 3339 with as many decimals as are needed. */
export function timestampText(timestamp: Timestamp): string {
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
export function durationText({ nanoseconds }: Duration): string {
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

function dayOfYear(date: Date): number {
  const first = new Date(date.getTime());
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / day);
}

/** By the names of their functions, and of cel-go's overloads. */
const dateParts: Readonly<Record<string, (date: Date) => number>> = {
  'getFullYear year': (date) => date.getUTCFullYear(),
  'getMonth month': (date) => date.getUTCMonth(),
  'getDayOfYear day_of_year': dayOfYear,
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
