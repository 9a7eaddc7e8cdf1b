/** The gate's process when far more is asked than it can do. */
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import { loadWithClients } from '../../bench/many-clients.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { defaultPolicy } from '../../src/check/policy.js';
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

describe('twenty times concurrentReviews for half a minute', () => {
  let gate: GateProcess;
  before(async () => {
    gate = await startGateProcess();
  });
  after(() => gate.stop());

  it('gets an answer to every review before its API server gives up', async function () {
    this.timeout(120_000);
    const result = await loadWithClients(gate, {
      clients: 20 * defaultPolicy.budgets.concurrentReviews,
      seconds: 30,
      timeoutSeconds: 10,
      reviews: [reviewText(), removal, wide],
      // All clients are in this one process: connecting at once would measure that.
      openingAtATime: 64,
    });
    expect([...result.failures]).to.deep.equal([]);
    const metrics = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
    const refused = Number(/^olm_guard_overload_total (\d+)$/m.exec(metrics)?.[1]);
    expect(refused).to.be.greaterThan(0);
    expect(result.unjudged).to.be.at.least(refused);
    expect(result.answers).to.be.greaterThan(result.unjudged);
    // Systems that do not tell have no bound to check.
    expect(gate.peakBytes() ?? 0).to.be.at.most(400e6);
  });
});
