/**
 * Loaded into a gate's process and its threads before anything else (`--import`): their wall clock is
 * ahead by the milliseconds that a file holds, as after a jump of the machine's clock. What counts
 * elapsed time (performance.now, timers) goes on evenly, as CLOCK_MONOTONIC does.
 */
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const file = process.env['SHIFTED_CLOCK_FILE'];
const RealDate = Date;
let ahead = 0;

function look() {
  try {
    ahead = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    ahead = 0;
  }
}

look();
setInterval(look, 100).unref();

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + ahead);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
