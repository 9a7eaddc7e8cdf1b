/** The preflight sidecar over real sockets. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { dump } from 'js-yaml';
import type { JsonObject } from '../../src/text/documents/index.js';
import { createLog } from '../../src/gate/log.js';
import { createSidecarMetrics } from '../../src/gate/metrics/own-metrics.js';
import { operations } from '../../src/checks/operations/table.js';
import { openApiDocument } from '../../src/checks/preflight/openapi.js';
import { tokenFromFile } from '../../src/gate/server/bearer-token.js';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import { JudgePool } from '../../src/gate/server/judge-pool.js';
import {
  startSidecar,
  type Sidecar,
  type StartOptions,
} from '../../src/gate/server/start-sidecar.js';
import { run, start } from '../cli/command.js';
import { definition, withSize } from './reviews.js';
import { until } from './until.js';

const worker = new URL('../../dist/judge-worker.js', import.meta.url);
const loopback = { host: '127.0.0.1', port: 0 };
const range = { dialect: 'blang', constraint: '>=1.0.0 <2.0.0', version: '1.4.0' };

function startTestSidecar(options: Partial<StartOptions> = {}): Promise<Sidecar> {
  const registry = new Registry();
  return startSidecar({
    listen: loopback,
    registry,
    metrics: createSidecarMetrics(registry, 'test'),
    log: createLog('silent'),
    maxBodyBytes: 1_000_000,
    maxBytesInFlight: 2_000_000,
    pool: new JudgePool({ workers: 1, worker }),
    bodyMilliseconds: 10_000,
    ...options,
  });
}

interface ErrorAnswer {
  error: { code: string; message: string; where?: object };
}

describe('the sidecar', () => {
  let sidecar: Sidecar;
  before(async () => {
    sidecar = await startTestSidecar();
  });
  after(() => sidecar.close());

  const post = (path: string, body: string | Buffer, headers = {}): Promise<Response> =>
    fetch(`${sidecar.url}/v1alpha1/preflight${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('answers a question with verdict and output', async () => {
    const answer = await post('/range', JSON.stringify(range));
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/json/);
    const body = (await answer.json()) as { verdict: object; output: object };
    expect(body.verdict).to.deep.equal({ allowed: true, findings: [], warnings: [] });
    expect(body.output).to.include({ result: true });
  });

  for (const [host, status] of [
    ['localhost', 200],
    ['localhost:8181', 200],
    ['127.0.0.1', 200],
    ['[::1]:80', 200],
    ['rebound.example.com', 403],
    ['localhost.example.com', 403],
    ['127.0.0.1.example.com', 403],
    ['10.0.0.1', 403],
    ['not a host', 403],
  ] as const) {
    it(`answers ${status} to who calls it ${host}`, async () => {
      for (const path of ['/openapi.json', '/v1alpha1/preflight/range', '/metrics']) {
        const method = path.startsWith('/v1') ? 'POST' : 'GET';
        const asking = httpRequest(`${sidecar.url}${path}`, { method, headers: { host } });
        asking.end(method === 'POST' ? JSON.stringify(range) : undefined);
        const [answer] = (await once(asking, 'response')) as [IncomingMessage];
        answer.resume();
        expect(answer.statusCode).to.equal(status);
      }
    });
  }

  for (const [origin, status] of [
    ['http://localhost:3000', 200],
    ['http://127.0.0.1', 200],
    ['https://evil.example.com', 403],
    ['http://localhost.example.com', 403],
    ['null', 403],
  ] as const) {
    it(`answers ${status} to a page of ${origin}, whatever it says that it sends`, async () => {
      const headers = { origin, 'content-type': 'text/plain' };
      const url = `${sidecar.url}/v1alpha1/preflight/range`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(range) });
      expect(answer.status).to.equal(status);
      if (status === 403) expect(await answer.text()).to.include('the Origin header names');
    });
  }

  it('answers 200 to a refusal, which is an answer too', async () => {
    const input = { old: withSize({ type: 'integer' }), new: withSize(undefined) };
    const answer = await post('/crd', JSON.stringify(input));
    expect(answer.status).to.equal(200);
    const { verdict } = (await answer.json()) as { verdict: { allowed: boolean } };
    expect(verdict.allowed).to.equal(false);
    expect(answer.headers.get('olm-guard-allowed')).to.equal('false');
  });

  it('denies no more than the gate, and what a reference refuses where it is named', async () => {
    const input = { old: withSize({ type: 'integer' }), new: withSize({ type: 'integer' }) };
    const described = JSON.stringify(input).replace(/.*"size":\{/, '$&"description":"other",');
    expect(described).to.include('"description"');
    const asGate = await post('/crd', described);
    expect(asGate.headers.get('olm-guard-allowed')).to.equal('true');
    const { output } = (await asGate.json()) as { output: { message: string } };
    expect(output.message).to.include('ChangeValidator');
    const asOlm = await post('/crd', described.replace(/}$/, ',"profile":"olm-v1"}'));
    expect(asOlm.headers.get('olm-guard-allowed')).to.equal('false');
  });

  it('reads YAML', async () => {
    const yaml = { 'content-type': 'application/yaml' };
    const asked = (size: JsonObject | undefined): Promise<Response> =>
      post('/crd', dump({ old: withSize({ type: 'integer' }), new: withSize(size) }), yaml);
    const wider = await asked({ type: 'integer', description: 'all' });
    expect(wider.headers.get('olm-guard-allowed')).to.equal('true');
    expect((await asked(undefined)).headers.get('olm-guard-allowed')).to.equal('false');
    const quick = await post('/range', dump(range), yaml);
    expect(quick.headers.get('olm-guard-allowed')).to.equal('true');
    for (const [body, code] of [
      ['a: [', 'E_YAML'],
      ['a: 1\n---\nb: 2\n', 'E_YAML'],
      ['', 'E_YAML'],
      ['- a', 'E_INPUT'],
    ] as const) {
      const refused = await post('/crd', body, yaml);
      expect(refused.status).to.equal(400);
      expect(refused.headers.has('olm-guard-allowed')).to.equal(false);
      expect(((await refused.json()) as ErrorAnswer).error.code).to.equal(code);
    }
  });

  it('keeps numbers that JavaScript would change', async () => {
    const withDefault = (text: string): string =>
      JSON.stringify(withSize({ type: 'number', default: 'X' })).replace('"X"', text);
    const body = `{"old": ${withDefault('9007199254740993')}, "new": ${withDefault('9007199254740992')}}`;
    const { verdict } = (await (await post('/crd', body)).json()) as {
      verdict: { findings: { message: string }[] };
    };
    expect(verdict.findings[0]?.message).to.include('9007199254740993');
  });

  const refused: [name: string, path: string, body: string, status: number, code: string][] = [
    ['an unknown operation', '/crds', '{}', 404, 'E_OPERATION'],
    ['an operation that is a name of Object', '/constructor', '{}', 404, 'E_OPERATION'],
    ['a path beneath an operation', '/crd/more', '{}', 404, 'E_OPERATION'],
    ['what is not JSON', '/range', '{"dialect": ', 400, 'E_JSON'],
    ['an empty body', '/range', '', 400, 'E_JSON'],
    ['what is no object', '/range', '[]', 400, 'E_INPUT'],
    ['a missing field', '/range', '{"dialect": "blang"}', 400, 'E_INPUT'],
    ['an unknown field', '/crd', '{"old": {}, "new": {}, "file": "/etc/passwd"}', 400, 'E_INPUT'],
    ['a bad constraint', '/range', '{"dialect": "blang", "constraint": "x"}', 400, 'E_RANGE'],
    ['what is no definition', '/crd', '{"old": {}, "new": {}}', 400, 'E_INPUT'],
    ['eleven thousand levels', '/crd', '['.repeat(11_000), 413, 'E_LIMIT'],
    ['a body past the limit', '/crd', `{"old": "${'x'.repeat(1_100_000)}"}`, 413, 'E_LIMIT'],
    ['a path that is no text', '/%ff', '{}', 400, 'E_INPUT'],
  ];
  for (const [name, path, body, status, code] of refused) {
    it(`answers ${status} ${code} to ${name}`, async () => {
      const answer = await post(path, body);
      const text = await answer.text();
      expect(answer.status, text).to.equal(status);
      const { error } = JSON.parse(text) as ErrorAnswer;
      expect(error.code).to.equal(code);
      expect(error.message).to.be.a('string').and.not.include('\n');
      expect(text).not.to.include('node_modules');
    });
  }

  it('says what is behind the door to whoever asks for something else', async () => {
    const answer = await fetch(`${sidecar.url}/`);
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.include('POST /v1alpha1/preflight, /openapi.json, /livez');
  });

  it('answers 413 to a body without a length that grows past the limit, and goes on', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const call = httpRequest(
        `${sidecar.url}/v1alpha1/preflight/crd`,
        { method: 'POST' },
        (response) => {
          resolve(response.statusCode ?? 0);
          response.resume();
        },
      );
      call.on('error', reject);
      for (let piece = 0; piece < 20; piece++) call.write(' '.repeat(100_000));
      call.end();
    });
    expect(status).to.equal(413);
    expect((await post('/range', JSON.stringify(range))).status).to.equal(200);
  });

  it('answers 400 to a compressed body, and 405 to other methods', async () => {
    const compressed = await post('/range', '{}', { 'content-encoding': 'gzip' });
    expect(compressed.status).to.equal(400);
    const asked = await fetch(`${sidecar.url}/v1alpha1/preflight/range`);
    expect(asked.status).to.equal(405);
    expect(asked.headers.get('allow')).to.equal('POST');
  });

  it('survives callers that go away in the middle', async () => {
    const { hostname, port } = new URL(sidecar.url);
    for (const path of ['/v1alpha1/preflight/crd', '/v1alpha1/preflight']) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"old"`,
          );
          setTimeout(() => socket.destroy(), 50);
        });
        socket.on('close', () => resolve());
      });
    }
    expect((await post('/range', JSON.stringify(range))).status).to.equal(200);
  });

  it('never reads a path or a URL that an input names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'olm-guard-sidecar-'));
    const canary = `canary-${Math.random()}`;
    await writeFile(join(folder, 'canary.yaml'), canary);
    let visited = 0;
    const bait = createServer((_request, response) => {
      visited++;
      response.end(canary);
    });
    await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(bait.address() as AddressInfo).port}/canary.yaml`;
    try {
      for (const place of [join(folder, 'canary.yaml'), `file://${folder}/canary.yaml`, url]) {
        const schema = { type: 'object', $ref: place };
        const version = {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
        };
        const crd = definition({ versions: [version] });
        const inputs: Record<string, unknown> = {
          crd: { old: crd, new: crd, profile: place },
          'crd-objects': { crd, version: 'v1', objects: [{ $ref: place }] },
          catalog: {
            files: { [place]: `schema: olm.package\nname: ${place}\nicon: {$ref: ${place}}` },
          },
          range: { dialect: 'blang', constraint: place },
        };
        for (const [operation, input] of Object.entries(inputs)) {
          const answer = await post(`/${operation}`, JSON.stringify(input));
          expect(answer.status, operation).to.be.lessThan(500);
          expect(await answer.text(), operation).not.to.include(canary);
        }
      }
      expect(visited).to.equal(0);
    } finally {
      bait.close();
      await rm(folder, { recursive: true });
    }
  });

  describe('as a stream of lines', () => {
    it('answers in order, and goes on after lines that are no questions', async () => {
      const lines = [
        JSON.stringify({ id: 1, operation: 'range', input: range }),
        'not json',
        JSON.stringify({ id: { deep: 1 }, operation: 'nothing', input: {} }),
        '',
        JSON.stringify({ id: 'last', operation: 'range', input: range }),
      ];
      const answer = await post('', lines.join('\n'), { 'content-type': 'application/x-ndjson' });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.match(/^application\/x-ndjson/);
      const answers = (await answer.text())
        .trimEnd()
        .split('\n')
        .map(
          (line) => JSON.parse(line) as { id: unknown; error?: { code: string; where?: object } },
        );
      expect(answers.map(({ id }) => id)).to.deep.equal([1, null, { deep: 1 }, 'last']);
      expect(answers.map(({ error }) => error?.code)).to.deep.equal([
        undefined,
        'E_JSON',
        'E_OPERATION',
        undefined,
      ]);
      expect(answers[1]?.error?.where).to.include({ line: 2 });
    });

    it('answers the first line before the last one is sent', async () => {
      const question = (id: number): string =>
        `${JSON.stringify({ id, operation: 'range', input: range })}\n`;
      const ids = await new Promise<number[]>((resolve, reject) => {
        const seen: number[] = [];
        const call = httpRequest(
          `${sidecar.url}/v1alpha1/preflight`,
          { method: 'POST' },
          (response) => {
            response.on('data', (chunk: Buffer) => {
              for (const line of chunk.toString().trimEnd().split('\n')) {
                seen.push((JSON.parse(line) as { id: number }).id);
              }
              if (seen.length < 3) call.write(question(seen.length));
              else call.end();
            });
            response.on('end', () => resolve(seen));
          },
        );
        call.on('error', reject);
        call.write(question(0));
      });
      expect(ids).to.deep.equal([0, 1, 2]);
    });

    it('answers thousands of lines to a caller that reads late, and names a line too long', async () => {
      const count = 5000;
      const line = JSON.stringify({ id: 0, operation: 'range', input: range });
      const body = `${`${line}\n`.repeat(count)}"${'x'.repeat(1_000_100)}"\n${line}\n`;
      const answer = await post('', body);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const lines = (await answer.text()).trimEnd().split('\n');
      expect(lines).to.have.length(count + 2);
      expect(JSON.parse(lines[count] ?? '')).to.have.nested.property('error.code', 'E_LIMIT');
      expect(JSON.parse(lines[count + 1] ?? '')).to.have.property('verdict');
    });
  });

  it('publishes its OpenAPI document, which is valid and names every operation', async () => {
    const document = (await (await fetch(`${sidecar.url}/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    expect(document).to.deep.equal(JSON.parse(JSON.stringify(openApiDocument())));
    const { valid, errors } = await new Validator().validate(document);
    expect(valid, JSON.stringify(errors)).to.equal(true);
    expect(Object.keys(document.paths)).to.include.members(
      operations.map(({ name }) => `/v1alpha1/preflight/${name}`),
    );
  });

  it('has probes, and metrics that count answers', async () => {
    for (const path of ['/livez', '/readyz', '/healthz']) {
      expect((await fetch(`${sidecar.url}${path}`)).status, path).to.equal(200);
    }
    await post('/no-such-thing', '{}');
    const text = await (await fetch(`${sidecar.url}/metrics`)).text();
    expect(text)
      .to.match(/olm_guard_preflight_answers_total\{operation="range",outcome="allowed"\} [1-9]/)
      .and.match(/olm_guard_preflight_answers_total\{operation="crd",outcome="denied"\} [1-9]/)
      .and.match(/olm_guard_preflight_answers_total\{operation="",outcome="error"\} [1-9]/)
      .and.include('olm_guard_build_info')
      .and.not.include('no-such-thing');
  });
});

describe('the sidecar away from loopback', () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  let authority: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'olm-guard-sidecar-'));
    const made = await selfSigned(['localhost', '127.0.0.1']);
    authority = made.authority;
    await writeFile(path('tls.crt'), made.current.cert);
    await writeFile(path('tls.key'), made.current.key);
    await writeFile(path('token'), 'correct-horse-battery\n');
  });
  after(() => rm(folder, { recursive: true }));

  function post(url: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = httpsRequest(
        `${url}/v1alpha1/preflight/range`,
        { method: 'POST', ca: authority, agent: false, headers },
        (response) => {
          resolve(response.statusCode ?? 0);
          response.resume();
        },
      );
      call.on('error', reject);
      call.end(JSON.stringify(range));
    });
  }

  it('wants the token for every question, and takes a new one without a restart', async () => {
    const sidecar = await startTestSidecar({
      certificates: await selfSignedWith(),
      token: await tokenFromFile(path('token'), createLog('silent'), { every: 50, settle: 10 }),
    });
    const asked = (token: string): Promise<number> => post(sidecar.url, { authorization: token });
    try {
      expect(sidecar.url).to.match(/^https:/);
      expect(await post(sidecar.url, {})).to.equal(401);
      expect(await asked('Bearer wrong')).to.equal(401);
      expect(await asked('Basic correct-horse-battery')).to.equal(401);
      expect(await asked('Bearer correct-horse-battery')).to.equal(200);
      await writeFile(path('token'), 'another-long-enough-token\n');
      await until(async () => (await asked('Bearer another-long-enough-token')) === 200);
      expect(await asked('Bearer correct-horse-battery')).to.equal(401);
      await writeFile(path('token'), '\n');
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await asked('Bearer another-long-enough-token')).to.equal(200);
      expect(await asked('Bearer ')).to.equal(401);
    } finally {
      await sidecar.close();
      await writeFile(path('token'), 'correct-horse-battery\n');
    }
  });

  async function selfSignedWith(): Promise<StartOptions['certificates']> {
    const [cert, key] = await Promise.all([
      readFile(path('tls.crt'), 'utf8'),
      readFile(path('tls.key'), 'utf8'),
    ]);
    return {
      current: { cert, key, begins: new Date(), expires: new Date(Date.now() + 86_400_000) },
      onRenewal: () => Promise.resolve(),
      close: () => undefined,
    };
  }

  it('says in one line when it is ready, and ends with 0 on SIGTERM', async () => {
    const command = start([
      ...['sidecar', '--listen', '0.0.0.0:0', '--tls-cert-file', path('tls.crt')],
      ...['--tls-private-key-file', path('tls.key'), '--token-file', path('token')],
    ]);
    try {
      await until(() => command.stdout().includes('\n') || command.process.exitCode !== null);
      const [, port] =
        /^olm-guard ready https:\/\/0\.0\.0\.0:(\d+) metrics \S+\n$/.exec(command.stdout()) ?? [];
      expect(port, command.stdout() + command.stderr()).to.be.a('string');
      const authorization = 'Bearer correct-horse-battery';
      expect(await post(`https://127.0.0.1:${port}`, { authorization })).to.equal(200);
      command.process.kill('SIGTERM');
      expect(await command.ended).to.equal(0);
    } finally {
      command.process.kill('SIGKILL');
    }
  });

  const refusals: [name: string, args: () => string[], sentence: RegExp][] = [
    ['every interface without TLS and token', () => ['--listen', ':0'], /reachable by others/],
    [
      'another interface without a token',
      () => [
        ...['--listen', '0.0.0.0:0', '--tls-cert-file', path('tls.crt')],
        ...['--tls-private-key-file', path('tls.key')],
      ],
      /0\.0\.0\.0 is reachable by others; .*--token-file/,
    ],
    [
      'another interface with a token in the clear',
      () => ['--listen', '0.0.0.0:0', '--token-file', path('token')],
      /reachable by others/,
    ],
    [
      'a token file that is not there',
      () => ['--token-file', '/nowhere'],
      /\/nowhere: there is no such file/,
    ],
    ['a token file with two lines', () => ['--token-file', path('tls.crt')], /holds no token/],
    ['half a certificate', () => ['--tls-cert-file', path('tls.crt')], /belong together/],
  ];
  for (const [name, args, sentence] of refusals) {
    it(`does not start, and says why in one line: ${name}`, async () => {
      const { code, stderr } = await run(['sidecar', '--listen', '127.0.0.1:0', ...args()]);
      expect(stderr).to.match(sentence);
      expect(stderr.trimEnd().split('\n')).to.have.length(1);
      expect(code).to.equal(2);
    });
  }
});
