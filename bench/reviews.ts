/**
 * What reviews of updates cost over HTTPS, by a gate as it is shipped (only what is shown to harm is
 * denied) and by one with `enforce: all`, in turns and beside JSON.parse of the same bytes; how many a
 * gate answers; memory under 500 large ones; time to ready. Each review is another update, but for the
 * row that says so: the gate keeps its answers.
 *
 * Run with `npm run build && npx tsx bench/reviews.ts`. Exits 1 when an aim is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../test/server/gate.js';
import { startGateProcess, type GateProcess } from './gate-process.js';
import { median, tell } from './measure.js';
import { attempt, largeReviews, smallReviews, type LargeReview } from './large-reviews.js';

/** Ratios are to JSON.parse of the body, with TLS. */
const aims = {
  ...{ shippedP50: 10, shippedP99: 30, again: 5 },
  ...{ smallMilliseconds: 12, millisecondsEach: 50 },
  ...{ peakMegabytes: 400, readySeconds: 1 },
};
const connections = 8;
const rounds = 24;
/** The first reviews of a process are compiled while they run. */
const warming = 8;
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

/** Of all reviews that were sent. */
let attempts = 0;

/** Parses and reviews take turns, so that whatever else the machine does meets both. */
async function timeReviews(
  gate: GateProcess,
  review: LargeReview,
  agent: Agent,
  { most = rounds, isAgain = false } = {},
): Promise<Times> {
  const reviews: number[] = [];
  const parses: number[] = [];
  let parsing = 0;
  const before = await gate.processorSeconds();
  for (let round = 0; round < most; round++) {
    const body = isAgain ? review.body : attempt(review.body, ++attempts);
    const processor = process.cpuUsage();
    const start = performance.now();
    JSON.parse(body.toString());
    const middle = performance.now();
    const { user, system } = process.cpuUsage(processor);
    parsing += (user + system) / 1e6;
    const { status } = await send(gate.url, gate.authority, body, { agent });
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

interface Gates {
  readonly shipped: GateProcess;
  readonly strict: GateProcess;
}

/** Of all reviews, each of its own parse. */
async function measureLarge({ shipped, strict }: Gates, agent: Agent): Promise<void> {
  const ratios: Record<keyof Gates, number[]> = { shipped: [], strict: [] };
  const spent: Record<keyof Gates, number[]> = { shipped: [], strict: [] };
  const ofStrict: number[] = [];
  const again: number[] = [];
  const slow: number[] = [];
  for (const review of largeReviews()) {
    const middles: Record<keyof Gates, number> = { shipped: 0, strict: 0 };
    for (const [name, gate] of Object.entries({ shipped, strict }) as [
      keyof Gates,
      GateProcess,
    ][]) {
      await timeReviews(gate, review, agent, { most: warming });
      const { reviews: times, parses, processorRatio } = await timeReviews(gate, review, agent);
      const parse = quantile(parses, 0.5);
      const [p50, p99] = [quantile(times, 0.5) / parse, quantile(times, 0.99) / parse];
      middles[name] = quantile(times, 0.5);
      ratios[name].push(p50);
      spent[name].push(processorRatio);
      if (name === 'shipped') slow.push(...times.map((time) => time / parse));
      const size = (review.body.length / 1e6).toFixed(2);
      const shown = [p50, p99, processorRatio].map((ratio) => `${ratio.toFixed(2)}x`);
      console.log(
        `${review.name.padEnd(76)} ${size} MB  ${name.padEnd(7)}  parse ${parse.toFixed(1)} ms  p50 ${shown[0]}  p99 ${shown[1]}  processor time ${shown[2]}`,
      );
    }
    ofStrict.push(middles.shipped / middles.strict);
    const repeated = await timeReviews(shipped, review, agent, { isAgain: true });
    again.push(quantile(repeated.reviews, 0.5) / quantile(repeated.parses, 0.5));
  }
  slow.sort((left, right) => left - right);
  for (const [what, value, limit] of [
    ['large review as shipped: p50, of JSON.parse', median(ratios.shipped), aims.shippedP50],
    ['large review as shipped: p99, of JSON.parse', quantile(slow, 0.99), aims.shippedP99],
    ['large review as shipped, once more: p50, of JSON.parse', median(again), aims.again],
    ['large review as shipped: p50, of enforce: all', median(ofStrict), undefined],
    ['large review, enforce: all: p50, of JSON.parse', median(ratios.strict), undefined],
    ['large review as shipped: processor time, of JSON.parse', median(spent.shipped), undefined],
    ['large review, enforce: all: processor time, of JSON.parse', median(spent.strict), undefined],
  ] as const) {
    tell({ what, value, unit: '×', limit });
  }
}

async function measureSmall({ shipped }: Gates, agent: Agent): Promise<void> {
  const middles: number[] = [];
  for (const review of smallReviews()) {
    await timeReviews(shipped, review, agent, { most: warming });
    middles.push(quantile((await timeReviews(shipped, review, agent)).reviews, 0.5));
  }
  const what = 'small review as shipped: p50';
  tell({ what, value: median(middles), unit: ' ms', limit: aims.smallMilliseconds });
}

/** Many at once, and what the process has held at most. */
async function measureMany({ shipped }: Gates): Promise<void> {
  const reviews = largeReviews();
  const agents = Array.from(
    { length: connections },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  let sent = 0;
  const start = performance.now();
  await Promise.all(
    agents.map(async (agent) => {
      while (sent < memoryReviews) {
        const review = reviews[sent++ % reviews.length];
        if (review === undefined) continue;
        const body = attempt(review.body, ++attempts);
        await send(shipped.url, shipped.authority, body, { agent });
      }
      agent.destroy();
    }),
  );
  const value = (performance.now() - start) / memoryReviews;
  const what = `large reviews over ${connections} connections: time for each`;
  tell({ what, value, unit: ' ms', limit: aims.millisecondsEach });
  const peak = shipped.peakBytes();
  if (peak === undefined) console.log('peak memory: this system does not tell');
  else {
    tell({
      what: `gate: peak memory under ${memoryReviews} large reviews over ${connections} connections`,
      value: peak / 1e6,
      unit: ' MB',
      limit: aims.peakMegabytes,
    });
  }
}

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-reviews-'));
const policy = join(folder, 'policy.yaml');
writeFileSync(policy, 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nenforce: all\n');
const agent = new Agent({ keepAlive: true, maxSockets: 2 });
const started: GateProcess[] = [];
async function start(...args: readonly string[]): Promise<GateProcess> {
  const gate = await startGateProcess(args);
  started.push(gate);
  return gate;
}
try {
  const gates: Gates = { shipped: await start(), strict: await start('--policy', policy) };
  await measureLarge(gates, agent);
  await measureSmall(gates, agent);
  await measureMany(gates);
} finally {
  agent.destroy();
  await Promise.all(started.map((gate) => gate.stop()));
  rmSync(folder, { recursive: true });
}
