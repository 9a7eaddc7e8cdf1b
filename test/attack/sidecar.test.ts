/** The sidecar's process, asked more than it can hold. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { maxSidecar } from '../../src/gate/server/memory.js';
import { start, type Started } from '../cli/command.js';
import { until } from '../server/until.js';

const megabyte = 1024 * 1024;
const room = 64 * megabyte - 1024;

/** The largest resident set so far, in MiB; undefined where the system does not tell. */
function peakMegabytes({ process: { pid } }: Started): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

describe('a sidecar that is asked too much', () => {
  let sidecar: Started;
  let url: string;
  before(async () => {
    sidecar = start(['sidecar', '--listen', '127.0.0.1:0', '--log-level', 'error']);
    await until(() => sidecar.stdout().includes('\n') || sidecar.process.exitCode !== null);
    url = /^olm-guard ready (\S+)/.exec(sidecar.stdout())?.[1] ?? '';
    expect(url, sidecar.stderr()).to.not.equal('');
  });
  after(async () => {
    sidecar.process.kill('SIGTERM');
    await sidecar.ended;
  });

  const post = (path: string, body: string): Promise<Response> =>
    fetch(`${url}/v1alpha1/preflight${path}`, { method: 'POST', body });

  it('holds no more memory than the sum of its parts, whatever three bodies of 64 MB hold', async function () {
    this.timeout(900_000);
    const list = (piece: string): string =>
      `{"old":[${piece.repeat(Math.floor(room / piece.length) - 8)}0],"new":{}}`;
    const file = (name: string, text: string): string => `{"files":{"${name}":"${text}"}}`;
    const keys = Array.from({ length: 4_000_000 }, (_, index) => `"${index}":0`).join();
    const rows: [path: string, body: string][] = [
      ['/crd', list('1.0,')],
      ['/crd', list('[],')],
      ['/crd', `{"old":{${keys}},"new":{}}`],
      ['/catalog', file('a.json', 'x'.repeat(room - 100))],
      ['/catalog', file('a.json', `[${'1.0,'.repeat(room / 4 - 50)}0]`)],
      ['/catalog', file('a.yaml', `a: [${'1.0,'.repeat(room / 4 - 50)}0]`)],
    ];
    for (const [path, body] of rows) {
      const bodies = [1, 2, 3].map(async () => {
        const answer = await post(path, body);
        await answer.text();
        return answer.status;
      });
      // Others ask meanwhile.
      const range = { dialect: 'blang', constraint: '>=1.0.0', version: '1.4.0' };
      expect((await post('/range', JSON.stringify(range))).status).to.equal(200);
      for (const status of await Promise.all(bodies)) {
        expect(status, `${path} ${body.slice(0, 40)}`).to.be.oneOf([200, 400, 413, 429]);
      }
    }
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    expect(peakMegabytes(sidecar) ?? 0).to.be.at.most(maxSidecar);
  });
});
