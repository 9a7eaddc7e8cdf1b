/** Since when something is as it is, for a person. */
import { plural } from '../../../text/plural.js';

/** Younger than this, a state that OLM tries to leave is its ordinary work: OLM's own install timeout is 5 minutes. */
const settlingMilliseconds = 10 * 60_000;

/** `, for 3 days (since 2026-11-02T08:00:00Z)`; empty where OLM names no time. */
export function sinceText(time: string | undefined, now: Date): string {
  const begun = Date.parse(time ?? '');
  return Number.isNaN(begun) ? '' : `, for ${lengthOf(now.getTime() - begun)} (since ${time})`;
}

/** Whether OLM may still be about it; a state without a time counts as an old one. */
export function isSettling(time: string | undefined, now: Date): boolean {
  const begun = Date.parse(time ?? '');
  return !Number.isNaN(begun) && now.getTime() - begun < settlingMilliseconds;
}

function lengthOf(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  const [number, unit] =
    minutes >= 2880
      ? [Math.floor(minutes / 1440), 'day']
      : minutes >= 120
        ? [Math.floor(minutes / 60), 'hour']
        : [minutes, 'minute'];
  return plural(number, unit);
}
