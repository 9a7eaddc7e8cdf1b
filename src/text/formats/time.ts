/** Dates, date-times and durations as Go's time package and strfmt read them; nanoseconds as BigInt. */
import { parseDuration as parseGoDuration } from '../go/index.js';

/** `time.Parse("2006-01-02", …)` succeeds. */
export function isDate(text: string): boolean {
  return parseDate(text) !== undefined;
}

/** Days since 1970-01-01, or undefined. */
export function parseDate(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && month >= 1 && day >= 1 ? date.getTime() / 86_400_000 : undefined;
}

/** strfmt.IsDateTime; `.` before the fraction stands for any character, as its pattern has it. */
export function isDateTime(text: string): boolean {
  const parts = text.toLowerCase().split('t');
  const [date, time] = parts;
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(
    time,
  );
  return (
    match !== null &&
    (match[1] ?? '') <= '23' &&
    (match[2] ?? '') <= '59' &&
    (match[3] ?? '') <= '59'
  );
}

const maxDuration = 2n ** 63n - 1n;

// strfmt's units; the last variant of each also matches as a prefix.
const scalaUnits: readonly (readonly [readonly string[], bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/** `strfmt.ParseDuration`: Go's syntax, or number and unit anywhere in the text. Nanoseconds. */
export function parseDuration(text: string): bigint | undefined {
  const go = parseGoDuration(text);
  if ('nanoseconds' in go) return go.nanoseconds;
  let total = 0n;
  let found = false;
  for (const match of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    const factor = BigInt(match[1] ?? '0');
    if (factor > maxDuration) return undefined;
    const unit = (match[2] ?? '').toLowerCase();
    for (const [variants, nanoseconds] of scalaUnits) {
      variants.forEach((variant, index) => {
        const last = index === variants.length - 1;
        if (unit === variant || (last && unit.startsWith(variant))) {
          found = true;
          total = BigInt.asIntN(64, total + BigInt.asIntN(64, factor * nanoseconds));
        }
      });
    }
  }
  return found ? total : undefined;
}

const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})?$/;

/** As `time.Parse` reads RFC 3339: an hour of one digit, a zone of 24:60. @param zoneOptional as strfmt has it */
export function parseTimestamp(text: string, zoneOptional = false): bigint | undefined {
  const match = timestamp.exec(text);
  if (match === null) return undefined;
  const days = parseDate(text.slice(0, 10));
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const zone = match[8] ?? (zoneOptional ? 'Z' : undefined);
  if (days === undefined || zone === undefined) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  if (zone !== 'Z' && (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) > 60))
    return undefined;
  const seconds = days * 86_400 + hour * 3600 + (minute - offsetOf(zone)) * 60 + second;
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return BigInt(seconds) * 1_000_000_000n + fraction;
}

/** Minutes east of UTC that a timestamp's zone says. */
export function offsetMinutes(text: string): number {
  return offsetOf(/[+-]\d{2}:\d{2}$/.exec(text)?.[0] ?? 'Z');
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const size = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -size : size;
}

/** One element of a layout, and what its number is called when it is out of range. */
interface Step {
  readonly pattern: RegExp;
  readonly element: string;
  readonly outOfRange?: (matched: string) => string | undefined;
}

const within =
  (name: string, min: number, max: number) =>
  (matched: string): string | undefined => {
    const number = Number.parseInt(matched, 10);
    return number < min || number > max ? name : undefined;
  };

const literal = (text: string): Step => ({ pattern: new RegExp(`^${text}`), element: text });

const dateSteps: readonly Step[] = [
  { pattern: /^\d{4}/, element: '2006' },
  literal('-'),
  { pattern: /^\d{2}/, element: '01', outOfRange: within('month', 1, 12) },
  literal('-'),
  { pattern: /^\d{2}/, element: '02' },
];
const timeSteps: readonly Step[] = [
  literal('T'),
  { pattern: /^\d{1,2}/, element: '15', outOfRange: within('hour', 0, 23) },
  literal(':'),
  { pattern: /^\d{2}/, element: '04', outOfRange: within('minute', 0, 59) },
  literal(':'),
  { pattern: /^\d{2}([.,]\d+)?/, element: '05', outOfRange: within('second', 0, 59) },
];
const zoneStep: Step = {
  pattern: /^(Z|[+-]\d{2}:\d{2})/,
  element: 'Z07:00',
  outOfRange: (zone) =>
    zone === 'Z'
      ? undefined
      : (within('time zone offset hour', 0, 24)(zone.slice(1)) ??
        within('time zone offset minute', 0, 60)(zone.slice(4))),
};

const layouts = {
  date: { text: '2006-01-02', steps: dateSteps },
  'date-time': { text: '2006-01-02T15:04:05Z07:00', steps: [...dateSteps, ...timeSteps, zoneStep] },
  local: { text: '2006-01-02T15:04:05', steps: [...dateSteps, ...timeSteps] },
};

/** As Go's package time quotes: what is not printable ASCII by its bytes. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^ -~\x7f]/gu, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : [...Buffer.from(character)]
          .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
          .join(''),
  );
  return `"${escaped}"`;
}

/** The error of `time.Parse` for a text that it refuses. */
export function timeError(text: string, layout: keyof typeof layouts): string {
  const { text: wanted, steps } = layouts[layout];
  let rest = text;
  for (const { pattern, element, outOfRange } of steps) {
    const match = pattern.exec(rest);
    if (match === null) {
      return `parsing time ${quote(text)} as "${wanted}": cannot parse ${quote(rest)} as "${element}"`;
    }
    const number = outOfRange?.(match[0]);
    if (number !== undefined) return `parsing time ${quote(text)}: ${number} out of range`;
    rest = rest.slice(match[0].length);
  }
  const reason = rest === '' ? 'day out of range' : `extra text: ${quote(rest)}`;
  return `parsing time ${quote(text)}: ${reason}`;
}
