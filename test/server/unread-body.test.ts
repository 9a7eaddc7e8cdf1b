/** Bodies that are refused by their headers, and connections that send in pieces too small to read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { startTestGate, type TestGate } from './gate.js';
import { responseIn, reviewText } from './reviews.js';

describe('a body in pieces of one byte', () => {
  let gate: TestGate;
  before(async () => {
    gate = await startTestGate();
  });
  after(() => gate.close());

  async function answerTo(url: string, text: string | readonly string[]): Promise<string> {
    const { hostname: host, port, protocol } = new URL(url);
    const to = { host, port: Number(port), ca: gate.authority };
    const isSecure = protocol === 'https:';
    const socket: Socket = isSecure ? connectTls(to) : connect(to);
    let answer = '';
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answer += String(chunk)));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, isSecure ? 'secureConnect' : 'connect');
    for (const piece of [text].flat()) {
      await new Promise((resolve) => socket.write(piece, resolve));
    }
    await closed;
    return answer;
  }

  const chunks = `Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n{\r\n'.repeat(500)}`;

  it('is refused unread in chunks at the port of reviews', async () => {
    const answer = await answerTo(gate.url, `POST /validate HTTP/1.1\r\n${chunks}`);
    expect(answer).to.match(/^HTTP\/1\.1 411 /);
    expect(responseIn((await gate.post(reviewText())).text).allowed).to.equal(true);
  });

  it('is refused unread at the port of probes, which answers others', async () => {
    for (const head of [chunks, `Host: x\r\nContent-Length: 5\r\n\r\n{`]) {
      const answer = await answerTo(gate.metricsUrl, `GET /livez HTTP/1.1\r\n${head}`);
      expect(answer).to.match(/^HTTP\/1\.1 413 /);
    }
    expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
  });

  it('closes its connection where each is a TLS record of its own', async () => {
    const head = 'POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const pieces = Array.from({ length: 2000 }, () => ' ');
    const answer = await answerTo(gate.url, [`${head}Content-Length: 100000\r\n\r\n`, ...pieces]);
    expect(answer).to.equal('');
    expect(responseIn((await gate.post(reviewText())).text).allowed).to.equal(true);
  });
});
