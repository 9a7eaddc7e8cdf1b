/** Parts of points in time and durations, and how they are written. */
import { EvaluationError } from './errors.js';
import { declare } from './signature.js';
import type { CelValue } from './values.js';
import type { Duration, Timestamp } from './values.js';

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

/** Seconds with as many decimals as are needed. */
export function durationText({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const decimals = String(size % second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / second}${decimals === '' ? '' : `.${decimals}`}s`;
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

/** The date in a time zone: a fixed offset, or a name of the IANA database. */
function dateIn(value: CelValue, zone: CelValue | undefined): Date {
  const { nanoseconds } = value as Timestamp;
  const utc = Number((nanoseconds - modulo(nanoseconds, 1_000_000n)) / 1_000_000n);
  if (zone === undefined || zone === '' || zone === 'UTC') return new Date(utc);
  const offset = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone as string);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(utc + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  return new Date(utc + zoneOffset(utc, zone as string));
}

function zoneOffset(utc: number, zone: string): number {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(new Date(utc));
    const part = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - Math.floor(utc / 1000) * 1000;
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}

const dayOfYear = (date: Date): number =>
  (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
    Date.UTC(date.getUTCFullYear(), 0, 1)) /
  86_400_000;

const parts: readonly (readonly [string, (date: Date) => number])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDayOfYear', dayOfYear],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

const lengths: readonly (readonly [string, bigint])[] = [
  ['getHours', 3600n * second],
  ['getMinutes', 60n * second],
  ['getSeconds', second],
];

export const timeOverloads = declare([
  ...parts.flatMap(([name, read]) => [
    [
      `timestamp:${name}() int`,
      ([a]: readonly CelValue[]) => BigInt(read(dateIn(a as CelValue, undefined))),
    ] as const,
    [
      `timestamp:${name}(string) int`,
      ([a, b]: readonly CelValue[]) => BigInt(read(dateIn(a as CelValue, b))),
    ] as const,
  ]),
  ...lengths.map(
    ([name, unit]) =>
      [
        `duration:${name}() int`,
        ([a]: readonly CelValue[]) => (a as Duration).nanoseconds / unit,
      ] as const,
  ),
  ['duration:getMilliseconds() int', ([a]) => (a as Duration).nanoseconds / 1_000_000n],
]);
