/**
 * What a review of a large UPDATE costs over HTTPS, one request at a time, as a ratio to
 * JSON.parse of the same bytes; memory under 500 of them; time to ready.
 *
 * Run with `npm run build && npx tsx bench/reviews.ts`. Exits 1 when an aim is missed.
 */
import { Agent } from 'node:https';
import { send } from '../test/server/gate.js';
import { startGateProcess, type GateProcess } from './gate-process.js';
import { largeReviews, type LargeReview } from './large-reviews.js';

const aims = { p50: 2.5, peakMegabytes: 250, readySeconds: 1 };
const rounds = 60;
const memoryReviews = 500;
const starts = 5;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function sortedTimes(count: number, run: () => void): number[] {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((left, right) => left - right);
}

async function timeReviews(
  gate: GateProcess,
  review: LargeReview,
  agent: Agent,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { status } = await send(gate.url, gate.authority, review.body, { agent });
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`${review.name}: HTTP ${status}`);
  }
  return times.sort((left, right) => left - right);
}

async function timeToReady(): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < starts; start++) {
    const gate = await startGateProcess();
    times.push(gate.millisecondsToReady);
    await gate.stop();
  }
  times.sort((left, right) => left - right);
  return quantile(times, 0.5) / 1000;
}

let missed = 0;
function report(what: string, value: string, isMet: boolean, aim: string): void {
  if (!isMet) missed++;
  console.log(`${what.padEnd(58)} ${value.padStart(24)}   ${isMet ? 'within' : 'MISSES'} ${aim}`);
}

const ready = await timeToReady();
report('time to ready (median of 5)', `${ready.toFixed(2)} s`, ready <= aims.readySeconds, '1 s');

const gate = await startGateProcess();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  const reviews = largeReviews();
  const ratios: number[] = [];
  for (const review of reviews) {
    const text = review.body.toString();
    const parse = quantile(
      sortedTimes(rounds, () => void JSON.parse(text)),
      0.5,
    );
    // The first reviews of a process are compiled while they run.
    await timeReviews(gate, review, agent);
    const times = await timeReviews(gate, review, agent);
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    ratios.push(p50 / parse);
    const size = (review.body.length / 1e6).toFixed(2);
    console.log(
      `${review.name.padEnd(72)} ${size} MB  parse ${parse.toFixed(1)} ms  p50 ${p50.toFixed(1)} ms (${(p50 / parse).toFixed(2)}x)  p99 ${p99.toFixed(1)} ms (${(p99 / parse).toFixed(2)}x)`,
    );
  }
  ratios.sort((left, right) => left - right);
  const middle = quantile(ratios, 0.5);
  report(
    'p50 of a large UPDATE over HTTPS / JSON.parse',
    `${middle.toFixed(2)}x`,
    middle <= aims.p50,
    '2.5x',
  );

  for (let sent = 0; sent < memoryReviews; sent++) {
    const review = reviews[sent % reviews.length];
    if (review !== undefined) await send(gate.url, gate.authority, review.body, { agent });
  }
  const peak = gate.peakBytes();
  if (peak === undefined) console.log('peak memory: this system does not tell');
  else {
    const megabytes = peak / 1e6;
    report(
      'peak memory under 500 large reviews',
      `${megabytes.toFixed(0)} MB`,
      megabytes <= aims.peakMegabytes,
      '250 MB',
    );
  }
} finally {
  agent.destroy();
  await gate.stop();
}
process.exitCode = missed === 0 ? 0 : 1;
