const nanosecondsPerUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** Go's `time.ParseDuration`: nanoseconds, or its error text. Overflow is not an error here. */
export function parseGoDuration(text: string): { nanoseconds: number } | { error: string } {
  const invalid = { error: `time: invalid duration ${quoted(text)}` };
  const [, sign, body = ''] = /^([-+]?)([^]*)$/.exec(text) ?? [];
  if (body === '0') return { nanoseconds: 0 };
  if (body === '') return invalid;
  let total = 0;
  for (let rest = body; rest !== '';) {
    const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) return invalid;
    rest = rest.slice(number.length);
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return { error: `time: missing unit in duration ${quoted(text)}` };
    const nanoseconds = nanosecondsPerUnit.get(unit);
    if (nanoseconds === undefined) {
      return { error: `time: unknown unit ${quoted(unit)} in duration ${quoted(text)}` };
    }
    total += Number(number) * nanoseconds;
    rest = rest.slice(unit.length);
  }
  return { nanoseconds: sign === '-' ? -total : total };
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
