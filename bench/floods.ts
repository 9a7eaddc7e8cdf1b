/**
 * What callers without a certificate or a token can do to the port of reviews, that of probes and a sidecar's:
 * for 15 s each, connections that are closed are opened anew. The process must live, answer 95 % of the probes
 * of `/livez` within a second, and deny a breaking update of an API server's (at a sidecar: answer a caller with
 * the token) in time. `npm run build && npx tsx bench/floods.ts [FLOOD…]`. Exits 1 when an aim is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { authority } from '../test/server/client-certificates.js';
import { send } from '../test/server/gate.js';
import { responseIn, reviewText, withSize } from '../test/server/reviews.js';
import {
  shippedNode,
  sidecarToken,
  startGateProcess,
  startSidecarProcess,
} from './gate-process.js';
import { tell } from './measure.js';

const seconds = Number(process.env['FLOOD_SECONDS'] ?? 15);
const reviewSeconds = 10;
/** A pod's address is not that of an API server; `FLOOD_FROM=127.0.0.1` is a process on the server's own node. */
const floodFrom = process.env['FLOOD_FROM'] ?? '127.0.0.2';
/** Of all connections together, of a flood that writes on and on. */
const bytesPerSecond = 13_000_000;

interface Flood {
  /** Kept open, each opened anew where it is closed. */
  readonly connections?: number;
  /** Opened in each second, or all of it at the beginning of each. */
  readonly perSecond?: number;
  readonly atOnce?: boolean;
  /** Written at once. */
  readonly first: string;
  /** Written with each answer, where answers are read. */
  readonly again?: string;
  /** Written on and on. */
  readonly more?: string;
  readonly pieceEvery?: number;
}

const ask = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const lines = Array.from({ length: 700 }, (_, index) => `x${index}: y\r\n`).join('');
const post = (path: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

type Port = 'reviews' | 'probes' | 'sidecar';
const reviewed: Readonly<Record<Port, string>> = {
  reviews: '/validate',
  probes: '/metrics',
  sidecar: '/v1alpha1/preflight/range',
};

const floods: Readonly<Record<string, (port: Port) => Flood>> = {
  pieces: (port) => ({
    connections: 200,
    first: post(reviewed[port], 'Transfer-Encoding: chunked'),
    more: '1\r\n \r\n'.repeat(1500),
  }),
  pipelined: (port) => ({
    perSecond: 200,
    first: ask(port === 'reviews' ? '/x' : '/metrics').repeat(30),
  }),
  burst: (port) => ({
    ...{ perSecond: 300, atOnce: true },
    first: ask(port === 'reviews' ? '/x' : '/metrics').repeat(30),
  }),
  openapi: () => ({ perSecond: 300, atOnce: true, first: ask('/openapi.json').repeat(30) }),
  asking: () => ({ connections: 100, first: ask('/x'), again: ask('/x') }),
  scraping: () => ({ connections: 100, first: ask('/metrics'), again: ask('/metrics') }),
  headers: () => ({ connections: 60, first: ask('/x', lines), more: ask('/x', lines) }),
  bodies: (port) => ({
    connections: 400,
    first: `${post(reviewed[port], 'Content-Length: 100000')}{`,
    more: ' ',
    pieceEvery: 100,
  }),
  probes: () => ({ perSecond: 200, first: ask('/livez') }),
  connections: () => ({ perSecond: 1000, first: ask('/livez') }),
  silent: () => ({ perSecond: 1000, first: '' }),
};

/** Keeps its connections open and busy until its process is ended. */
function attack(url: string, flood: Flood): void {
  const { hostname, port, protocol } = new URL(url);
  const to = {
    ...{ host: hostname, port: Number(port), rejectUnauthorized: false },
    localAddress: floodFrom,
  };
  const open = new Set<Socket>();
  const begin = (again: boolean): void => {
    const socket = protocol === 'https:' ? connectTls(to) : connectTcp(to);
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      if (again) setTimeout(begin, 50, true);
    });
    if (flood.again !== undefined) socket.on('data', () => socket.write(flood.again ?? ''));
    else if (again) socket.resume();
    if (flood.first !== '') socket.write(flood.first);
  };
  for (let index = 0; index < (flood.connections ?? 0); index++) begin(true);
  const { perSecond = 0, atOnce = false, more } = flood;
  const perRound = atOnce ? perSecond : Math.max(1, perSecond / 50);
  if (perSecond > 0) {
    const round = (): void => {
      for (let index = 0; index < perRound; index++) begin(false);
    };
    round();
    setInterval(round, (1000 * perRound) / perSecond);
  }
  if (more !== undefined) {
    const rounds = bytesPerSecond / (more.length * (flood.connections ?? 1));
    setInterval(
      () => {
        for (const socket of open) {
          if (socket.writable && socket.writableLength < 1 << 16) socket.write(more);
        }
      },
      flood.pieceEvery ?? 1000 / rounds,
    );
  }
}

const [, , ...args] = process.argv;
if (process.send !== undefined) {
  const [url = '', name = '', port = ''] = args;
  attack(url, floods[name]?.(port as Port) ?? { first: '' });
  process.send('begun');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-floods-'));
  const callers = await authority('callers');
  const file = join(folder, 'callers.crt');
  writeFileSync(file, callers.pem);
  const certificate = await callers.issue('kube-apiserver');
  const breaking = reviewText({
    oldObject: withSize({ type: 'integer' }),
    object: withSize(undefined),
  });
  const question = '{"dialect":"blang","constraint":">=1.0.0","version":"1.4.0"}';
  const ports = (process.env['FLOOD_PORTS'] ?? 'reviews,probes,sidecar').split(',') as Port[];
  const wanted = args.length > 0 ? args : Object.keys(floods);
  for (const name of wanted) {
    for (const port of ports) {
      if (name === 'openapi' && port !== 'sidecar') continue;
      const started =
        port === 'sidecar'
          ? await startSidecarProcess()
          : await startGateProcess([`--client-ca-file=${file}`], { node: shippedNode });
      let ended: number | string | null | undefined;
      void started.ended.then((code) => (ended = code));
      const { url, metricsUrl, authority: ca } = started;
      const attacker = fork(
        import.meta.filename,
        [port === 'probes' ? metricsUrl : url, name, port],
        { execArgv: ['--import', 'tsx'] },
      );
      await once(attacker, 'message');
      const end = performance.now() + seconds * 1000;
      const probes: number[] = [];
      const reviews: number[] = [];
      let refused = 0;
      const waiting: Promise<void>[] = [];
      const timed = async (into: number[], ask: () => Promise<boolean>): Promise<void> => {
        const start = performance.now();
        const isRight = await ask().catch(() => false);
        into.push(isRight ? (performance.now() - start) / 1000 : Infinity);
        if (!isRight) refused++;
      };
      const probe = async (): Promise<boolean> => {
        const signal = AbortSignal.timeout(5000);
        const options = { signal, path: '/livez', method: 'GET' };
        if (metricsUrl.startsWith('https:'))
          return (await send(metricsUrl, ca, '', options)).status === 200;
        return (await fetch(`${metricsUrl}/livez`, { signal })).status === 200;
      };
      const review = async (): Promise<boolean> => {
        const signal = AbortSignal.timeout(reviewSeconds * 1000);
        if (port === 'sidecar') {
          const headers = { authorization: `Bearer ${sidecarToken}` };
          const path = '/v1alpha1/preflight/range';
          return (await send(url, ca, question, { signal, path, headers })).status === 200;
        }
        const path = `/validate?timeout=${reviewSeconds}s`;
        const answer = await send(url, ca, breaking, { ...certificate, path, signal });
        return answer.status === 200 && !responseIn(answer.text).allowed;
      };
      const cpu = started.loopMilliseconds() ?? NaN;
      const begin = performance.now();
      for (let asked = 0; performance.now() < end && ended === undefined; asked++) {
        waiting.push(timed(probes, probe));
        if (asked % 4 === 1) waiting.push(timed(reviews, review));
        await sleep(250);
      }
      const share = ((started.loopMilliseconds() ?? NaN) - cpu) / (performance.now() - begin);
      await Promise.all(waiting);
      attacker.kill();
      const sorted = (of: number[]): number[] => of.sort((left, right) => left - right);
      const at = (of: number[], part: number): string =>
        (of[Math.min(of.length - 1, Math.floor(of.length * part))] ?? NaN).toFixed(3);
      const spread = (of: number[]): string =>
        `p50 ${at(of, 0.5)} p95 ${at(of, 0.95)} max ${at(of, 1)} s`;
      const missed = (of: number[], within: number): number =>
        (100 * of.filter((each) => each > within).length) / Math.max(of.length, 1);
      const peak = (started.peakBytes() ?? 0) / 1e6;
      console.log(
        `${name} at ${port}: ${ended === undefined ? 'alive' : `ended with ${ended ?? 'a signal'}`}, event loop ${(100 * share).toFixed(0)} % of a core, resident ${peak.toFixed(0)} MB; ${probes.length} probes ${spread(sorted(probes))}; ${reviews.length} honest ${spread(sorted(reviews))}; ${refused} not answered`,
      );
      tell({
        what: `${name} at the port of ${port}: probes not answered within 1 s`,
        ...{ value: missed(probes, 1), unit: ' %', limit: 5 },
      });
      tell({
        what: `${name} at the port of ${port}: honest callers not answered in time`,
        ...{ value: missed(reviews, reviewSeconds), unit: ' %', limit: 0 },
      });
      await started.stop();
    }
  }
  rmSync(folder, { recursive: true });
}
