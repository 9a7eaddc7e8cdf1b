/** Who sends a review does not say how long the gate waits for it, unless it is an API server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import { authority, type Pair } from '../server/client-certificates.js';
import { responseIn, reviewText } from '../server/reviews.js';

interface Slow {
  /** What was answered. */
  readonly answer: Promise<string>;
  /** Sends the rest. */
  finish(): void;
}

describe('a time-out of 30 s', () => {
  let folder: string;
  let gate: GateProcess;
  let apiServer: Pair;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-timeout-'));
    const callers = await authority('callers');
    writeFileSync(join(folder, 'callers.crt'), callers.pem);
    apiServer = await callers.issue('kube-apiserver');
    gate = await startGateProcess([`--client-ca-file=${join(folder, 'callers.crt')}`]);
  });
  after(async () => {
    await gate.stop();
    rmSync(folder, { recursive: true });
  });

  /** A review of which spaces come now and then, enough that it does not stall. */
  function slowly(pair: Partial<Pair>, headers: Record<string, number> = {}): Slow {
    const sending = request(`${gate.url}/validate?timeout=30s`, {
      ...{ method: 'POST', ca: gate.authority, agent: false, ...pair },
      headers: { 'content-type': 'application/json', ...headers },
    });
    const review = reviewText();
    sending.write(review.slice(0, -1));
    const trickle = setInterval(() => sending.write(' '.repeat(16_384)), 200);
    const answer = new Promise<string>((resolve) => {
      sending.on('error', (error) => resolve(String(error)));
      sending.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('close', () => resolve(text));
      });
    }).finally(() => clearInterval(trickle));
    return {
      answer,
      finish: () => {
        clearInterval(trickle);
        sending.end(review.slice(-1));
      },
    };
  }

  it('is given to the API server, and to nobody else', async () => {
    const settled: string[] = [];
    const trusted = slowly(apiServer);
    const answered = trusted.answer.then((text) => {
      settled.push('api-server');
      return text;
    });
    // Nobody else may send a body in chunks.
    const stranger = await slowly({}, { 'content-length': 6_000_000 }).answer;
    settled.push('stranger');
    expect(stranger).to.match(/there was no time to read its body/);
    trusted.finish();
    expect(responseIn(await answered)).to.include({ allowed: true });
    expect(settled).to.deep.equal(['stranger', 'api-server']);
  });
});
