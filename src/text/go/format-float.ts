/** Floats as Go's `strconv.FormatFloat(value, 'g', -1, bits)` writes them, which is `%v` too. */

/** The shortest digits that a float64 needs, with an exponent below 1e-04 and from 1e+06 on. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  return Object.is(value, -0) ? '-0' : general(value.toExponential());
}

/** The shortest digits that a float32 needs of a value within its range. */
export function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (Object.is(single, -0)) return '-0';
  for (let digits = 1; digits <= 9; digits++) {
    const text = rounded(single, digits);
    if (Math.fround(Number(text)) === single) return general(text);
  }
  return String(single);
}

/** @param exponential digits and exponent as JavaScript writes them: `1.5e-7` */
function general(exponential: string): string {
  const [digits = '', exponent = '0'] = exponential.split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(exponential));
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** In so many digits; what lies in the middle goes to the even neighbour. */
function rounded(value: number, digits: number): string {
  const text = value.toExponential(digits - 1);
  const [longer = '', exponent = ''] = value.toExponential(digits).split('e');
  const isMiddle = longer.endsWith('5') && Number(`${longer}e${exponent}`) === value;
  const below = longer.slice(0, -1);
  return isMiddle && /[02468]\.?$/.test(below) ? `${below.replace(/\.$/, '')}e${exponent}` : text;
}
