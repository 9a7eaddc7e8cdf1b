/** Quantities: k8s.io/apimachinery/pkg/api/resource, as far as rules can see them. */
import {
  EvaluationError,
  noSuchOverload,
  maxInt,
  minInt,
  Opaque,
  type CelValue,
} from '../values.js';
import { declare, type CelFunction } from '../overloads.js';

const nano = 1_000_000_000n;
const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

const decimal = new Map(
  [...'num', '', ...'kMGTPE'].map((suffix, at) => [suffix, at * 3 - 9] as const),
);
const binary = new Map<string, number>(
  [...'KMGTPE'].map((letter, at) => [`${letter}i`, at * 10 + 10] as const),
);

/** Exponents past this are cut: such a quantity is larger, or smaller, than any that is compared. */
const largestExponent = 1000;

class Quantity extends Opaque {
  override readonly typeName = 'kubernetes.Quantity';
  override readonly hash = this;

  /**
   * The amount is `value` times ten to the power of `scale`, which is -9 at least.
   *
   * @param isDecimal for what upstream does not hold as an int64 with its scale
   * @param isCalculated such a quantity is equal to others, but no other one is equal to it
   */
  constructor(
    readonly value: bigint,
    readonly scale: number,
    readonly isDecimal = false,
    private readonly isCalculated = false,
  ) {
    super();
  }

  get nanos(): bigint {
    return scaled(this.value, this.scale + 9);
  }

  override get goData(): string {
    return `(*resource.Quantity)${this.text}`;
  }

  /** With the largest suffix that leaves no fraction; upstream keeps some texts as they were written. */
  private get text(): string {
    let [mantissa, power] = [this.nanos, -9];
    while (mantissa !== 0n && mantissa % 1000n === 0n && power < 18) {
      mantissa /= 1000n;
      power += 3;
    }
    const [suffix = ''] = [...decimal].find(([, exponent]) => exponent === power) ?? [];
    return mantissa === 0n ? '0' : `${mantissa}${suffix}`;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Quantity) || other.isCalculated) throw noSuchOverload();
    return other.nanos === this.nanos;
  }

  /** The int64, where upstream says that it is one: 1.0 and 1000m are none. */
  get integer(): bigint | undefined {
    if (this.isDecimal || this.scale < 0) return undefined;
    const whole = scaled(this.value, this.scale);
    return isInt64(whole) ? whole : undefined;
  }

  get float(): number {
    const value = Number(this.value);
    return this.scale === 0 ? value : value * Number(`1e${this.scale}`);
  }
}

const scaled = (value: bigint, places: number): bigint => value * 10n ** BigInt(places);

const isInt64 = (value: bigint): boolean => value <= maxInt && value >= minInt;

/** The quantity, or upstream's text of why the text is none. */
function parseQuantity(text: string): Quantity | string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (text === '' || match === null) return wrongFormat;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const binaryExponent = binary.get(suffix);
  const exponent = binaryExponent === undefined ? decimalExponent(suffix) : 0;
  if (exponent === undefined) return wrongSuffix;
  const digits = whole.replace(/^0+/, '');
  const multiplier = binaryExponent === undefined ? 1n : 2n ** BigInt(binaryExponent);
  const unscaled = BigInt(`${digits}${fraction}` || '0') * multiplier;
  const used = (digits === '' ? 1 : digits.length) + fraction.length;
  const scale = binaryExponent === undefined ? exponent - fraction.length : 0;
  const fits =
    binaryExponent === undefined
      ? used <= 18 && scale >= -9
      : fraction === '' && 15 - used - Math.trunc((binaryExponent * 3) / 10) - 1 >= 0;
  const signed = (amount: bigint): bigint => (sign === '-' ? -amount : amount);
  // Without any digit it is 0, where upstream takes the short way.
  if (fits) return new Quantity(signed(unscaled), scale);
  if (`${whole}${fraction}` === '') return wrongNumber;
  const shift = exponent - fraction.length + 9;
  const nanos = shift >= 0 ? scaled(unscaled, shift) : divideUp(unscaled, 10n ** BigInt(-shift));
  return binaryExponent !== undefined && nanos > maxInt * nano
    ? new Quantity(signed(maxInt), 0, true)
    : new Quantity(signed(nanos), -9, true);
}

/** The amount of a quantity in billionths; undefined for other values. */
export function nanosOf(value: CelValue): bigint | undefined {
  return value instanceof Quantity ? value.nanos : undefined;
}

/** Upstream's text of why the text is no quantity. */
export function quantityProblem(text: string): string | undefined {
  const read = parseQuantity(text);
  return typeof read === 'string' ? read : undefined;
}

function decimalExponent(suffix: string): number | undefined {
  const known = decimal.get(suffix);
  if (known !== undefined) return known;
  const match = /^[eE]([-+]?\d+)$/.exec(suffix);
  if (match === null) return undefined;
  return Math.max(-largestExponent, Math.min(largestExponent, Number(match[1])));
}

function divideUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

function order(left: Quantity, right: Quantity): bigint {
  if (left.nanos === right.nanos) return 0n;
  return left.nanos < right.nanos ? -1n : 1n;
}

function plus(left: Quantity, right: Quantity, sign: 1n | -1n): Quantity {
  const added = sign * right.value;
  const isDecimal = left.isDecimal || right.isDecimal;
  if (!isDecimal && added === 0n) return new Quantity(left.value, left.scale, false, true);
  if (!isDecimal && left.value === 0n) return new Quantity(added, right.scale, false, true);
  const scale = Math.min(left.scale, right.scale);
  const terms = [
    scaled(left.value, left.scale - scale),
    scaled(added, right.scale - scale),
  ] as const;
  const sum = terms[0] + terms[1];
  return new Quantity(sum, scale, isDecimal || ![...terms, sum].every(isInt64), true);
}

const type = 'kubernetes.Quantity';

export const quantityFunctions: readonly CelFunction[] = declare({
  [`string_to_quantity quantity(string) ${type}`]: (text: string): Quantity => {
    const parsed = parseQuantity(text);
    if (typeof parsed === 'string') throw new EvaluationError(parsed);
    return parsed;
  },
  'is_quantity_string isQuantity(string) bool': (text: string) =>
    typeof parseQuantity(text) !== 'string',
  [`quantity_sign sign(${type}) int`]: (a: Quantity) => order(a, new Quantity(0n, 0)),
  [`quantity_is_greater_than ${type}:isGreaterThan(${type}) bool`]: (a: Quantity, b: Quantity) =>
    a.nanos > b.nanos,
  [`quantity_is_less_than ${type}:isLessThan(${type}) bool`]: (a: Quantity, b: Quantity) =>
    a.nanos < b.nanos,
  [`quantity_compare_to ${type}:compareTo(${type}) int`]: order,
  [`quantity_get_float ${type}:asApproximateFloat() double`]: (a: Quantity) => a.float,
  [`quantity_get_int ${type}:asInteger() int`]: ({ integer }: Quantity): bigint => {
    if (integer === undefined) throw new EvaluationError('cannot convert value to integer');
    return integer;
  },
  [`quantity_is_integer ${type}:isInteger() bool`]: (a: Quantity) => a.integer !== undefined,
  [`quantity_add ${type}:add(${type}) ${type}`]: (a: Quantity, b: Quantity) => plus(a, b, 1n),
  [`quantity_add_int ${type}:add(int) ${type}`]: (a: Quantity, b: bigint) =>
    plus(a, new Quantity(b, 0), 1n),
  [`quantity_sub ${type}:sub(${type}) ${type}`]: (a: Quantity, b: Quantity) => plus(a, b, -1n),
  [`quantity_sub_int ${type}:sub(int) ${type}`]: (a: Quantity, b: bigint) =>
    plus(a, new Quantity(b, 0), -1n),
});
