/** Integers and durations as Go reads them, and floats as `%v` and `FormatFloat(value, 'g', -1, bits)` write them. */

const maxDigits = 20;

/** Undefined past 64 bits. Digits are counted before they are read: reading a million takes a second. */
export function decimalOf(text: string): bigint | undefined {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > maxDigits) return undefined;
  return BigInt(text.startsWith('-') ? `-${digits || '0'}` : digits || '0');
}

const nanosecondsPerUnit: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const magnitudeLimit = 2n ** 63n;
const part = /(\d*)(?:\.(\d*))?([^.\d]*)/y;

/** `1m30s`, `500ms`, `-1.5h`. Rule: Go's `time.ParseDuration`, with its error's text. */
export function parseDuration(text: string): { nanoseconds: bigint } | { error: string } {
  const invalid = (): { error: string } => ({ error: `time: invalid duration ${quoted(text)}` });
  const isSigned = text.startsWith('-') || text.startsWith('+');
  const start = isSigned ? 1 : 0;
  if (text.length === start) return invalid();
  if (text.length === start + 1 && text.endsWith('0')) return { nanoseconds: 0n };
  let total = 0n;
  for (part.lastIndex = start; part.lastIndex < text.length;) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(text) as RegExpExecArray;
    if (whole === '' && fraction === '') return invalid();
    const value = BigInt(whole);
    if (value > magnitudeLimit) return invalid();
    if (unit === '') return { error: `time: missing unit in duration ${quoted(text)}` };
    const nanoseconds = nanosecondsPerUnit.get(unit);
    if (nanoseconds === undefined) {
      return { error: `time: unknown unit ${quoted(unit)} in duration ${quoted(text)}` };
    }
    if (value > magnitudeLimit / nanoseconds) return invalid();
    total += value * nanoseconds + fractionOf(fraction, nanoseconds);
    if (total > magnitudeLimit) return invalid();
  }
  if (text.startsWith('-')) return { nanoseconds: -total };
  return total === magnitudeLimit ? invalid() : { nanoseconds: total };
}

function fractionOf(digits: string, unit: bigint): bigint {
  const kept = digits.slice(0, 18);
  if (kept === '') return 0n;
  return BigInt(Math.trunc(Number(kept) * (Number(unit) / 10 ** kept.length)));
}

/** The package `time` quotes by its own rule: what is not printable ASCII as the bytes of its UTF-8. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll(/[^ -\x7f]/gu, (character) =>
      Buffer.from(character)
        .toString('hex')
        .replaceAll(/../g, String.raw`\x$&`),
    );
  return `"${escaped}"`;
}

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
