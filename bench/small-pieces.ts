/**
 * 200 connections that send bodies in chunks of one byte, and open anew when they are closed: on the port of
 * reviews, on that of probes and on a sidecar's for 15 s each. The gate must live, answer 95 % of the probes of `/livez` within
 * a second, and deny a breaking update of an API server's in time.
 * Run with `npm run build && npx tsx bench/small-pieces.ts`. Exits 1 when an aim is missed.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { send } from '../test/server/gate.js';
import { start } from '../test/cli/command.js';
import { authority } from '../test/server/client-certificates.js';
import { responseIn, reviewText, withSize } from '../test/server/reviews.js';
import { until } from '../test/server/until.js';
import { shippedNode, startGateProcess } from './gate-process.js';
import { tell } from './measure.js';

const connections = 200;
const seconds = 15;
/** Of all connections together. */
const bytesPerSecond = 13_000_000;
const reviewSeconds = 10;

/** Keeps its connections open and full of chunks of one byte until the thread is ended. */
function attack(url: string): void {
  const { hostname, port, protocol, host } = new URL(url);
  const head = `POST /livez HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunks = Buffer.from('1\r\n \r\n'.repeat(1500));
  const open = new Map<number, Socket>();
  const begin = (index: number): void => {
    const to = { host: hostname, port: Number(port), rejectUnauthorized: false };
    const socket = protocol === 'https:' ? connectTls(to) : connectTcp(to);
    socket.on('error', () => undefined).resume();
    socket.on('close', () => setTimeout(begin, 50, index));
    socket.write(protocol === 'https:' ? head.replace('/livez', '/validate') : head);
    open.set(index, socket);
  };
  for (let index = 0; index < connections; index++) begin(index);
  const rounds = bytesPerSecond / (chunks.length * connections);
  setInterval(() => {
    for (const socket of open.values()) {
      if (socket.writable && socket.writableLength < 1 << 16) socket.write(chunks);
    }
  }, 1000 / rounds);
}

const [, , target] = process.argv;
if (process.send !== undefined && target !== undefined) attack(target);
else {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-small-pieces-'));
  const callers = await authority('callers');
  const file = join(folder, 'callers.crt');
  writeFileSync(file, callers.pem);
  const certificate = await callers.issue('kube-apiserver');
  const breaking = reviewText({
    oldObject: withSize({ type: 'integer' }),
    object: withSize(undefined),
  });
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, '0123456789abcdef0123456789abcdef');
  for (const port of ['reviews', 'probes', 'sidecar'] as const) {
    const gate = await startGateProcess([`--client-ca-file=${file}`], { node: shippedNode });
    const sidecar = start(['sidecar', '--listen=127.0.0.1:0', `--token-file=${tokenFile}`]);
    let ended: number | string | null | undefined;
    void gate.ended.then((code) => (ended = code));
    void sidecar.ended.then((code) => (ended = code));
    await until(() => sidecar.stdout().includes('\n'));
    const sidecarUrl = /^olm-guard ready (\S+)/.exec(sidecar.stdout())?.[1] ?? '';
    const attacked = { reviews: gate.url, probes: gate.metricsUrl, sidecar: sidecarUrl }[port];
    const probed = port === 'sidecar' ? sidecarUrl : gate.metricsUrl;
    const attacker = fork(import.meta.filename, [attacked], { execArgv: ['--import', 'tsx'] });
    const end = performance.now() + seconds * 1000;
    const probes = { sent: 0, answered: 0 };
    const reviews = { sent: 0, denied: 0 };
    const probing: Promise<void>[] = [];
    const probe = async (): Promise<void> => {
      probes.sent++;
      const answer = await fetch(`${probed}/livez`, {
        signal: AbortSignal.timeout(1000),
      }).catch(() => undefined);
      if (answer?.status === 200) probes.answered++;
    };
    const review = async (): Promise<void> => {
      reviews.sent++;
      const answer = await send(gate.url, gate.authority, breaking, {
        ...certificate,
        ...{ path: `/validate?timeout=${reviewSeconds}s` },
        signal: AbortSignal.timeout(reviewSeconds * 1000),
      }).catch(() => undefined);
      if (answer?.status === 200 && !responseIn(answer.text).allowed) reviews.denied++;
    };
    while (performance.now() < end && ended === undefined) {
      probing.push(probe());
      if (probes.sent % 4 === 1) probing.push(review());
      await sleep(250);
    }
    await Promise.all(probing);
    attacker.kill();
    const missed = (of: number, all: number): number => (100 * (all - of)) / Math.max(all, 1);
    const peak = (gate.peakBytes() ?? 0) / 1e6;
    console.log(
      `${port}: process ${ended === undefined ? 'alive' : `ended with ${ended ?? 'a signal'}`}, ${probes.answered} of ${probes.sent} probes answered within 1 s, ${reviews.denied} of ${reviews.sent} breaking updates denied within ${reviewSeconds} s, resident ${peak.toFixed(0)} MB`,
    );
    tell({
      what: `small pieces at the port of ${port}: probes not answered within 1 s`,
      ...{ value: missed(probes.answered, probes.sent), unit: ' %', limit: 5 },
    });
    tell({
      what: `small pieces at the port of ${port}: breaking updates not denied in time`,
      ...{ value: missed(reviews.denied, reviews.sent), unit: ' %', limit: 0 },
    });
    if (ended === undefined) await gate.stop();
    sidecar.process.kill();
    await sidecar.ended;
  }
  rmSync(folder, { recursive: true });
}
