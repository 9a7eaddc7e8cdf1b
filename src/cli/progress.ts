/** One line of progress on a terminal: what is done, and how long the rest will take. */
import { showProgress } from './output.js';

export interface Progress {
  /** @param total zero where it is not known */
  readonly update: (done: number, total: number) => void;
  /** Wipes the line. */
  readonly stop: () => void;
}

/** Work that takes less than this needs no progress. */
const quietMilliseconds = 500;
const betweenMilliseconds = 100;

/**
 * @param what plural noun for what is counted: `widgets`
 * @param size how many of these are one of them, as of bytes a megabyte
 */
export function startProgress(
  what = 'MB',
  size = what === 'MB' ? 1e6 : 1,
  now = Date.now,
): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const start = now();
  let last = start + quietMilliseconds - betweenMilliseconds;
  const number = (value: number): string => Math.round(value / size).toLocaleString('en-US');
  return {
    update(done, total) {
      const spent = now() - start;
      if (start + spent - last < betweenMilliseconds) return;
      last = start + spent;
      const left = Math.ceil((spent * Math.max(total - done, 0)) / done / 1000);
      const rate = number((done * 1000) / Math.max(spent, 1));
      const isEndKnown = total > 0 && done > 0;
      showProgress(
        isEndKnown
          ? `${number(done)} of ${number(total)} ${what}, ${left} s left`
          : `${number(done)} ${what}, ${rate}/s`,
      );
    },
    stop: () => showProgress(''),
  };
}
