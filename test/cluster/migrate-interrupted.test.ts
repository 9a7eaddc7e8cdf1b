/**
 * A migration whose API server asks for patience (429), has forgotten where the list stood (410), loses
 * an answer, or is killed and started again in the middle: nothing is lost, and nothing stays behind.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpsRequest } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Connection } from '../../src/cluster/view/connection.js';
import type { Checkpoint, CheckpointStore } from '../../src/cluster/migration/checkpoint.js';
import {
  readKind,
  Requests,
  runMigration,
  type MigrationResult,
} from '../../src/cluster/migration/index.js';
import { useCluster } from '../apiserver/mocha.js';
import {
  createBeta,
  createObjects,
  inEtcd,
  storedVersions,
  untilServed,
} from './migrated-widgets.js';

/** Several pages of each kind; of the first few, for nearly each write waits a second. */
const counts = { pinions: 60, ratchets: 300, sheaves: 300, wicks: 300, tines: 300, dogs: 300 };
type Plural = keyof typeof counts;
const pageSize = 50;

describe('a migration that is interrupted', function () {
  this.timeout(180_000);
  const cluster = useCluster({
    users: [{ name: 'migrator' }],
    apiServerFlags: [
      // One write at a time, for whoever is no administrator; the others are answered with 429.
      ...['--enable-priority-and-fairness=false', '--max-mutating-requests-inflight=1'],
      // Pages come from etcd, which forgets old states, and not from what the API server remembers.
      '--feature-gates=ListFromCacheSnapshot=false',
    ],
  });
  before(async () => {
    const args = ['create', 'clusterrolebinding', 'migrator', '--clusterrole=cluster-admin'];
    const { code, stderr } = await cluster().kubectl([...args, '--user=migrator']);
    expect(code, stderr).to.equal(0);
    // All together: each migration waits until its definition has stood for a while.
    const kinds = Object.entries(counts);
    await Promise.all(
      kinds.map(async ([plural, count]) => {
        await createBeta(cluster(), plural, () => createObjects(cluster(), plural, count));
        await untilServed(cluster(), plural, 'v1');
      }),
    );
  });

  /** @param afterPage called with each checkpoint, before the migration goes on */
  async function migrate(
    plural: Plural,
    kubeconfig: string,
    {
      afterPage = () => undefined,
      user = 'admin',
      steps = [],
    }: {
      afterPage?: (checkpoint: Checkpoint) => Promise<void> | undefined;
      user?: string;
      steps?: string[];
    },
  ): Promise<MigrationResult> {
    const connection = await Connection.fromKubeconfig(kubeconfig, user);
    const checkpoint: CheckpointStore = {
      read: () => Promise.resolve(undefined),
      write: async (at) => {
        if (at !== undefined) await afterPage(at);
      },
    };
    try {
      const requests = new Requests(connection, { qps: 1000 });
      const kind = await readKind(requests, `${plural}.example.com`);
      return await runMigration(requests, kind, {
        ...{ pageSize, isDryRun: false, checkpoint },
        onStep: (sentence) => void steps.push(sentence),
      });
    } finally {
      connection.close();
    }
  }

  /** Every object is there as it was, stored in the new version, and the old one is gone. */
  async function expectMigrated(plural: Plural, result: MigrationResult): Promise<void> {
    const count = counts[plural];
    expect(result).to.deep.include({ failures: 0, failed: [], storedVersions: ['v1'] });
    expect(result.verification).to.deep.include({ objects: count, namingLeaving: 0 });
    const stored = await inEtcd(cluster(), plural);
    expect(stored.size).to.equal(count);
    for (const [name, { apiVersion, spec }] of stored) {
      expect(apiVersion, name).to.equal('example.com/v1');
      expect(spec, name).to.deep.equal({ mode: 'Fast', replicas: 1 });
    }
    expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1']);
  }

  /** Requests about a kind that the API server has answered with a code. */
  async function answered(plural: Plural, code: number): Promise<number> {
    const { text } = await cluster().request('GET', '/metrics');
    return text
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total{'))
      .filter((line) => line.includes(`code="${code}"`) && line.includes(`resource="${plural}"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  it('by 429 of a busy API server waits, and sends it again', async () => {
    const result = await migrate('pinions', cluster().kubeconfigPath, { user: 'migrator' });
    await expectMigrated('pinions', result);
    expect(await answered('pinions', 429)).to.be.above(0);
  });

  it('by 410 of a list whose state was compacted away goes on at the same place', async () => {
    const looked: number[] = [];
    const steps: string[] = [];
    const result = await migrate('ratchets', cluster().kubeconfigPath, {
      steps,
      afterPage: async (at) => {
        looked.push(at.looked);
        if (at.looked === 0 || at.isListed) return;
        const range = { key: Buffer.from('/registry').toString('base64') };
        const asked = { method: 'POST', body: JSON.stringify(range) };
        const read = await fetch(`${cluster().etcdUrl}/v3/kv/range`, asked);
        const { header } = (await read.json()) as { header: { revision: string } };
        const body = JSON.stringify({ revision: header.revision, physical: true });
        await fetch(`${cluster().etcdUrl}/v3/kv/compaction`, { method: 'POST', body });
      },
    });
    await expectMigrated('ratchets', result);
    expect(await answered('ratchets', 410)).to.be.above(1);
    expect(steps.join('\n')).not.to.include('begins anew');
    expect(looked).to.deep.equal(looked.toSorted((one, other) => one - other));
    expect(result).to.include({ objects: counts.ratchets, written: counts.ratchets });
  });

  it('by an API server that is killed and started again goes on where it was', async () => {
    let restarted: Promise<void> | undefined;
    const result = await migrate('sheaves', cluster().kubeconfigPath, {
      afterPage: async ({ looked }) => {
        if (looked < 100 || restarted !== undefined) return;
        await cluster().kill();
        restarted = cluster().restart();
      },
    });
    await restarted;
    await expectMigrated('sheaves', result);
    expect(result).to.include({ objects: counts.sheaves, written: counts.sheaves });
  });

  describe('by a proxy that answers of its own', () => {
    type Script = (
      request: IncomingMessage,
      response: ServerResponse,
    ) => 'answered' | 'cut' | undefined;

    /** In front of the API server, with its certificate; forwards what the script leaves. */
    async function throughProxy<Result>(
      script: Script,
      use: (kubeconfig: string) => Promise<Result>,
    ): Promise<Result> {
      const certificates = join(cluster().folder, 'certificates');
      const cert = readFileSync(join(certificates, 'apiserver.crt'));
      const key = readFileSync(join(certificates, 'apiserver.key'));
      const server = createServer({ cert, key }, (request, response) => {
        const told = script(request, response);
        if (told === 'answered') return;
        const { method, headers, url = '' } = request;
        const forwarded = httpsRequest(new URL(url, cluster().url), { method, headers, ca: cert });
        forwarded.on('response', (answer) => {
          if (told === 'cut') {
            answer.resume().on('end', () => request.socket.destroy());
            return;
          }
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        forwarded.on('error', () => request.socket.destroy());
        request.pipe(forwarded);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const kubeconfig = join(cluster().folder, `proxied-${url.split(':')[2]}`);
      const direct = readFileSync(cluster().kubeconfigPath, 'utf8');
      writeFileSync(kubeconfig, direct.replaceAll(cluster().url, url));
      try {
        return await use(kubeconfig);
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    }

    const answer = (response: ServerResponse, code: number, headers: Record<string, string>) => {
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: 'no' };
      response.writeHead(code, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(status));
      return 'answered' as const;
    };

    it('waits as long as Retry-After says, with everything', async () => {
      const arrivals: number[] = [];
      let writes = 0;
      const script: Script = ({ method }, response) => {
        arrivals.push(performance.now());
        if (method !== 'PUT' || ++writes !== 40) return undefined;
        return answer(response, 429, { 'retry-after': '2' });
      };
      const result = await throughProxy(script, (kubeconfig) => migrate('wicks', kubeconfig, {}));
      await expectMigrated('wicks', result);
      // Those that were under way come in at once; then nothing does for so long.
      const pauses = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
      expect(Math.max(...pauses)).to.be.above(1900);
    });

    it('begins the list anew where 410 says nothing of where to go on', async () => {
      const steps: string[] = [];
      let refusals = 0;
      const script: Script = ({ method, url = '' }, response) => {
        const isPage = method === 'GET' && url.includes('/v1/tines?') && url.includes('continue=');
        if (!isPage || refusals > 0 || !url.includes(`limit=${pageSize}`)) return undefined;
        refusals++;
        return answer(response, 410, {});
      };
      const result = await throughProxy(script, (kubeconfig) =>
        migrate('tines', kubeconfig, { steps }),
      );
      await expectMigrated('tines', result);
      expect(refusals).to.equal(1);
      expect(steps.filter((each) => each.includes('begins anew'))).to.have.lengthOf(1);
      // Each was written once: what had been written before is newer than the start.
      expect(result).to.include({ objects: counts.tines, written: counts.tines });
    });

    it('takes a write whose answer was lost for done', async () => {
      let writes = 0;
      const script: Script = ({ method }) =>
        method === 'PUT' && ++writes % 50 === 0 ? 'cut' : undefined;
      const result = await throughProxy(script, (kubeconfig) => migrate('dogs', kubeconfig, {}));
      await expectMigrated('dogs', result);
      expect(writes).to.be.above(counts.dogs);
    });
  });
});
