/**
 * What do the reviews that are worst for the event loop take of it? Processor time of its thread, beside that
 * of a review of the same size that is only read: `npm run build && npx tsx bench/event-loop.ts`.
 */
import { loopReviews } from '../test/attack/loop-reviews.js';
import { send } from '../test/server/gate.js';
import { shippedNode, startGateProcess } from './gate-process.js';
import { tell } from './measure.js';

const limit = 8;
const rounds = 3;
/** A small review is over before the clock of the system has moved. */
const besideMilliseconds = 25;

const gate = await startGateProcess([], {
  node: shippedNode,
});

/** Milliseconds of the loop's thread: whatever else the machine does only adds to them. */
async function least(review: string): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = gate.loopMilliseconds() ?? NaN;
    const { status } = await send(gate.url, gate.authority, review, {
      path: '/validate?timeout=30s',
    });
    if (status !== 200) throw new Error(`HTTP ${status}`);
    all.push((gate.loopMilliseconds() ?? NaN) - before);
  }
  return all.reduce((one, other) => Math.min(one, other));
}

try {
  let worst = { what: '', ratio: 0 };
  for (const [what, judged, onlyRead] of loopReviews) {
    const [judging, reading] = [await least(judged), await least(onlyRead)];
    const ratio = judging / (reading + besideMilliseconds);
    console.log(`  ${what}: ${judging.toFixed(0)} ms judged, ${reading.toFixed(0)} ms only read`);
    if (!(ratio <= worst.ratio)) worst = { what, ratio };
  }
  console.log(`  worst: ${worst.what}`);
  tell({
    what: 'worst review for the event loop, of one that is only read',
    value: worst.ratio,
    ...{ unit: '×', limit },
  });
} finally {
  await gate.stop();
}
