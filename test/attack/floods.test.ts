/**
 * What callers without a certificate or a token may ask is asked as often as they can, on each port: each of
 * their connections gets one answer, and others are answered meanwhile. `npx tsx bench/floods.ts` does it for
 * longer and says what it costs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { Gauge } from 'prom-client';
import {
  sidecarToken,
  startGateProcess,
  startSidecarProcess,
  type GateProcess,
} from '../../bench/gate-process.js';
import { Connections, serverOptions } from '../../src/gate/server/connections.js';
import { plainRate } from '../../src/gate/server/connection-queue.js';
import { start, type Started } from '../cli/command.js';
import { authority, type Pair } from '../server/client-certificates.js';
import { send, startTestGate } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';
import { until } from '../server/until.js';

type Port = 'reviews' | 'probes' | 'sidecar';
const ports: readonly Port[] = ['reviews', 'probes', 'sidecar'];
const connections = 300;

const ask = (path: string, more = 'Host: x\r\n'): string => `GET ${path} HTTP/1.1\r\n${more}\r\n`;
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `x${index}: y\r\n`).join('');

interface Style {
  /** Written at once. */
  readonly first: string;
  /** Written when the first answer has come. */
  readonly second?: string;
  readonly isRead?: boolean;
}

const styles: Readonly<Record<string, Style>> = {
  'thirty scrapes in one write': { first: ask('/metrics').repeat(30) },
  'thirty scrapes in one write that are not read': {
    first: ask('/metrics').repeat(30),
    isRead: false,
  },
  'a question on each answer': { first: ask('/x'), second: ask('/x') },
  'a probe, and then thirty scrapes in one write': {
    first: ask('/livez'),
    second: ask('/metrics').repeat(30),
  },
  'thirty documents in one write': { first: ask('/openapi.json').repeat(30) },
  'seven hundred lines of headers, again and again': {
    first: ask('/x', `Host: x\r\n${lines(700)}`).repeat(10),
  },
  'an expectation, again and again': { first: ask('/x', 'Host: x\r\nExpect: y\r\n').repeat(30) },
  'no Host, again and again': { first: ask('/x', '').repeat(30) },
  'half of a request': { first: 'GET /metrics HTTP/1.1\r\nHost: x\r\n' },
  nothing: { first: '' },
};

/** One connection; its answers are in `text`. */
function open(url: string, { first, second, isRead = true }: Style, localAddress: string) {
  const { hostname: host, port, protocol } = new URL(url);
  const to = { host, port: Number(port), rejectUnauthorized: false, localAddress };
  const socket: Socket = protocol === 'https:' ? connectTls(to) : connectTcp(to);
  const opened = { socket, text: '' };
  socket.on('error', () => undefined);
  if (isRead) {
    socket.on('data', (chunk: Buffer) => {
      if (opened.text === '' && second !== undefined) socket.write(second);
      opened.text += chunk.toString();
    });
  }
  if (first !== '') socket.write(first);
  return opened;
}

const answersIn = (text: string): number => text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;

describe('callers without a certificate or a token who ask as often as they can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-flood-'));
  let gate: GateProcess;
  let sidecar: GateProcess;
  let certificate: Pair;
  const breaking = reviewText({
    oldObject: withSize({ type: 'integer' }),
    object: withSize(undefined),
  });
  const question = '{"dialect":"blang","constraint":">=1.0.0","version":"1.4.0"}';

  before(async () => {
    const callers = await authority('callers');
    const file = join(folder, 'callers.crt');
    writeFileSync(file, callers.pem);
    certificate = await callers.issue('kube-apiserver');
    gate = await startGateProcess([`--client-ca-file=${file}`]);
    sidecar = await startSidecarProcess();
  });
  after(async () => {
    await Promise.all([gate.stop(), sidecar.stop()]);
    rmSync(folder, { recursive: true });
  });

  const urlOf = (port: Port): string =>
    ({ reviews: gate.url, probes: gate.metricsUrl, sidecar: sidecar.url })[port];

  async function isAlive(port: Port): Promise<boolean> {
    if (port !== 'sidecar') return (await fetch(`${gate.metricsUrl}/livez`)).status === 200;
    const asking = { path: '/livez', method: 'GET' };
    return (await send(sidecar.url, sidecar.authority, '', asking)).status === 200;
  }

  async function isHonestAnswered(port: Port): Promise<boolean> {
    if (port !== 'sidecar') {
      const asking = { ...certificate, path: '/validate?timeout=30s' };
      return !responseIn((await send(gate.url, gate.authority, breaking, asking)).text).allowed;
    }
    const asking = {
      path: '/v1alpha1/preflight/range',
      headers: { authorization: `Bearer ${sidecarToken}` },
    };
    return (await send(sidecar.url, sidecar.authority, question, asking)).status === 200;
  }

  for (const port of ports) {
    for (const [name, style] of Object.entries(styles)) {
      it(`get one answer a connection at the port of ${port}, and others theirs: ${name}`, async () => {
        const flood = Array.from({ length: connections }, (_, index) =>
          open(urlOf(port), style, `127.0.0.${2 + (index % 40)}`),
        );
        try {
          const asked = await Promise.allSettled(
            Array.from({ length: 20 }, (_, index) =>
              index % 4 === 0 ? isHonestAnswered(port) : isAlive(port),
            ),
          );
          const right = asked.filter((each) => each.status === 'fulfilled' && each.value);
          expect(right.length).to.be.at.least(19);
          if (style.isRead !== false && style.first.endsWith('\r\n\r\n')) {
            await until(() => flood.every(({ socket }) => socket.closed));
          }
          for (const { text } of flood) expect(answersIn(text), text).to.be.at.most(1);
        } finally {
          for (const { socket } of flood) socket.destroy();
        }
      });
    }
  }

  it('answer what has too many lines of headers in one sentence', async () => {
    const { text, socket } = await (async () => {
      const opened = open(urlOf('reviews'), { first: ask('/x', lines(101)) }, '127.0.0.1');
      await until(() => opened.socket.closed);
      return opened;
    })();
    expect(socket.closed).to.equal(true);
    expect(text).to.match(/^HTTP\/1\.1 431 /);
  });
});

describe('scrapes of all callers', () => {
  it('are made at most once a second, however many ask on however many connections', async () => {
    const gate = await startTestGate();
    let rendered = 0;
    new Gauge({
      ...{ name: 'rendered', help: 'Times.', registers: [gate.registry] },
      collect: () => void rendered++,
    });
    const begin = performance.now();
    const flood = Array.from({ length: 200 }, (_, index) =>
      open(gate.metricsUrl, { first: ask('/metrics').repeat(30) }, `127.0.0.${2 + (index % 40)}`),
    );
    try {
      for (let asked = 0; asked < 4; asked++) {
        const answer = await fetch(`${gate.metricsUrl}/metrics`);
        expect(await answer.text()).to.include('rendered');
      }
      expect(rendered).to.be.at.most(2 + (performance.now() - begin) / 1000);
    } finally {
      for (const { socket } of flood) socket.destroy();
      await gate.close();
    }
  });
});

describe('an address that holds all connections', () => {
  it('loses its own, and not the half of a request that another sends', async () => {
    const gate = await startTestGate({ maxConnections: 20 });
    const honest = open(gate.url, { first: 'GET /x HTTP/1.1\r\nHost: x\r\n' }, '127.0.0.1');
    await until(() => honest.socket.bytesWritten > 0);
    const flood: ReturnType<typeof open>[] = [];
    try {
      for (let round = 0; round < 10; round++) {
        const more = Array.from({ length: 20 }, () => open(gate.url, { first: '' }, '127.0.0.2'));
        flood.push(...more);
        await until(() => flood.filter(({ socket }) => socket.closed).length >= 20 * round);
      }
      honest.socket.write('\r\n');
      await until(() => honest.socket.closed);
      expect(honest.text).to.match(/^HTTP\/1\.1 404 /);
    } finally {
      for (const { socket } of [honest, ...flood]) socket.destroy();
      await gate.close();
    }
  });
});

describe('an answer that its client does not read', () => {
  for (const [name, isKnown] of [
    ['a known caller', true],
    ['an unknown one', false],
  ] as const) {
    it(`closes the connection of ${name}`, async () => {
      const bytes = Buffer.alloc(64 * 1024 * 1024);
      const server = new Connections(createServer(serverOptions), {
        ...{ most: 10, rate: plainRate, isKnown: () => isKnown },
        answer: (_request, response) => response.end(bytes),
      });
      const url = `http://${await server.listen({ host: '127.0.0.1', port: 0 })}`;
      const silent = open(url, { first: ask('/'), isRead: false }, '127.0.0.1');
      try {
        await until(() => server.size === 1);
        await until(() => server.size === 0);
      } finally {
        silent.socket.destroy();
        await server.drain(0);
      }
    });
  }
});

describe('a sidecar on loopback, of which slow bodies hold all connections', () => {
  let sidecar: Started;
  let url: string;
  before(async () => {
    sidecar = start(['sidecar', '--listen=127.0.0.1:0', '--log-level=error']);
    await until(() => sidecar.stdout().includes('\n'));
    url = /^olm-guard ready (\S+)/.exec(sidecar.stdout())?.[1] ?? '';
  });
  after(async () => {
    sidecar.process.kill();
    await sidecar.ended;
  });

  const path = '/v1alpha1/preflight/range';
  const first = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`;

  /** Over a connection of its own. */
  function asks(asked: string, method = 'GET', body = ''): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      httpRequest(new URL(asked, url), { method, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end(body);
    });
  }

  for (const isReopened of [false, true]) {
    it(`answers others${isReopened ? ' while they are opened anew' : ''}`, async () => {
      const flood = new Set<ReturnType<typeof open>>();
      let isOver = false;
      const begin = (): void => {
        const opened = open(url, { first }, '127.0.0.1');
        flood.add(opened);
        opened.socket.once('close', () => {
          flood.delete(opened);
          if (isReopened && !isOver) setTimeout(begin, 50);
        });
      };
      for (let index = 0; index < 400; index++) begin();
      try {
        let right = 0;
        for (let asked = 0; asked < 40; asked++) {
          const question = '{"dialect":"blang","constraint":">=1.0.0","version":"1.4.0"}';
          const status = await (
            asked % 2 === 0 ? asks('/livez') : asks(path, 'POST', question)
          ).catch(() => undefined);
          if (status === 200) right++;
        }
        expect(right).to.be.at.least(isReopened ? 20 : 38);
      } finally {
        isOver = true;
        for (const { socket } of flood) socket.destroy();
      }
    });
  }
});
