/**
 * Reviews that are worst for the event loop: each is answered, and probes are answered meanwhile. What it
 * takes of the loop, `npm run bench -- event-loop` measures.
 */
import { get } from 'node:http';
import { expect } from 'chai';
import { type GateProcess, shippedNode, startGateProcess } from '../../bench/gate-process.js';
import { send } from '../server/gate.js';
import { responseIn } from '../server/reviews.js';
import { loopReviews } from './loop-reviews.js';

describe('a review that is worst for the event loop', () => {
  let gate: GateProcess;
  before(async () => {
    gate = await startGateProcess([], {
      node: shippedNode,
    });
  });
  after(() => gate.stop());

  /** A probe as a kubelet's, on a connection of its own. */
  function probe(): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const asked = get(`${gate.metricsUrl}/livez`, { agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      asked.once('error', reject);
    });
  }

  for (const [what, judged] of loopReviews) {
    it(`is answered, and so are probes beside it: ${what}`, async function () {
      this.timeout(300_000);
      const asked = send(gate.url, gate.authority, judged, { path: '/validate?timeout=30s' });
      const [{ status, text }, ...probes] = await Promise.all([asked, probe(), probe(), probe()]);
      expect(status, text.slice(0, 300)).to.equal(200);
      expect(responseIn(text).uid).to.be.a('string');
      expect(probes).to.deep.equal([200, 200, 200]);
    });
  }
});
