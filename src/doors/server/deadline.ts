/** How long a review may take. */
import { parseDuration } from '../../text/go/index.js';

/** The API server's own default and maximum. */
const defaultMilliseconds = 10_000;
const maximumMilliseconds = 30_000;

/**
 * Whole milliseconds that a review may take: the API server's `?timeout=` (a Go duration such as `10s`),
 * less a margin for the answer's way back. A value that is no duration counts as absent.
 */
export function reviewMilliseconds(timeout: unknown): number {
  const asked = typeof timeout === 'string' ? milliseconds(timeout) : 0;
  const whole = asked <= 0 ? defaultMilliseconds : Math.min(asked, maximumMilliseconds);
  // Timers take whole milliseconds only.
  return Math.floor(whole - Math.min(500, whole / 5));
}

function milliseconds(text: string): number {
  const duration = parseDuration(text);
  return 'error' in duration ? 0 : Number(duration.nanoseconds) / 1e6;
}
