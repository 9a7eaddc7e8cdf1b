/** `time.Duration` from its text. */

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
