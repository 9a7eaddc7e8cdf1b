/** Watches that say nothing: a quiet resource without bookmarks, and a connection that was cut. */
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import { Connection } from '../../src/cluster/view/connection.js';
import { Reflector } from '../../src/cluster/view/reflector.js';
import { metaOf } from '../../src/text/documents/index.js';
import { until } from '../apiserver/processes.js';

const base = '/api/v1';
const silenceMilliseconds = 300;

describe('a watch that says nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-silence-'));
  const heard: string[] = [];
  const names: string[] = [];
  const open: ServerResponse[] = [];
  let watches = 0;
  /** What the server does with a watch, and from when on. */
  let answer: (response: ServerResponse) => void;
  let server: Server;
  let connection: Connection;
  let reflector: Reflector;

  beforeEach(async () => {
    for (const each of [heard, names, open]) each.length = 0;
    watches = 0;
    const { current, authority } = await selfSigned(['127.0.0.1']);
    server = createServer(current, (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'https://server');
      response.setHeader('content-type', 'application/json');
      if (pathname === base) {
        const resources = [{ name: 'events', kind: 'Event', namespaced: true }];
        response.end(JSON.stringify({ kind: 'APIResourceList', resources }));
      } else if (searchParams.has('watch')) {
        watches++;
        open.push(response);
        answer(response);
      } else {
        const metadata = { resourceVersion: '1' };
        response.end(JSON.stringify({ kind: 'EventList', metadata, items: [] }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const named = (kind: string, value: object) => ({ name: 'one', [kind]: value });
    const { port } = server.address() as AddressInfo;
    const file = join(folder, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'one',
      clusters: [
        named('cluster', {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': Buffer.from(authority).toString('base64'),
        }),
      ],
      contexts: [named('context', { cluster: 'one', user: 'one' })],
      users: [named('user', { token: 'none' })],
    };
    writeFileSync(file, JSON.stringify(config));
    connection = await Connection.fromKubeconfig(file);
    reflector = new Reflector(connection, {
      resource: { group: '', resource: 'events' },
      sink: {
        listed: () => undefined,
        put: (object) => names.push(metaOf(object).name),
        remove: () => undefined,
      },
      onState: (state, reason) => heard.push(reason === undefined ? state : `${state}: ${reason}`),
      backoff: { firstMilliseconds: 20, maxMilliseconds: 50 },
      silenceMilliseconds,
    });
  });

  afterEach(async () => {
    await reflector.stop();
    connection.close();
    server.closeAllConnections();
    server.close();
  });

  after(() => rmSync(folder, { recursive: true }));

  const tell = (response: ServerResponse, type: string, name: string): void => {
    const object = { kind: 'Event', metadata: { name, namespace: 'a', resourceVersion: '2' } };
    response.write(`${JSON.stringify({ type, object })}\n`);
  };

  it('is renewed where there was never a bookmark, and nobody hears of a failure', async () => {
    answer = (response) => response.flushHeaders();
    reflector.start();
    await until('a third watch', () => (watches >= 3 ? true : undefined));
    const last = open.at(-1);
    if (last !== undefined) tell(last, 'ADDED', 'late');
    await until('its event', () => (names.includes('late') ? true : undefined));
    expect(heard).to.deep.equal(['current']);
  });

  it('is noticed if bookmarks stop', async () => {
    answer = (response) => {
      response.flushHeaders();
      if (watches === 1) tell(response, 'BOOKMARK', '');
    };
    reflector.start();
    await until('word of it', () => (heard.length >= 2 ? true : undefined));
    expect(heard.slice(0, 2)).to.deep.equal(['current', 'failing: silent for 0.3 s']);
  });

  it('is told where the next one cannot be opened', async () => {
    answer = (response) => {
      if (watches === 1) response.flushHeaders();
    };
    reflector.start();
    await until('word of it', () => (heard.length >= 2 ? true : undefined));
    expect(heard.slice(0, 2)).to.deep.equal(['current', 'failing: silent for 0.3 s']);
  });
});
