/**
 * What a review of a large UPDATE costs over HTTPS, one request at a time, as a ratio to
 * JSON.parse of the same bytes; memory under 500 of them; time to ready.
 *
 * Run with `npm run build && npx tsx bench/reviews.ts`. Exits 1 when an aim is missed.
 */
import { Agent } from 'node:https';
import { send } from '../test/server/gate.js';
import { startGateProcess, type GateProcess } from './gate-process.js';
import { median, tell } from './measure.js';
import { largeReviews, type LargeReview } from './large-reviews.js';

/** Ratios are to JSON.parse of the body, with TLS. */
const aims = { p50: 1.3, peakMegabytes: 250, readySeconds: 1 };
const rounds = 60;
const memoryReviews = 500;
const starts = 5;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

interface Times {
  /** Milliseconds from the request to its answer, sorted. */
  readonly reviews: readonly number[];
  /** Milliseconds of JSON.parse of the same bytes, sorted. */
  readonly parses: readonly number[];
  /** Processor time of the gate per review, as a ratio to the processor time of a parse. */
  readonly processorRatio: number;
}

/** Parses and reviews take turns, so that whatever else the machine does meets both. */
async function timeReviews(gate: GateProcess, review: LargeReview, agent: Agent): Promise<Times> {
  const reviews: number[] = [];
  const parses: number[] = [];
  let parsing = 0;
  const before = await gate.processorSeconds();
  for (let round = 0; round < rounds; round++) {
    const processor = process.cpuUsage();
    const start = performance.now();
    JSON.parse(review.body.toString());
    const middle = performance.now();
    const { user, system } = process.cpuUsage(processor);
    parsing += (user + system) / 1e6;
    const { status } = await send(gate.url, gate.authority, review.body, { agent });
    reviews.push(performance.now() - middle);
    parses.push(middle - start);
    if (status !== 200) throw new Error(`${review.name}: HTTP ${status}`);
  }
  const judging = (await gate.processorSeconds()) - before;
  const ascending = (left: number, right: number): number => left - right;
  return {
    reviews: reviews.sort(ascending),
    parses: parses.sort(ascending),
    processorRatio: judging / parsing,
  };
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

const ready = await timeToReady();
tell({ what: 'gate: time to ready', value: ready, unit: ' s', limit: aims.readySeconds });

const gate = await startGateProcess();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  const reviews = largeReviews();
  const ratios: number[] = [];
  const spent: number[] = [];
  for (const review of reviews) {
    // The first reviews of a process are compiled while they run.
    await timeReviews(gate, review, agent);
    const { reviews: times, parses, processorRatio } = await timeReviews(gate, review, agent);
    const parse = quantile(parses, 0.5);
    const [p50, p99] = [quantile(times, 0.5) / parse, quantile(times, 0.99) / parse];
    ratios.push(p50);
    spent.push(processorRatio);
    const size = (review.body.length / 1e6).toFixed(2);
    const shown = [p50, p99, processorRatio].map((ratio) => `${ratio.toFixed(2)}x`);
    console.log(
      `${review.name.padEnd(76)} ${size} MB  parse ${parse.toFixed(1)} ms  p50 ${shown[0]}  p99 ${shown[1]}  processor time ${shown[2]}`,
    );
  }
  const middle = median(ratios);
  const aim = { unit: '×', limit: aims.p50 };
  tell({ what: 'review of a large UPDATE: p50, of JSON.parse', value: middle, ...aim });
  tell({
    what: 'review of a large UPDATE: processor time, of JSON.parse',
    value: median(spent),
    ...aim,
  });

  for (let sent = 0; sent < memoryReviews; sent++) {
    const review = reviews[sent % reviews.length];
    if (review !== undefined) await send(gate.url, gate.authority, review.body, { agent });
  }
  const peak = gate.peakBytes();
  if (peak === undefined) console.log('peak memory: this system does not tell');
  else {
    tell({
      what: 'gate: peak memory under 500 large reviews',
      value: peak / 1e6,
      unit: ' MB',
      limit: aims.peakMegabytes,
    });
  }
} finally {
  agent.destroy();
  await gate.stop();
}
