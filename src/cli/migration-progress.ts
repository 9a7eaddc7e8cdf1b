/** How far a migration is: a bar on a terminal, a line every ten seconds in a log. */
import { duration } from '../report/index.js';
import { printError, showProgress } from './output.js';

export interface MigrationProgress {
  readonly update: (looked: number, remaining: number | undefined) => void;
  /** Wipes the bar. */
  readonly stop: () => void;
}

const width = 30;
const betweenBars = 200;
const betweenLines = 10_000;

/** @param what plural noun: `widgets` */
export function startMigrationProgress(what: string): MigrationProgress {
  const { isTTY } = process.stderr;
  const start = Date.now();
  let [last, first, isShown]: [number, number | undefined, boolean] = [start, undefined, false];
  return {
    update(looked, remaining) {
      const now = Date.now();
      // A run that goes on has not done all of it itself.
      first ??= looked;
      if (now - last < (isTTY ? betweenBars : betweenLines)) return;
      last = now;
      const perSecond = ((looked - first) * 1000) / Math.max(now - start, 1);
      const sentence = progressLine({ looked, remaining, perSecond }, what);
      if (!isTTY) return printError(`olm-guard: ${sentence}`);
      isShown = true;
      showProgress(`${bar(looked, remaining)}${sentence}`);
    },
    stop() {
      if (isShown) showProgress('');
      isShown = false;
    },
  };
}

interface Pace {
  readonly looked: number;
  readonly remaining: number | undefined;
  readonly perSecond: number;
}

/** `45,000 of 100,000 widgets, 250/s, 3 min 40 s left` */
function progressLine({ looked, remaining, perSecond }: Pace, what: string): string {
  const number = (value: number): string => Math.round(value).toLocaleString('en-US');
  const rate = `${number(perSecond)}/s`;
  if (remaining === undefined) return `${number(looked)} ${what}, ${rate}`;
  const left = perSecond > 0 ? `, ${duration(Math.ceil(remaining / perSecond))} left` : '';
  return `${number(looked)} of ${number(looked + remaining)} ${what}, ${rate}${left}`;
}

function bar(looked: number, remaining: number | undefined): string {
  if (remaining === undefined) return '';
  const full = Math.round((width * looked) / Math.max(looked + remaining, 1));
  return `[${'='.repeat(full)}${' '.repeat(width - full)}] `;
}
