/** How long a review may take. */

const unitMilliseconds: ReadonlyMap<string, number> = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
  ['us', 0.001],
  ['µs', 0.001],
  ['ns', 0.000001],
]);

/** The API server's own default and maximum. */
const defaultMilliseconds = 10_000;
const maximumMilliseconds = 30_000;

/**
 * Whole milliseconds that a review may take: the API server's `?timeout=` (a Go duration such as `10s`),
 * less a margin for the answer's way back. A value that is no duration counts as absent.
 */
export function reviewMilliseconds(timeout: unknown): number {
  const asked = typeof timeout === 'string' ? parseGoDuration(timeout) : undefined;
  const whole =
    asked === undefined || asked <= 0 ? defaultMilliseconds : Math.min(asked, maximumMilliseconds);
  // Timers take whole milliseconds only.
  return Math.floor(whole - Math.min(500, whole / 5));
}

/** `1m30s`, `500ms`, `1.5h`; undefined when it is none. */
export function parseGoDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)) {
    total += Number(number) * (unitMilliseconds.get(unit ?? '') ?? 0);
  }
  return total;
}
