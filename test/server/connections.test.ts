/** More connections than the gate keeps: those that showed least make room. */
import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startTestGate, type TestGate } from './gate.js';
import { responseIn, reviewText } from './reviews.js';
import { until } from './until.js';

describe('more connections than are kept', () => {
  let gate: TestGate;
  const idle: Socket[] = [];
  beforeEach(async () => {
    gate = await startTestGate({ maxConnections: 5 });
  });
  afterEach(async () => {
    for (const socket of idle.splice(0)) socket.destroy();
    await gate.close();
  });

  /** Connections that say nothing. */
  async function open(count: number): Promise<Socket[]> {
    const { hostname, port } = new URL(gate.url);
    const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    idle.push(...sockets);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  }

  it('close the oldest that never asked, and keep who asks', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<boolean> =>
      responseIn((await gate.post(reviewText(), { agent })).text).allowed;
    expect(await ask()).to.equal(true);
    let reconnected = 0;
    agent.on('free', (socket: Socket) => socket.once('close', () => reconnected++));
    const sockets = await open(20);
    await until(() => sockets.filter(({ closed }) => closed).length === 16);
    expect(sockets.slice(0, 16).every(({ closed }) => closed)).to.equal(true);
    expect(await ask()).to.equal(true);
    expect(reconnected).to.equal(0);
    agent.destroy();
  });

  it('let in everybody who asks', async () => {
    await open(50);
    for (let count = 0; count < 10; count++) {
      expect(responseIn((await gate.post(reviewText())).text).allowed).to.equal(true);
    }
  });
});
