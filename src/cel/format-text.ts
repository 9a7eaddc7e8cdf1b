/** `"%s".format([…])`: cel-go/ext/formatting.go, without locales. */
import { EvaluationError } from './errors.js';
import { CelList } from './lists.js';
import { CelMap } from './maps.js';
import { durationText, timestampText } from './time-functions.js';
import { runtimeNames, typeNameOf } from './types.js';
import { Duration, Timestamp, TypeValue, Uint, type CelValue } from './values.js';
import { formatFloat, quote } from '../text/go/index.js';

/** @throws EvaluationError for a clause that is unknown or does not fit its argument */
export function formatText(format: string, values: CelList): string {
  let next = 0;
  return format.replaceAll(
    /%(%|(?:\.(\d*))?([a-zA-Z]?))/gs,
    (_all, clause: string, precision: string | undefined, verb: string) => {
      if (clause === '%') return '%';
      if (next >= values.size) throw new EvaluationError(`index ${next} out of range`);
      const value = values.at(next++);
      return formatValue(verb, value, precision === undefined ? 6 : Number(precision));
    },
  );
}

function formatValue(verb: string, value: CelValue, precision: number): string {
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      if (typeof value === 'bigint') return String(value);
      if (value instanceof Uint) return String(value.value);
      if (typeof value === 'number' && !Number.isFinite(value)) return special(value);
      break;
    case 'f':
      if (isNumber(value)) return decimal(numberOf(value), precision);
      break;
    case 'e':
      if (isNumber(value)) return scientific(numberOf(value), precision);
      break;
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      if (isInteger(value)) return integerOf(value).toString(2);
      break;
    case 'o':
      if (isInteger(value)) return integerOf(value).toString(8);
      break;
    case 'x':
    case 'X': {
      const hex = hexOf(value);
      if (hex !== undefined) return verb === 'x' ? hex : hex.toUpperCase();
      break;
    }
    default:
      if (verb === '') throw new EvaluationError('unexpected end of string');
      throw new EvaluationError(
        `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
      );
  }
  throw unfit(clauses[verb] ?? '', value);
}

const clauses: Readonly<Record<string, string>> = {
  b: 'only integers and bools can be formatted as binary',
  d: 'decimal clause can only be used on integers',
  e: 'scientific clause can only be used on doubles',
  f: 'fixed-point clause can only be used on doubles',
  o: 'octal clause can only be used on integers',
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
};

function unfit(clause: string, value: CelValue): EvaluationError {
  const name = typeNameOf(value);
  return new EvaluationError(
    `error during formatting: ${clause}, was given ${runtimeNames[name] ?? name}`,
  );
}

function isNumber(value: CelValue): value is bigint | number | Uint {
  return typeof value === 'number' || isInteger(value);
}

function isInteger(value: CelValue): value is bigint | Uint {
  return typeof value === 'bigint' || value instanceof Uint;
}

function integerOf(value: bigint | Uint): bigint {
  return typeof value === 'bigint' ? value : value.value;
}

function numberOf(value: bigint | number | Uint): number {
  return typeof value === 'number' ? value : Number(integerOf(value));
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** As English writes numbers: groups of three, halves to even. */
function decimal(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: precision,
    maximumFractionDigits: precision,
    roundingMode: 'halfEven',
  }).format(value);
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [mantissa = '', exponent = '0'] = value.toExponential(precision).split('e');
  const digits = exponent.replace(/^[+-]/, '').padStart(2, '0');
  const raised = [...digits].map((digit) => superscripts[Number(digit)]).join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

function hexOf(value: CelValue): string | undefined {
  if (isInteger(value)) return integerOf(value).toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
}

function textOf(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'number')
    return Number.isFinite(value) ? formatFloat(value) : special(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.typeName;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof CelList) return `[${[...value.items()].map(quotedText).join(', ')}]`;
  if (value instanceof CelMap) {
    const entries = value
      .keys()
      .map((key) => `${quotedText(key)}:${quotedText(value.find(key) ?? null)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  throw unfit(clauses['s'] ?? '', value);
}

/** Within lists and maps texts are quoted and doubles have six decimals. */
function quotedText(value: CelValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value.toFixed(6);
  return textOf(value);
}
