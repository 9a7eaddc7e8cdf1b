/** One line of progress: what is done, and how long the rest will take. */
import { formatCount, duration } from '../text/plural.js';
import { printError, showProgress } from './output.js';

export interface Progress {
  /** @param total zero where it is not known */
  readonly update: (done: number, total: number) => void;
  /** Wipes the line. */
  readonly stop: () => void;
}

interface ProgressOptions {
  readonly size?: number;
  /** Where there is no terminal, milliseconds between lines; none are printed by default. */
  readonly betweenLines?: number;
  readonly now?: () => number;
}

/** Work that takes less than this needs no progress. */
const quietMilliseconds = 500;
const betweenMilliseconds = 100;
const width = 30;

/** @param what plural noun: `widgets` */
export function startProgress(
  what: string,
  { size = 1, betweenLines = Infinity, now = Date.now }: ProgressOptions = {},
): Progress {
  const { isTTY } = process.stderr;
  const start = now();
  let last = isTTY ? start + quietMilliseconds - betweenMilliseconds : start;
  let first: number | undefined;
  const number = (value: number): string => formatCount(Math.round(value / size));
  return {
    update(done, total) {
      const time = now();
      // A run that goes on has not done all of it itself.
      first ??= done;
      if (time - last < (isTTY ? betweenMilliseconds : betweenLines)) return;
      last = time;
      const perSecond = ((done - first) * 1000) / Math.max(time - start, 1);
      const left = Math.ceil((total - done) / perSecond);
      const end = perSecond > 0 && total > 0 ? `, ${duration(left)} left` : '';
      const of = total > 0 ? ` of ${number(total)}` : '';
      const sentence = `${number(done)}${of} ${what}, ${number(perSecond)}/s${end}`;
      const full = Math.round((width * done) / Math.max(done, total, 1));
      const bar = total > 0 ? `[${'='.repeat(full)}${' '.repeat(width - full)}] ` : '';
      if (isTTY) showProgress(`${bar}${sentence}`);
      else printError(`olm-guard: ${sentence}`);
    },
    stop: () => showProgress(''),
  };
}
