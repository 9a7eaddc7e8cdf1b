/**
 * Requests in pieces of one byte from callers who may not ask anything: each port refuses them unread,
 * closes the connection, and answers others meanwhile. `npx tsx bench/floods.ts pieces` does it for
 * longer and says what it costs.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { authority } from '../server/client-certificates.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';
import { until } from '../server/until.js';
import { start, type Started } from '../cli/command.js';

const connections = 60;
const chunks = '1\r\n \r\n'.repeat(1500);

type Style = 'chunks' | 'records';

/** What a connection was answered until it was closed. */
function attack(url: string, path: string, style: Style, header = 'Accept: */*'): Promise<string> {
  const { hostname: host, port, protocol } = new URL(url);
  const to = { host, port: Number(port), rejectUnauthorized: false };
  const socket: Socket = protocol === 'https:' ? connectTls(to) : connectTcp(to);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const length = style === 'chunks' ? 'Transfer-Encoding: chunked' : 'Content-Length: 100000';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${length}\r\n${header}\r\n\r\n`,
  );
  const more = (): void => {
    if (socket.writable) socket.write(style === 'chunks' ? chunks : ' ', () => setImmediate(more));
  };
  more();
  return new Promise((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve(answer));
  });
}

describe('bodies in pieces of one byte', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-small-pieces-'));
  const file = (name: string): string => join(folder, name);
  let gate: Started;
  let sidecar: Started;
  let urls: Record<'reviews' | 'probes' | 'sidecar', string>;
  let certificate: { readonly key: string; readonly cert: string };

  before(async () => {
    const callers = await authority('callers');
    writeFileSync(file('callers.crt'), callers.pem);
    writeFileSync(file('token'), '0123456789abcdef0123456789abcdef\n');
    certificate = await callers.issue('kube-apiserver');
    gate = start([
      ...['serve', '--listen=127.0.0.1:0', '--metrics-listen=127.0.0.1:0'],
      ...[`--client-ca-file=${file('callers.crt')}`, `--tls-ca-out=${file('ca.pem')}`],
    ]);
    sidecar = start(['sidecar', '--listen=127.0.0.1:0', `--token-file=${file('token')}`]);
    await until(() => gate.stdout().includes('\n') && sidecar.stdout().includes('\n'));
    const ready = (text: string): string[] => /ready (\S+) metrics (\S+)/.exec(text) ?? [];
    const [, reviews = '', probes = ''] = ready(gate.stdout());
    const [, ofSidecar = ''] = ready(sidecar.stdout());
    urls = { reviews, probes, sidecar: ofSidecar };
  });
  after(async () => {
    for (const each of [gate, sidecar]) {
      each.process.kill();
      await each.ended;
    }
    rmSync(folder, { recursive: true });
  });

  const rows: [port: 'reviews' | 'probes' | 'sidecar', path: string, style: Style, says: RegExp][] =
    [
      ['reviews', '/validate', 'chunks', /^HTTP\/1\.1 411 |^$/],
      ['reviews', '/validate', 'records', /^$/],
      ['probes', '/livez', 'chunks', /^HTTP\/1\.1 413 |^$/],
      ['probes', '/metrics', 'records', /^HTTP\/1\.1 413 |^$/],
      ['sidecar', '/v1alpha1/preflight/range', 'chunks', /^HTTP\/1\.1 411 |^$/],
    ];
  for (const [port, path, style, says] of rows) {
    it(`are refused at the port of ${port} in ${style}, and others are answered`, async () => {
      const attacks = Array.from({ length: connections }, () => attack(urls[port], path, style));
      const probed = port === 'sidecar' ? urls.sidecar : urls.probes;
      expect((await fetch(`${probed}/livez`)).status).to.equal(200);
      for (const answer of await Promise.all(attacks)) expect(answer).to.match(says);
      expect([gate.process.exitCode, sidecar.process.exitCode]).to.deep.equal([null, null]);
    });
  }

  it('leave a breaking update of the API server to be denied', async () => {
    const attacks = Array.from({ length: connections }, () =>
      attack(urls.reviews, '/validate', 'chunks'),
    );
    const body = reviewText({
      oldObject: withSize({ type: 'integer' }),
      object: withSize(undefined),
    });
    const answer = await send(urls.reviews, readFileSync(file('ca.pem'), 'utf8'), body, {
      ...certificate,
    });
    expect(responseIn(answer.text).allowed).to.equal(false);
    await Promise.all(attacks);
  });

  it('of the token’s owner are not read on at the sidecar after an early answer', async () => {
    const token = 'Authorization: Bearer 0123456789abcdef0123456789abcdef';
    const path = '/v1alpha1/preflight/range/more';
    expect(await attack(urls.sidecar, path, 'chunks', token)).to.match(/^HTTP\/1\.1 404 |^$/);
    expect((await fetch(`${urls.sidecar}/livez`)).status).to.equal(200);
  });

  it('of the token’s owner are taken at the sidecar', async () => {
    const { hostname: host, port } = new URL(urls.sidecar);
    const socket = connectTcp({ host, port: Number(port) });
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const question = '{"dialect":"blang","constraint":">=1.0.0","version":"1.4.0"}';
    const pieces = [...question].map((each) => `1\r\n${each}\r\n`).join('');
    socket.write(
      `POST /v1alpha1/preflight/range HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAuthorization: Bearer 0123456789abcdef0123456789abcdef\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${pieces}0\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });
});
