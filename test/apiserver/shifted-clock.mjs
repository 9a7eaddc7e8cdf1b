/**
 * Loaded into a gate's process and its threads before anything else (`--import`): their wall clock is
 * what a file says: `ahead` by milliseconds, as after a jump of the machine's clock, and `rate` times
 * as fast as it should be since the time `since`. What counts elapsed time (performance.now, timers)
 * goes on evenly, as CLOCK_MONOTONIC does.
 */
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const file = process.env['SHIFTED_CLOCK_FILE'];
const RealDate = Date;
let clock = { ahead: 0, since: 0, rate: 1 };

function look() {
  try {
    clock = { ...clock, ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    // Not there yet, or half written.
  }
}

function now() {
  const real = RealDate.now();
  return Math.round(real + clock.ahead + (real - clock.since) * (clock.rate - 1));
}

look();
setInterval(look, 100).unref();

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};
