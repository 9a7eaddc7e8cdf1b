/** How long a review may take. */
import type { Caller } from '../admission/disclosure.js';
import { parseDuration } from '../../text/go/index.js';

/** The API server's own default and maximum. */
const defaultMilliseconds = 10_000;
const maximumMilliseconds = 30_000;

/**
 * Whole milliseconds that a review may take: the API server's `?timeout=` (a Go duration such as `10s`),
 * less a margin for the answer's way back. A value that is no duration counts as absent. More than the
 * default is given only to who has shown to be an API server.
 */
export function reviewMilliseconds(timeout: unknown, caller: Caller): number {
  const asked = typeof timeout === 'string' ? milliseconds(timeout) : 0;
  const most = caller === 'api-server' ? maximumMilliseconds : defaultMilliseconds;
  const whole = asked <= 0 ? defaultMilliseconds : Math.min(asked, most);
  // Timers take whole milliseconds only.
  return Math.floor(whole - Math.min(1000, whole / 5));
}

function milliseconds(text: string): number {
  const duration = parseDuration(text);
  return 'error' in duration ? 0 : Number(duration.nanoseconds) / 1e6;
}
