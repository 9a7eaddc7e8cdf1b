/** Numbers that have another name as a key than as a value, for sigs.k8s.io/yaml. */

/** A number that JSON cannot hold: fine as a key, refused as a value. */
export class UnsupportedScalar {
  constructor(readonly text: string) {}
  toString(): string {
    return unsupportedNames.get(this.text) ?? this.text;
  }
  readonly [Symbol.toStringTag] = 'Number';
}

const unsupportedNames = new Map([
  ['+Inf', '.inf'],
  ['-Inf', '-.inf'],
  ['NaN', '.nan'],
]);

/** A float whose name as a key is not its text as a value. */
export class NamedFloat {
  constructor(
    readonly value: number,
    private readonly name: string,
  ) {}
  toString(): string {
    return this.name;
  }
  readonly [Symbol.toStringTag] = 'Number';
}

/** The number itself where both are the same. */
export function namedFloat(value: number): number | NamedFloat {
  const name = floatName(value);
  return name === String(value) ? value : new NamedFloat(value, name);
}

/** Rule: `strconv.FormatFloat(key, 'g', -1, 32)`: the shortest digits that single precision needs. */
function floatName(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits <= 9; digits++) {
    const text = rounded(single, digits);
    if (Math.fround(Number(text)) !== single) continue;
    const [mantissa = '', exponent = '0'] = text.split('e');
    const power = Number(exponent);
    if (power >= -4 && power < 6) return String(Number(text));
    const sign = power < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  return String(value);
}

/** In so many digits; what lies in the middle goes to the even neighbour. */
function rounded(value: number, digits: number): string {
  const text = value.toExponential(digits - 1);
  const [longer = '', exponent = ''] = value.toExponential(digits).split('e');
  const isMiddle = longer.endsWith('5') && Number(`${longer}e${exponent}`) === value;
  const below = longer.slice(0, -1);
  return isMiddle && /[02468]\.?$/.test(below) ? `${below.replace(/\.$/, '')}e${exponent}` : text;
}
