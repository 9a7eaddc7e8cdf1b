/** Twenty times as many reviews at once as the policy allows, for half a minute. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { expect } from 'chai';
import { defaultPolicy } from '../../src/policy/policy.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { send } from './gate.js';
import { responseIn, reviewText, withSize } from './reviews.js';

const seconds = 30;
const timeoutSeconds = 10;
const clients = 20 * defaultPolicy.budgets.concurrentReviews;
const mostMegabytes = 400;

describe('twenty times too many reviews at once', () => {
  let folder: string;
  let gate: TestGate;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'olm-guard-overload-'));
    gate = await startGate(folder, ['--log-level=error']);
  });
  after(async () => {
    await gate.stop();
    await rm(folder, { recursive: true });
  });

  it('are all answered within their timeout, in bounded memory', async function () {
    this.timeout((seconds + 60) * 1000);
    const description = 'Explains at length what this setting is for. '.repeat(200);
    const body = reviewText({
      oldObject: withSize({ type: 'integer', description }),
      object: withSize({ type: 'integer', description, minimum: 1 }),
    });
    // Made once: this process must not be what the reviews wait for.
    const secureContext = createSecureContext({ ca: gate.ca });
    const agents = Array.from(
      { length: clients },
      () => new Agent({ keepAlive: true, maxSockets: 1, secureContext }),
    );
    const tally = { denied: 0, unjudged: 0, refused: 0, failed: 0, late: 0 };
    const errors = new Set<string>();
    let slowest = 0;
    const path = `/validate?timeout=${timeoutSeconds}s`;

    async function ask(agent: Agent): Promise<void> {
      const start = performance.now();
      try {
        const { status, text } = await send(gate.url, gate.ca, body, {
          path,
          agent,
          ca: undefined,
        });
        if (status !== 200) tally.refused++;
        else if (responseIn(text).allowed) tally.unjudged++;
        else tally.denied++;
      } catch (error) {
        errors.add(String(error));
        tally.failed++;
      }
      const took = performance.now() - start;
      slowest = Math.max(slowest, took);
      if (took > timeoutSeconds * 1000) tally.late++;
    }

    // The connections are there before the rush, as an API server keeps them: Node accepts one new
    // connection per turn of its event loop, which is few when each turn is full of reviews.
    for (let first = 0; first < clients; first += 20) {
      await Promise.all(agents.slice(first, first + 20).map(ask));
    }
    expect(tally).to.include({ denied: clients, failed: 0 });

    const end = performance.now() + seconds * 1000;
    slowest = 0;
    await Promise.all(
      agents.map(async (agent) => {
        while (performance.now() < end) await ask(agent);
        agent.destroy();
      }),
    );
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${gate.pid}/status`, 'utf8'))?.[1];
    const megabytes = Math.round(Number(peak) / 1024);
    console.log(
      `      ${clients} clients, ${seconds} s: ${JSON.stringify(tally)}, slowest ${Math.round(slowest)} ms, peak ${megabytes} MB`,
    );
    expect([...errors]).to.deep.equal([]);
    expect(tally).to.include({ refused: 0, failed: 0, late: 0 });
    expect(tally.denied).to.be.greaterThan(0);
    expect(megabytes).to.be.at.most(mostMegabytes);
  });
});
