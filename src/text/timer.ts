const longestSeconds = 86_400;

/** A day at most: a timer of more than 2^31 - 1 milliseconds ends at once. */
export function timerMilliseconds(seconds: number): number {
  return Math.ceil(Math.min(seconds, longestSeconds) * 1000);
}
