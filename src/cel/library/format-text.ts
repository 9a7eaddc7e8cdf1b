/** `"%s".format([…])`: cel-go/ext/formatting.go, with the numbers of American English. */
import {
  spendOnText,
  EvaluationError,
  typeNameOf,
  CelList,
  CelMap,
  Duration,
  Timestamp,
  TypeValue,
  Uint,
  type CelValue,
} from '../values.js';
import { compareBytes, formatFloat, quote } from '../../text/go/index.js';
import { toText } from './conversions.js';

/** One clause: `%.3f` has the verb f and the precision 3. */
export interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
}

export const clauseNeeds: ReadonlyMap<string, string> = new Map([
  ['b', 'only integers and bools can be formatted as binary'],
  ['d', 'decimal clause can only be used on integers'],
  ['e', 'scientific clause can only be used on doubles'],
  ['f', 'fixed-point clause can only be used on doubles'],
  ['o', 'octal clause can only be used on integers'],
  [
    's',
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
  ['x', 'only integers, byte buffers, and strings can be formatted as hex'],
  ['X', 'only integers, byte buffers, and strings can be formatted as hex'],
]);

/** The text, with what `show` makes of each clause. @throws EvaluationError for a clause that is none */
export function eachClause(
  format: string,
  count: number,
  show: (clause: Clause, index: number) => string,
): string {
  let index = 0;
  let result = '';
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf('%', at);
    if (percent < 0) return result + format.slice(at);
    result += format.slice(at, percent);
    if (format[percent + 1] === '%') {
      result += '%';
      at = percent + 2;
      continue;
    }
    if (index >= count) throw new EvaluationError(`index ${index} out of range`);
    if (percent + 1 >= format.length) throw new EvaluationError('unexpected end of string');
    const { clause, end } = readClause(format, percent + 1);
    result += show(clause, index++);
    at = end;
  }
  return result;
}

const clausePattern = /(?:\.([0-9]*))?([^]?)/uy;

function readClause(format: string, start: number): { clause: Clause; end: number } {
  clausePattern.lastIndex = start;
  const [all, digits, verb = ''] = clausePattern.exec(format) ?? [''];
  if (digits !== undefined && verb === '') {
    throw unreadable('error while parsing precision: could not find end of precision specifier');
  }
  const precision = digits === undefined ? undefined : precisionOf(digits);
  if (!clauseNeeds.has(verb)) {
    const [first = 0] = Buffer.from(verb);
    throw unreadable(`unrecognized formatting clause "${String.fromCodePoint(first)}"`);
  }
  return { clause: { verb, precision }, end: start + all.length };
}

function precisionOf(digits: string): number {
  const reason = digits === '' ? 'invalid syntax' : 'value out of range';
  const number = Number(digits);
  if (digits !== '' && number < 2 ** 63) return number;
  throw unreadable(
    `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing ${quote(digits)}: ${reason}`,
  );
}

function unreadable(reason: string): EvaluationError {
  return new EvaluationError(`could not parse formatting clause: ${reason}`);
}

/** @throws EvaluationError for a clause that is unknown or does not fit its argument */
export function formatText(format: string, values: CelList): string {
  return eachClause(format, values.size, (clause, index) => {
    // So that a text cannot be made to grow past what may be held.
    const decimals = 'ef'.includes(clause.verb) ? (clause.precision ?? 0) : 0;
    spendOnText(Math.min(decimals, maxDecimals));
    const text = show(clause, values.at(index));
    spendOnText(text.length);
    return text;
  });
}

function show({ verb, precision = 6 }: Clause, value: CelValue): string {
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      return integerText(value, 10) ?? unfit(verb, value);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integerText(value, 2) ?? unfit(verb, value);
    case 'o':
      return integerText(value, 8) ?? unfit(verb, value);
    case 'f':
      return fixed(doubleOf(verb, value), precision);
    case 'e':
      return scientific(doubleOf(verb, value), precision);
    default: {
      const hex = hexOf(value) ?? unfit(verb, value);
      return verb === 'x' ? hex : hex.toUpperCase();
    }
  }
}

function unfit(verb: string, value: CelValue): never {
  return fail(`${clauseNeeds.get(verb) ?? ''}, was given ${typeNameOf(value)}`);
}

function fail(reason: string): never {
  throw new EvaluationError(`error during formatting: ${reason}`);
}

function integerText(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

const namedDoubles = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

function doubleOf(verb: string, value: CelValue): number {
  if (typeof value === 'number') return value;
  return namedDoubles.get(value as string) ?? unfit(verb, value);
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** Past this Go does not take a precision. */
const maxDecimals = 1_000_000;

/** In groups of three, rounded from all digits that the double has; Go pads by the last byte of the precision. */
function fixed(value: number, precision: number): string {
  if (precision > maxDecimals) return `%!(BADPREC)%!f(float64=${formatFloat(value)})`;
  if (!Number.isFinite(value)) return special(value);
  const { digits, point } = roundedTo(value, (place) => place + precision);
  const whole = digits.slice(0, Math.max(point, 0)).padStart(1, '0');
  const fraction = `${'0'.repeat(Math.max(-point, 0))}${digits.slice(Math.max(point, 0))}`;
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const decimals = precision === 0 ? '' : `.${fraction.padEnd(precision % 256, '0')}`;
  return `${isNegative(value) ? '-' : ''}${grouped}${decimals}`;
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

interface Digits {
  readonly digits: string;
  readonly point: number;
}

function digitsOf(value: number): Digits {
  let decimals = 0;
  let integer = value;
  // Doubling is exact, and so is each digit that it makes room for.
  while (!Number.isInteger(integer)) {
    integer *= 2;
    decimals++;
  }
  const all = value === 0 ? '' : String(BigInt(integer) * 5n ** BigInt(decimals));
  return { digits: all.replace(/0+$/, ''), point: all.length - decimals };
}

function roundedTo(value: number, kept: (point: number) => number): Digits {
  const { digits, point } = digitsOf(Math.abs(value));
  const count = kept(point);
  if (count >= digits.length) return { digits: digits.padEnd(Math.max(point, 0), '0'), point };
  if (count < 0) return { digits: '', point: 0 };
  const rest = digits.slice(count);
  const last = Number(digits[count - 1] ?? '0');
  const isUp = rest > '5' || (rest === '5' && last % 2 === 1);
  const head = digits.slice(0, count);
  if (!isUp) return { digits: head.padEnd(Math.max(point, 0), '0'), point };
  const raised = String(BigInt(head === '' ? '0' : head) + 1n).padStart(count, '0');
  return {
    digits: raised.padEnd(Math.max(point, 0), '0'),
    point: point + raised.length - count,
  };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const decimalsOfScientific = 6;

/** cel-go treats the precision as a width. */
function scientific(value: number, width: number): string {
  if (width > maxDecimals) return `%!(BADWIDTH)%!e(float64=${formatFloat(value)})`;
  const text = Number.isFinite(value) ? scientificText(value) : special(value);
  return ' '.repeat(Math.max(0, width - text.length)) + text;
}

function scientificText(value: number): string {
  const { digits, point } = roundedTo(value, () => decimalsOfScientific + 1);
  const shown = digits.slice(0, decimalsOfScientific + 1).padEnd(decimalsOfScientific + 1, '0');
  const power = value === 0 ? 0 : point - 1;
  const raised = String(Math.abs(power))
    .padStart(2, '0')
    .replaceAll(/\d/g, (digit) => superscripts[Number(digit)] as string);
  const sign = isNegative(value) ? '-' : '';
  return `${sign}${shown[0]}.${shown.slice(1)}×10${power < 0 ? '⁻' : ''}${raised}`;
}

function hexOf(value: CelValue): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerText(value, 16);
}

function textOf(value: CelValue): string {
  if (value === null) return 'null';
  if (value instanceof CelList) return `[${[...value.items()].map(itemText).join(', ')}]`;
  if (value instanceof CelMap) return mapText(value);
  const isShown =
    typeof value !== 'object' ||
    value instanceof Uint ||
    value instanceof Uint8Array ||
    value instanceof Timestamp ||
    value instanceof Duration ||
    value instanceof TypeValue;
  if (!isShown) unfit('s', value);
  try {
    return toText(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return fail(`could not convert argument ${quote(error.message)} to string`);
  }
}

function mapText(map: CelMap): string {
  const entries = map.keys().map((key) => {
    const isKey =
      typeof key === 'string' ||
      typeof key === 'boolean' ||
      typeof key === 'bigint' ||
      key instanceof Uint;
    if (!isKey) fail(`no formatting function for map key of type ${typeNameOf(key)}`);
    const value = map.find(key);
    return [itemText(key), itemText(value ?? null)] as const;
  });
  entries.sort(([one], [other]) => compareBytes(one, other));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** As it is within a list or a map: nearly as CEL would write it. */
function itemText(value: CelValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? exactlyFixed(value)
      : quote(Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');
  if (value instanceof Uint8Array) return `b${quote(textOf(value))}`;
  if (value instanceof Timestamp) return `timestamp(${quote(toText(value))})`;
  if (value instanceof Duration) return `duration(${quote(toText(value))})`;
  const isShown =
    value === null ||
    typeof value !== 'object' ||
    value instanceof CelList ||
    value instanceof CelMap ||
    value instanceof Uint ||
    value instanceof TypeValue;
  return isShown ? textOf(value) : fail(`no formatting function for ${typeNameOf(value)}`);
}

/** Go's `%.6f`: of the number itself, not of its shortest digits. */
function exactlyFixed(value: number): string {
  if (Math.abs(value) < 1e21) return Object.is(value, -0) ? '-0.000000' : value.toFixed(6);
  return `${BigInt(value)}.000000`;
}
