/** One user's burst of definitions whose proofs take long: each is judged, and another user is not kept waiting. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { authority, type Pair } from '../server/client-certificates.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';

/** Every pattern is a loosened one whose automata have tens of thousands of states; one field is removed. */
function looseningReview(name: string, fields: number): string {
  const size = (pattern: string, more: JsonObject): JsonObject => {
    const entries = Array.from({ length: fields }, (_, index): [string, JsonObject] => [
      `f${index}`,
      { type: 'string', pattern },
    ]);
    return { type: 'object', properties: { ...Object.fromEntries(entries), ...more } };
  };
  return reviewText({
    ...{ name, dryRun: true, userInfo: { username: 'burst' } },
    oldObject: withSize(size('^[ab]*a[ab]{14}$', { gone: { type: 'string' } }), { name }),
    object: withSize(size('^[ab]*a[ab]{13,15}$', {}), { name }),
  });
}

describe('a burst of large updates', () => {
  let folder: string;
  let gate: GateProcess;
  let apiServer: Pair;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-bursts-'));
    const callers = await authority('callers');
    writeFileSync(join(folder, 'callers.crt'), callers.pem);
    apiServer = await callers.issue('kube-apiserver');
    gate = await startGateProcess([`--client-ca-file=${join(folder, 'callers.crt')}`]);
  });
  after(async () => {
    await gate.stop();
    rmSync(folder, { recursive: true });
  });

  const rows: [updates: number, fields: number][] = [
    [24, 600],
    [8, 2500],
  ];
  for (const [updates, fields] of rows) {
    it(`is judged, and others meanwhile: ${updates} of ${fields} fields`, async function () {
      this.timeout(300_000);
      const settled: string[] = [];
      const post = async (name: string, body: string) => {
        const options = { path: '/validate?timeout=30s', ...apiServer };
        const { text } = await send(gate.url, gate.authority, body, options);
        settled.push(name);
        return responseIn(text);
      };
      const burst = Promise.all(
        Array.from({ length: updates }, (_, index) =>
          post('burst', looseningReview(`widgets${index}.example.com`, fields)),
        ),
      );
      const other = await post(
        'other',
        reviewText({
          userInfo: { username: 'other' },
          oldObject: withSize({ type: 'integer' }),
          object: withSize(undefined),
        }),
      );
      expect(other.allowed).to.equal(false);
      for (const { allowed, status } of await burst) {
        expect(allowed).to.equal(false);
        expect(status?.message).to.match(/\^\.spec\.size\.gone/);
      }
      expect(settled.at(-1)).to.equal('burst');
    });
  }
});
