import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from './connection.js';
import { ClusterError } from './view.js';

describe('a connection to an API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-connection-'));
  after(() => rmSync(folder, { recursive: true }));

  /** What is said; nobody listens at the server, so a request that is sent fails. */
  async function said(path: string, below = ''): Promise<string> {
    const file = join(folder, 'kubeconfig');
    const named = (kind: string, value: object) => ({ name: 'one', [kind]: value });
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'one',
      clusters: [named('cluster', { server: `https://127.0.0.1:1${below}` })],
      contexts: [named('context', { cluster: 'one', user: 'one' })],
      users: [named('user', { token: 'none' })],
    };
    writeFileSync(file, JSON.stringify(config));
    const connection = await Connection.fromKubeconfig(file);
    try {
      await connection.read({ path });
    } catch (error) {
      if (error instanceof ClusterError) return error.message;
      throw error;
    } finally {
      connection.close();
    }
    return '';
  }

  for (const path of [
    '/a/../b',
    '/a/..',
    '/a/./b',
    '/a/%2e%2E/b',
    '/a/.%2e?c=d',
    '/a\\..\\..\\b',
    '/a/.\t./b',
    '/a/..\n/b',
    '/a#b',
    '/a?b=c#d',
  ]) {
    it(`sends nothing to a path that leads elsewhere: ${JSON.stringify(path)}`, async () => {
      expect(await said(path)).to.match(/leads elsewhere/);
      expect(await said(path, '/clusters/one')).to.match(/leads elsewhere/);
    });
  }

  for (const path of [
    '/version',
    `/api/v1/namespaces/${encodeURIComponent("a b/../c:d|'{}^")}`,
    '/api/v1/namespaces/a/services/https:b:443/proxy/convert',
    "/api/v1/secrets?labelSelector=a in ('../b')&c=/../d",
    '/apis/example.com/v1/a..b/.c',
  ]) {
    it(`sends what it is asked to: ${path}`, async () => {
      expect(await said(path)).to.match(/does not answer/);
      expect(await said(path, '/clusters/one')).to.match(/does not answer/);
    });
  }
});
