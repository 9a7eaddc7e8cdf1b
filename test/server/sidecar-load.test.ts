/** The sidecar when more is asked than it can do at once. */
import { request as httpRequest, type ClientRequest } from 'node:http';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createLog } from '../../src/gate/log.js';
import { createSidecarMetrics } from '../../src/gate/metrics/own-metrics.js';
import { JudgePool } from '../../src/gate/server/judge-pool.js';
import {
  startSidecar,
  type Sidecar,
  type StartOptions,
} from '../../src/gate/server/start-sidecar.js';
import { withSize } from './reviews.js';

const silent = new URL('./silent-worker.mjs', import.meta.url);
const range = { dialect: 'blang', constraint: '>=1.0.0 <2.0.0', version: '1.4.0' };
const heavy = { old: withSize({ type: 'integer' }), new: withSize(undefined), profile: 'proof' };

const hour = 3_600_000;

interface ErrorAnswer {
  readonly id?: unknown;
  readonly error: { readonly code: string; readonly message: string };
}

describe('the sidecar under load', () => {
  const open: Sidecar[] = [];
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  async function start(
    pool: ConstructorParameters<typeof JudgePool>[0],
    options: Partial<StartOptions> = {},
  ): Promise<string> {
    const registry = new Registry();
    const sidecar = await startSidecar({
      listen: { host: '127.0.0.1', port: 0 },
      registry,
      metrics: createSidecarMetrics(registry, 'test'),
      log: createLog('silent'),
      maxBodyBytes: 60_000,
      maxBytesInFlight: 80_000,
      pool: new JudgePool({ workers: 1, worker: silent, ...pool }),
      bodyMilliseconds: 10_000,
      ...options,
    });
    open.push(sidecar);
    return `${sidecar.url}/v1alpha1/preflight`;
  }
  const post = (url: string, body: unknown): Promise<Response> =>
    fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

  it('answers what is quick while a thread works on what is not', async () => {
    const url = await start({});
    const abort = new AbortController();
    const pending = fetch(`${url}/crd`, {
      method: 'POST',
      body: JSON.stringify(heavy),
      signal: abort.signal,
    }).then(
      () => 'answered',
      () => 'gone',
    );
    expect((await post(`${url}/range`, range)).status).to.equal(200);
    expect((await fetch(url.replace('/v1alpha1/preflight', '/livez'))).status).to.equal(200);
    abort.abort();
    expect(await pending).to.equal('gone');
  });

  it('answers a small question while six slow ones take all the threads', async () => {
    const url = await start({
      ...{ worker: new URL('./busy-worker.mjs', import.meta.url), hasQuickThread: true },
      ...{ limit: hour, share: hour },
    });
    const abort = new AbortController();
    const { signal } = abort;
    let answered = 0;
    const slow = Array.from({ length: 6 }, () => {
      const body = JSON.stringify({ milliseconds: hour });
      return fetch(`${url}/crd`, { method: 'POST', body, signal }).then(
        () => answered++,
        () => undefined,
      );
    });
    expect((await post(`${url}/crd`, { milliseconds: 0 })).status).to.equal(200);
    expect(answered).to.equal(0);
    abort.abort();
    await Promise.all(slow);
  });

  it('is not held up by two connections that send next to nothing of large bodies', async () => {
    const url = await start({}, { bodyMilliseconds: hour, patienceMilliseconds: 100 });
    const trickling = [1, 2].map(() => {
      const call = httpRequest(`${url}/range`, {
        method: 'POST',
        headers: { 'content-length': 50_000 },
      });
      call.on('error', () => undefined);
      call.write('{'.padEnd(39_000));
      const trickle = setInterval(() => call.write(' '), 200);
      call.on('close', () => clearInterval(trickle));
      return call;
    });
    for (;;) {
      const { status } = await post(`${url}/range`, JSON.stringify(range).padEnd(55_000));
      if (status === 200) break;
      expect(status).to.equal(429);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const call of trickling) call.destroy();
  });

  it('gives up what takes too long with 413 and a sentence', async () => {
    const url = await start({ limit: 100 });
    const answer = await post(`${url}/crd`, heavy);
    expect(answer.status).to.equal(413);
    const { error } = (await answer.json()) as ErrorAnswer;
    expect(error).to.deep.equal({
      code: 'E_LIMIT',
      message: 'the judgement took more than 0.1 s',
    });
  });

  it('gives up a line that takes too long by its id, and goes on with the next', async () => {
    const url = await start({ limit: 100 });
    const lines = [
      { id: 'slow', operation: 'crd', input: heavy },
      { id: 'quick', operation: 'range', input: range },
    ];
    const answer = await post(url, lines.map((line) => JSON.stringify(line)).join('\n'));
    const [slow, quick] = (await answer.text()).trimEnd().split('\n');
    expect(JSON.parse(slow ?? '')).to.deep.equal({
      id: 'slow',
      error: { code: 'E_LIMIT', message: 'the judgement took more than 0.1 s' },
    });
    expect(JSON.parse(quick ?? ''))
      .to.include({ id: 'quick' })
      .and.to.have.property('verdict');
  });

  it('tells who asks past the queue to try again', async () => {
    const url = await start({ queue: 0 });
    const abort = new AbortController();
    const body = JSON.stringify(heavy);
    const first = fetch(`${url}/crd`, { method: 'POST', body, signal: abort.signal }).catch(
      () => undefined,
    );
    // Which of the two comes first is left to the network: one waits for a thread that never answers.
    const second = fetch(`${url}/crd`, { method: 'POST', body, signal: abort.signal }).catch(
      () => undefined,
    );
    const answer = (await Promise.race([first, second])) as Response;
    expect(answer.status).to.equal(429);
    expect(answer.headers.get('retry-after')).to.equal('1');
    expect(((await answer.json()) as ErrorAnswer).error.code).to.equal('E_LIMIT');
    abort.abort();
    await Promise.all([first, second]);
  });

  describe('with its bytes in flight used up', () => {
    /** A question whose last byte is not sent yet; resolves once its bytes are held. */
    async function hold(url: string): Promise<ClientRequest> {
      const call = httpRequest(`${url}/range`, {
        method: 'POST',
        headers: { 'content-length': 50_000 },
      });
      call.on('error', () => undefined);
      call.write('{'.padEnd(40_000));
      // Now and then a byte: a body that stalls is closed.
      const trickle = setInterval(() => call.write(' '), 200);
      call.on('close', () => clearInterval(trickle));
      // Who asks for more than is left is refused as soon as the held bytes are counted.
      for (;;) {
        const probe = await post(`${url}/range`, JSON.stringify(range).padEnd(55_000));
        if (probe.status === 429) return call;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }

    it('refuses a body and a stream with a sentence, and takes them again later', async () => {
      const url = await start({});
      const call = await hold(url);
      const large = JSON.stringify(range).padEnd(55_000);
      const refused = await post(`${url}/range`, large);
      expect(refused.status).to.equal(429);
      const { error } = (await refused.json()) as ErrorAnswer;
      expect(error.message).to.match(/^other requests hold \d+ of the 80000 bytes/);
      const line = JSON.stringify({ id: 1, operation: 'range', input: range }).padEnd(55_000);
      const lines = (await (await post(url, line)).text()).trimEnd().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '')).to.have.nested.property('error.code', 'E_LIMIT');
      expect((await post(`${url}/range`, range)).status, 'small ones pass').to.equal(200);

      call.destroy();
      for (;;) {
        const again = await post(url, line);
        const text = await again.text();
        if (text.includes('"verdict"')) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    });
  });
});
