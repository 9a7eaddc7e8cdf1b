/** More connections than the gate keeps: those that showed least make room. */
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { customResourceDefinitionReviewer } from '../../src/gate/admission/custom-resource-definition.js';
import type { Reviewer } from '../../src/gate/admission/reviewer.js';
import { startTestGate, type TestGate } from './gate.js';
import { responseIn, reviewText } from './reviews.js';
import { until } from './until.js';

describe('more connections than are kept', () => {
  let gate: TestGate;
  const idle: Socket[] = [];
  const asking: ClientRequest[] = [];
  beforeEach(async () => {
    gate = await startTestGate({ maxConnections: 5 });
  });
  afterEach(async () => {
    for (const socket of [...idle.splice(0), ...asking.splice(0)]) socket.destroy();
    await gate.close();
  });

  /** A review of which only the beginning comes; resolves when the gate has read that. */
  async function begin(): Promise<ClientRequest> {
    const sending = request(`${gate.url}/validate`, {
      ...{ method: 'POST', ca: gate.authority, agent: false },
      headers: {
        'content-type': 'application/json',
        'content-length': 1000,
        expect: '100-continue',
      },
    });
    asking.push(sending);
    sending.on('error', () => undefined).flushHeaders();
    await Promise.race([once(sending, 'continue'), once(sending, 'close')]);
    sending.write('{');
    return sending;
  }

  /** One that asks over one connection, as long as it has it. */
  function keptAlive() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    agent.on('free', (socket: Socket) => sockets.add(socket));
    return {
      ask: async (): Promise<boolean> =>
        responseIn((await gate.post(reviewText(), { agent })).text).allowed,
      connections: () => sockets.size,
      close: () => agent.destroy(),
    };
  }

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
    const client = keptAlive();
    expect(await client.ask()).to.equal(true);
    const sockets = await open(20);
    await until(() => sockets.filter(({ closed }) => closed).length === 16);
    expect(sockets.slice(0, 16).every(({ closed }) => closed)).to.equal(true);
    expect(await client.ask()).to.equal(true);
    expect(client.connections()).to.equal(1);
    client.close();
  });

  it('close the oldest of which a body is to come, and keep who was answered', async () => {
    const client = keptAlive();
    expect(await client.ask()).to.equal(true);
    const slow: ClientRequest[] = [];
    for (let count = 0; count < 20; count++) slow.push(await begin());
    await until(() => slow.filter(({ closed }) => closed).length >= 16);
    expect(slow.slice(0, 15).every(({ closed }) => closed)).to.equal(true);
    expect(await client.ask()).to.equal(true);
    expect(client.connections()).to.equal(1);
    client.close();
  });

  it('accept every client that sends requests', async () => {
    const sockets = await open(50);
    // Connections that waited are read too, and each makes one of the five go.
    await until(() => sockets.filter(({ closed }) => closed).length === 45);
    for (let count = 0; count < 10; count++) {
      expect(responseIn((await gate.post(reviewText())).text).allowed).to.equal(true);
    }
  });
});

describe('more reviews under way than connections are kept', () => {
  it('close those of the address that has most of them, and let in who else asks', async () => {
    const held: (() => void)[] = [];
    const reviewer: Reviewer = {
      ...customResourceDefinitionReviewer,
      assess: async ({ name }) => {
        if (name === 'held') await new Promise<void>((resolve) => held.push(resolve));
        return undefined;
      },
    };
    const gate = await startTestGate({ maxConnections: 5, reviewers: [reviewer] });
    let cut = 0;
    const hold = (localAddress: string): void => {
      const body = reviewText({ name: 'held' });
      gate.post(body, { localAddress, path: '/validate?timeout=10s' }).catch(() => cut++);
    };
    try {
      hold('127.0.0.1');
      await until(() => held.length === 1);
      for (let count = 2; count <= 5; count++) {
        hold('127.0.0.2');
        await until(() => held.length === count);
      }
      expect(responseIn((await gate.post(reviewText())).text).allowed).to.equal(true);
      await until(() => cut === 1);
      hold('127.0.0.2');
      await until(() => held.length === 6);
      // The address that has most of them gets no more.
      hold('127.0.0.2');
      await until(() => cut === 2);
      expect(held).to.have.lengthOf(6);
    } finally {
      for (const release of held) release();
      await gate.close();
    }
  });
});

describe('a connection that asks on before it is answered', () => {
  it('is closed, and what it asked takes nobody’s time', async () => {
    let assessed = 0;
    const reviewer: Reviewer = {
      ...customResourceDefinitionReviewer,
      assess: () => {
        assessed++;
        return Promise.resolve(undefined);
      },
    };
    const gate = await startTestGate({ reviewers: [reviewer] });
    try {
      const { hostname, port } = new URL(gate.url);
      const body = reviewText();
      const head = `POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const socket = connectTls({ port: Number(port), host: hostname, ca: gate.authority });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined).resume();
      socket.write(`${head}${body}`.repeat(2000));
      await closed;
      expect(responseIn((await gate.post(body)).text).allowed).to.equal(true);
      expect(assessed).to.be.at.most(2);
    } finally {
      await gate.close();
    }
  });
});
