/** What the gate asks an API server, over connections that end as they are used again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import { Connection } from '../../src/cluster/view/connection.js';
import { ClusterError } from '../../src/cluster/view/view.js';
import { startBalancer } from '../cluster/balancer.js';
import { Network } from '../cluster/network.js';
import { until } from './until.js';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a connection to an API server that is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-connection-'));
  after(() => rmSync(folder, { recursive: true }));
  let server: Server;
  let ca: string;
  /** What becomes of each request: how many came before it on its connection. */
  let answer: (before: number, request: IncomingMessage, response: ServerResponse) => void;
  const opened: Socket[] = [];

  before(async () => {
    const own = await selfSigned(['127.0.0.1']);
    ca = own.authority;
    const requests = new WeakMap<Socket, number>();
    server = createServer(own.current, (request, response) => {
      const before = requests.get(request.socket) ?? 0;
      requests.set(request.socket, before + 1);
      answer(before, request, response);
    });
    server.on('secureConnection', (socket: Socket) => opened.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function connect(port = portOf(server)): Promise<Connection> {
    const authority = join(folder, 'ca.crt');
    writeFileSync(authority, ca);
    const file = join(folder, 'kept');
    const named = (kind: string, value: object) => ({ name: 'one', [kind]: value });
    const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority': authority };
    const config = {
      'current-context': 'one',
      clusters: [named('cluster', cluster)],
      contexts: [named('context', { cluster: 'one', user: 'one' })],
      users: [named('user', { token: 'none' })],
    };
    writeFileSync(file, JSON.stringify(config));
    return Connection.fromKubeconfig(file);
  }

  it('and that the server ends as it is used again, loses no question', async () => {
    const connection = await connect();
    answer = (before, request, response) => {
      if (before > 0) request.socket.destroy();
      else response.end('{}');
    };
    opened.length = 0;
    for (let asked = 0; asked < 3; asked++) {
      expect(String(await connection.read({ path: '/a' }))).to.equal('{}');
    }
    expect(opened.length).to.be.above(1);
    // What is written may have been done.
    const change = { path: '/a', method: 'PATCH', body: '{}' } as const;
    const failure = await connection.read(change).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ClusterError);
    connection.close();
  });

  it('and ends at the first use every time, says so', async () => {
    const connection = await connect();
    answer = (_before, request) => request.socket.destroy();
    const failure = await connection.read({ path: '/a' }).catch((error: unknown) => error);
    expect(String(failure)).to.include('does not answer');
    connection.close();
  });

  it('and reset in the middle of an answer, says so once, and asks nothing behind its back', async () => {
    const network = new Network();
    const port = portOf(server);
    const balancer = await startBalancer(() => [{ port, network }]);
    const connection = await connect(balancer.port);
    const asked: string[] = [];
    answer = (before, request, response) => {
      asked.push(request.url ?? '');
      if (asked.length > 2) request.socket.destroy();
      else if (before === 0) response.end('{}');
      else {
        response.write('{');
        setTimeout(() => network.cut('both'), 100);
      }
    };
    try {
      await connection.read({ path: '/first' });
      const failure = await connection.read({ path: '/watch' }).catch((error: unknown) => error);
      expect(String(failure)).to.include('broke off');
      await connection.read({ path: '/last' }).catch(() => undefined);
      expect(asked.filter((path) => path === '/watch')).to.have.length(1);
    } finally {
      connection.close();
      await balancer.close();
    }
  });

  it('answers what was asked before its authorities changed', async () => {
    const connection = await connect();
    let isAsked = false;
    let release = (): void => undefined;
    answer = (_before, { url }, response) => {
      if (url !== '/slow') return void response.end('{}');
      isAsked = true;
      release = () => response.end('{"slow":1}');
    };
    const slow = connection.read({ path: '/slow' });
    await until(() => isAsked);
    writeFileSync(join(folder, 'ca.crt'), `${ca}\n${(await selfSigned(['other'])).authority}`);
    await connection.read({ path: '/after' });
    release();
    expect(String(await slow)).to.equal('{"slow":1}');
    connection.close();
  });
});
