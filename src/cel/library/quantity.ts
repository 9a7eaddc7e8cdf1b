/** Quantities: k8s.io/apimachinery/pkg/api/resource, as far as rules can see them. */
import { EvaluationError, noSuchOverload } from '../errors.js';
import { declare, type CelFunction } from '../overloads.js';
import { maxInt, minInt, Opaque, type CelValue } from '../values.js';

const nano = 1_000_000_000n;
const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";

const decimal = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binary = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

/** Exponents past this are cut: such a quantity is larger, or smaller, than any that is compared. */
const largestExponent = 1000;

class Quantity extends Opaque {
  override readonly typeName = 'kubernetes.Quantity';
  override readonly hash = this;

  /**
   * @param nanos the amount in 10^-9
   * @param exact false for what upstream holds as a decimal
   * @param isCalculated such a quantity is equal to others, but no other one is equal to it
   */
  constructor(
    readonly nanos: bigint,
    readonly exact: boolean,
    private readonly isCalculated = false,
  ) {
    super();
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

  /** The int64 of a whole amount, where upstream holds one. */
  get integer(): bigint | undefined {
    const whole = this.nanos / nano;
    return this.exact && this.nanos % nano === 0n && whole <= maxInt && whole >= minInt
      ? whole
      : undefined;
  }
}

/** The quantity, or upstream's text of why the text is none. */
function parseQuantity(text: string): Quantity | string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (text === '' || match === null) return wrongFormat;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const binaryExponent = binary.get(suffix);
  const exponent = binaryExponent === undefined ? decimalExponent(suffix) : 0;
  if (exponent === undefined) return wrongSuffix;
  const digits = whole.replace(/^0+/, '');
  if (`${digits}${fraction}` === '' && suffix !== '' && !/\d/.test(text)) return wrongFormat;
  const multiplier = binaryExponent === undefined ? 1n : 2n ** BigInt(binaryExponent);
  const unscaled = BigInt(`${digits}${fraction}` || '0') * multiplier;
  const shift = exponent - fraction.length + 9;
  const amount =
    shift >= 0 ? unscaled * 10n ** BigInt(shift) : divideUp(unscaled, 10n ** BigInt(-shift));
  const used = (digits === '' ? 1 : digits.length) + fraction.length;
  const exact =
    binaryExponent === undefined
      ? used <= 18 && exponent - fraction.length >= -9
      : fraction === '' && 15 - used - Math.trunc((binaryExponent * 3) / 10) - 1 >= 0;
  return new Quantity(sign === '-' ? -amount : amount, exact);
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

const quantity = (value: CelValue | undefined): Quantity => value as Quantity;

function order(left: Quantity, right: Quantity): bigint {
  if (left.nanos === right.nanos) return 0n;
  return left.nanos < right.nanos ? -1n : 1n;
}

function plus(left: Quantity, nanos: bigint, exact = true): Quantity {
  return new Quantity(left.nanos + nanos, left.exact && exact, true);
}

export const quantityFunctions: readonly CelFunction[] = declare([
  [
    'string_to_quantity',
    'quantity(string) kubernetes.Quantity',
    ([a]) => {
      const parsed = parseQuantity(a as string);
      if (typeof parsed === 'string') throw new EvaluationError(parsed);
      return parsed;
    },
  ],
  [
    'is_quantity_string',
    'isQuantity(string) bool',
    ([a]) => typeof parseQuantity(a as string) !== 'string',
  ],
  [
    'quantity_sign',
    'sign(kubernetes.Quantity) int',
    ([a]) => order(quantity(a), new Quantity(0n, true)),
  ],
  [
    'quantity_is_greater_than',
    'kubernetes.Quantity:isGreaterThan(kubernetes.Quantity) bool',
    ([a, b]) => quantity(a).nanos > quantity(b).nanos,
  ],
  [
    'quantity_is_less_than',
    'kubernetes.Quantity:isLessThan(kubernetes.Quantity) bool',
    ([a, b]) => quantity(a).nanos < quantity(b).nanos,
  ],
  [
    'quantity_compare_to',
    'kubernetes.Quantity:compareTo(kubernetes.Quantity) int',
    ([a, b]) => order(quantity(a), quantity(b)),
  ],
  [
    'quantity_get_float',
    'kubernetes.Quantity:asApproximateFloat() double',
    ([a]) => Number(quantity(a).nanos) / 1e9,
  ],
  [
    'quantity_get_int',
    'kubernetes.Quantity:asInteger() int',
    ([a]) => {
      const { integer } = quantity(a);
      if (integer === undefined) throw new EvaluationError('cannot convert value to integer');
      return integer;
    },
  ],
  [
    'quantity_is_integer',
    'kubernetes.Quantity:isInteger() bool',
    ([a]) => quantity(a).integer !== undefined,
  ],
  [
    'quantity_add',
    'kubernetes.Quantity:add(kubernetes.Quantity) kubernetes.Quantity',
    ([a, b]) => plus(quantity(a), quantity(b).nanos, quantity(b).exact),
  ],
  [
    'quantity_add_int',
    'kubernetes.Quantity:add(int) kubernetes.Quantity',
    ([a, b]) => plus(quantity(a), (b as bigint) * nano),
  ],
  [
    'quantity_sub',
    'kubernetes.Quantity:sub(kubernetes.Quantity) kubernetes.Quantity',
    ([a, b]) => plus(quantity(a), -quantity(b).nanos, quantity(b).exact),
  ],
  [
    'quantity_sub_int',
    'kubernetes.Quantity:sub(int) kubernetes.Quantity',
    ([a, b]) => plus(quantity(a), -(b as bigint) * nano),
  ],
]);
