const longestSeconds = 86_400;

/**
 * Seconds as timers take them: whole milliseconds, and a day at most, for one that is set to more than
 * 2^31 - 1 ends at once.
 */
export function timerMilliseconds(seconds: number): number {
  return Math.ceil(Math.min(seconds, longestSeconds) * 1000);
}
