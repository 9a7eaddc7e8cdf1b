/** One line of progress on a terminal: bytes read, and how long the rest will take. */
import { showProgress } from './output.js';

export interface Progress {
  readonly update: (read: number, total: number) => void;
  /** Wipes the line. */
  readonly stop: () => void;
}

const silent: Progress = { update: () => undefined, stop: () => undefined };
/** Work that takes less than this needs no progress. */
const quietMilliseconds = 500;
const betweenMilliseconds = 100;

export function startProgress(): Progress {
  if (!process.stderr.isTTY) return silent;
  const start = Date.now();
  let last = start + quietMilliseconds - betweenMilliseconds;
  let shown = false;
  return {
    update(read, total) {
      const now = Date.now();
      if (now - last < betweenMilliseconds) return;
      last = now;
      shown = true;
      showProgress(progressLine(read, total, now - start));
    },
    stop() {
      if (shown) showProgress('');
    },
  };
}

/** `120 of 370 MB, 4 s left`; without a total only what was read. */
function progressLine(read: number, total: number, milliseconds: number): string {
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  if (total <= 0 || read <= 0) return `${megabytes(read)} MB`;
  const left = Math.ceil((milliseconds * Math.max(total - read, 0)) / read / 1000);
  return `${megabytes(read)} of ${megabytes(total)} MB, ${left} s left`;
}
