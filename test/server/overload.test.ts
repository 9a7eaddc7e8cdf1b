/** The gate's process when far more is asked than it can do. */
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import { loadWithClients } from '../../bench/many-clients.js';
import { defaultPolicy } from '../../src/policy/policy.js';

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
    });
    const peak = gate.peakBytes();
    if (peak !== undefined) {
      console.log(`      ${result.answers} answers, peak memory ${(peak / 1e6).toFixed(0)} MB`);
    }
    expect([...result.failures]).to.deep.equal([]);
    const metrics = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
    const refused = Number(/^olm_guard_overload_total (\d+)$/m.exec(metrics)?.[1]);
    expect(refused).to.be.greaterThan(0);
    expect(result.unjudged).to.be.at.least(refused);
    expect(result.answers).to.be.greaterThan(result.unjudged);
  });
});
