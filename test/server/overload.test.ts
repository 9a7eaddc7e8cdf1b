/** The gate's process when far more is asked than it can do. */
import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GateProcess, shippedNode, startGateProcess } from '../../bench/gate-process.js';
import { loadWithClients } from '../../bench/many-clients.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { defaultPolicy } from '../../src/policy/policy.js';
import { authority, type Pair } from './client-certificates.js';
import { definition, reviewText } from './reviews.js';

/** A definition with so many fields. */
function withFields(count: number): JsonObject {
  const fields = Array.from({ length: count }, (_, index) => [
    `field${index}`,
    { type: 'integer', description: `Says how much of number ${index} there should be.` },
  ]);
  const openAPIV3Schema = { type: 'object', properties: Object.fromEntries(fields) as JsonObject };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  return definition({ versions: [version] });
}

const removal = reviewText({ oldObject: withFields(20), object: withFields(10) });
const wide = reviewText({ oldObject: withFields(1000), object: withFields(1000) });

/** Each of the three kinds once: what takes the time is that there are so many who ask. */
const reviewsEach = 3;

describe('twenty times concurrentReviews', () => {
  let folder: string;
  let gate: GateProcess;
  let certificate: Pair;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-overload-'));
    const callers = await authority('callers');
    certificate = await callers.issue('kube-apiserver');
    writeFileSync(join(folder, 'callers.crt'), callers.pem);
    gate = await startGateProcess([`--client-ca-file=${join(folder, 'callers.crt')}`], {
      node: shippedNode,
    });
  });
  after(async () => {
    await gate.stop();
    rmSync(folder, { recursive: true });
  });

  it('gets an answer to every review: judged, or by policy and counted', async function () {
    this.timeout(600_000);
    const clients = 20 * defaultPolicy.budgets.concurrentReviews;
    const result = await loadWithClients(gate, {
      clients,
      lasts: { reviewsEach },
      timeoutSeconds: 10,
      // bench/overload.ts measures when answers come; here only a hang may end the wait.
      patienceSeconds: 300,
      reviews: [reviewText(), removal, wide],
      breaking: [removal],
      // All clients are in this one process: connecting at once would measure that.
      openingAtATime: 64,
      // However slowly that one process sends, nobody takes it for an unauthenticated client that stalls.
      certificate,
    });
    expect([...result.failures]).to.deep.equal([]);
    expect(result.answers).to.equal(clients * reviewsEach);
    const metrics = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
    const sum = (pattern: RegExp): number =>
      [...metrics.matchAll(pattern)].reduce((all, [, count]) => all + Number(count), 0);
    // How many came too late is left to the machine; all of them are counted.
    expect(sum(/^olm_guard_reviews_total\{.*decision="unjudged".*\} (\d+)$/gm)).to.equal(
      result.unjudged,
    );
    expect(sum(/^olm_guard_overload_total (\d+)$/gm)).to.be.at.most(result.unjudged);
    expect(result.answers).to.be.greaterThan(result.unjudged);
    expect(result.passed).to.equal(0);
    // Systems that do not tell have no bound to check. Each client shows a certificate, which its
    // connection keeps.
    expect(gate.peakBytes() ?? 0).to.be.at.most(512e6);
  });
});

describe('a gate that ends', () => {
  it('before it is ready says why', async () => {
    const started = startGateProcess(['--policy', 'nowhere.yaml']);
    const problem = await started.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(problem).to.match(/^the gate ended with 2: .*nowhere\.yaml/);
  });

  it('while it is asked ends the load, with its code and last words', async () => {
    // Takes connections and never says anything.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const asked = loadWithClients(
      {
        url: `https://127.0.0.1:${port}`,
        authority: '',
        ended: once(silent, 'connection').then(() => 137),
        lastWords: () => 'out of memory',
      },
      { clients: 2, lasts: { reviewsEach: 1 }, timeoutSeconds: 300, reviews: [''] },
    );
    const problem = await asked.then(
      () => '',
      (error: Error) => error.message,
    );
    silent.close();
    expect(problem).to.equal('the gate ended with 137: out of memory');
  });
});
