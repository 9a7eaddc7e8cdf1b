/**
 * Sends large reviews in turns to the gate as shipped, to the gate with profile crdify, and to a webhook
 * in Go that calls crdify: `npm run build && npx tsx bench/beside-go.ts`. Measures the time of single
 * reviews, reviews per second over eight connections, and memory. No figure has a limit.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../test/server/gate.js';
import { besideRow } from './beside-table.js';
import { shippedNode, startGateProcess } from './gate-process.js';
import { startGoWebhook, type WebhookProcess } from './go-webhook.js';
import { attempt, largeReviews } from './large-reviews.js';
import { keep } from './measure.js';

const rounds = 12;
const warming = 4;
const connections = 8;
const manyReviews = 300;

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-beside-go-'));
const policy = join(folder, 'policy.yaml');
writeFileSync(
  policy,
  'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nprofile: crdify\nenforce: all\n',
);

let attempts = 0;
const reviews = largeReviews();
const webhooks = new Map<string, WebhookProcess>();
const times = new Map<string, number[]>();

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function ask({ url, authority }: WebhookProcess, body: Buffer, agent: Agent): Promise<void> {
  const { status, text } = await send(url, authority, attempt(body, ++attempts), { agent });
  if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 200)}`);
}

async function measureOneByOne(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: webhooks.size });
  for (const { body } of reviews) {
    for (let round = -warming; round < rounds; round++) {
      for (const [name, webhook] of webhooks) {
        const start = performance.now();
        await ask(webhook, body, agent);
        if (round >= 0) times.get(name)?.push(performance.now() - start);
      }
      const start = performance.now();
      JSON.parse(body.toString());
      if (round >= 0) times.get('JSON.parse')?.push(performance.now() - start);
    }
  }
  agent.destroy();
}

async function reviewsPerSecond(webhook: WebhookProcess): Promise<number> {
  let sent = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (sent < manyReviews) {
      const review = reviews[sent++ % reviews.length];
      if (review !== undefined) await ask(webhook, review.body, agent);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return (1000 * manyReviews) / (performance.now() - start);
}

function tell(who: string, what: Parameters<typeof besideRow>[1], value: number, unit = ''): void {
  const name = besideRow(who, what);
  console.log(`${name}: ${value.toFixed(1)}${unit}`);
  keep({ what: name, value, unit });
}

try {
  webhooks.set('olm-guard', await startGateProcess([], { node: shippedNode }));
  webhooks.set(
    'olm-guard, profile crdify',
    await startGateProcess(['--policy', policy], { node: shippedNode }),
  );
  const inGo = await startGoWebhook();
  if (inGo !== undefined) webhooks.set('Go and crdify', inGo);
  for (const name of [...webhooks.keys(), 'JSON.parse']) times.set(name, []);
  await measureOneByOne();
  for (const [name, measured] of times) {
    tell(name, 'p50', quantile(measured, 0.5), ' ms');
    tell(name, 'p99', quantile(measured, 0.99), ' ms');
  }
  for (const [name, webhook] of webhooks) {
    tell(name, 'reviews a second, over 8 connections', await reviewsPerSecond(webhook));
    const peak = webhook.peakBytes();
    if (peak !== undefined) tell(name, 'memory at most', peak / 1e6, ' MB');
  }
} finally {
  await Promise.all([...webhooks.values()].map((webhook) => webhook.stop()));
  rmSync(folder, { recursive: true });
}
