/** One line of progress on a terminal: how many objects, and how many each second. */
import { showProgress } from '../output.js';

export interface Counting {
  readonly add: (objects: number) => void;
  /** Wipes the line. */
  readonly stop: () => void;
}

const betweenMilliseconds = 200;

export function startCounting(what: string): Counting {
  if (!process.stderr.isTTY) return { add: () => undefined, stop: () => undefined };
  const start = Date.now();
  let last = start;
  let count = 0;
  let shown = false;
  return {
    add(objects) {
      count += objects;
      const now = Date.now();
      if (now - last < betweenMilliseconds) return;
      last = now;
      shown = true;
      showProgress(countLine(count, what, now - start));
    },
    stop() {
      if (shown) showProgress('');
    },
  };
}

/** `12,000 widgets, 3,100/s` */
function countLine(count: number, what: string, milliseconds: number): string {
  const number = (value: number): string => Math.round(value).toLocaleString('en-US');
  return `${number(count)} ${what}, ${number((count * 1000) / Math.max(milliseconds, 1))}/s`;
}
