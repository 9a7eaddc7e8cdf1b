/**
 * `olm-guard migrate run --in-tree` on a real API server that serves StorageVersionMigrations. There is no
 * kube-controller-manager behind it: the tests play its controller, by the same empty applies and the same
 * conditions.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { Connection } from '../../src/cluster/view/connection.js';
import { readKind, Requests, runMigration } from '../../src/cluster/migration/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { KubernetesBody } from '../apiserver/request.js';
import { run, start, type Ended, type Started } from '../cli/command.js';
import {
  apply,
  createBeta,
  createObjects,
  inEtcd,
  objectsPath,
  storedVersions,
  untilServed,
  widget,
} from './migrated-widgets.js';

const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';

describe('olm-guard migrate run --in-tree', function () {
  this.timeout(180_000);

  describe('where the cluster serves it', () => {
    const cluster = useCluster({
      apiServerFlags: [
        '--feature-gates=StorageVersionMigrator=true',
        '--runtime-config=storagemigration.k8s.io/v1beta1=true',
      ],
    });
    const argsOf = (plural: string, ...args: string[]): string[] => {
      const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
      return ['migrate', 'run', `${plural}.example.com`, kubeconfig, '--in-tree', ...args];
    };

    /** The one that is about a kind, once it is there. */
    const migrationOf = (plural: string): Promise<KubernetesBody> =>
      until(`a migration of ${plural}`, async () => {
        const { body } = await cluster().request('GET', migrations);
        const items = (body as unknown as { items: KubernetesBody[] }).items;
        return items.find(({ spec }) => {
          const { resource } = spec as { resource: { group: string; resource: string } };
          return resource.resource === plural && resource.group === 'example.com';
        });
      });

    async function setCondition(
      plural: string,
      type: 'Running' | 'Succeeded' | 'Failed',
      message = '',
    ): Promise<void> {
      const found = await migrationOf(plural);
      const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
      const condition = { type, status: 'True', reason: 'Played', message, lastTransitionTime };
      const status = { resourceVersion: '1', conditions: [condition] };
      const path = `${migrations}/${found.metadata?.name}/status`;
      const answer = await cluster().request('PUT', path, { ...found, status });
      expect(answer.code, answer.text).to.equal(200);
    }

    /** As kube-controller-manager does it: an empty server-side apply with uid and resourceVersion. */
    async function storeEach(plural: string): Promise<void> {
      const { body } = await cluster().request('GET', objectsPath(plural, 'v1'));
      for (const { metadata } of (body as unknown as { items: KubernetesBody[] }).items) {
        const { name, uid, resourceVersion } = metadata ?? {};
        const empty = {
          apiVersion: 'example.com/v1',
          metadata: { name, uid, resourceVersion },
        } as KubernetesBody;
        const manager = 'storage-version-migrator-controller';
        const kind = widget(plural, name ?? '', 'v1')['kind'];
        const answer = await apply(cluster(), plural, { ...empty, kind }, manager);
        expect(answer.code, answer.text).to.equal(200);
      }
    }

    const endOf = async (started: Started): Promise<Ended> => ({
      code: await started.ended,
      stdout: started.stdout(),
      stderr: started.stderr(),
    });

    const storedIn = async (plural: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        [...(await inEtcd(cluster(), plural))].map(([name, { apiVersion }]) => [name, apiVersion]),
      );

    it('waits for the cluster, moves managedFields, and takes the version out of storedVersions', async () => {
      const plural = 'winches';
      await createBeta(cluster(), plural, async () => {
        await createObjects(cluster(), plural, 3);
        const applied = widget(plural, 'applied', 'v1beta1');
        expect((await apply(cluster(), plural, applied, 'helm')).code).to.equal(201);
      });
      const running = start([...argsOf(plural), '-o', 'json']);
      const { metadata, spec } = await migrationOf(plural);
      expect(spec).to.deep.equal({ resource: { group: 'example.com', resource: plural } });
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1beta1', 'v1']);
      // What comes in the old version while it runs is what the cluster has to store anew.
      await cluster().request('POST', objectsPath(plural, 'v1beta1'), {
        ...widget(plural, 'late', 'v1beta1'),
      });
      await setCondition(plural, 'Running');
      await until('the run to hear of it', () =>
        running.stderr().includes('is migrated by the cluster') ? true : undefined,
      );
      await storeEach(plural);
      await setCondition(plural, 'Succeeded');

      const { code, stdout, stderr } = await endOf(running);
      expect(code, stdout + stderr).to.equal(0);
      expect(stderr).to.include(`waits for the StorageVersionMigration ${metadata?.name}`);
      expect(JSON.parse(stdout)).to.deep.include({
        objects: 4,
        failures: 0,
        storedVersions: ['v1'],
        inTree: { apiVersion: 'storagemigration.k8s.io/v1beta1', name: metadata?.name },
      });
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1']);
      const { body } = await cluster().request('GET', objectsPath(plural, 'v1'));
      const entries = (body as unknown as { items: KubernetesBody[] }).items.flatMap(
        (each) => each.metadata?.['managedFields'] as { apiVersion: string }[],
      );
      expect(entries.map(({ apiVersion }) => apiVersion)).to.include('example.com/v1');
      expect(entries.map(({ apiVersion }) => apiVersion)).not.to.include('example.com/v1beta1');
    });

    it('leaves to the cluster what only has to be stored anew', async () => {
      const plural = 'hoists';
      await createBeta(cluster(), plural, async () => {
        await untilServed(cluster(), plural, 'v1');
        // Stored as v1beta1, and written as v1: no managedFields name what leaves.
        await createObjects(cluster(), plural, 5, { in: 'v1' });
      });
      const all = (version: string): Record<string, string> =>
        Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`w${at}`, `example.com/${version}`]));
      const running = start([...argsOf(plural), '-o', 'json']);
      await migrationOf(plural);
      expect(await storedIn(plural)).to.deep.equal(all('v1beta1'));
      await storeEach(plural);
      await setCondition(plural, 'Succeeded');
      const { code, stdout, stderr } = await endOf(running);
      expect(code, stdout + stderr).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.include({ objects: 5, written: 0 });
      expect(await storedIn(plural)).to.deep.equal(all('v1'));
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1']);
    });

    it('that was killed waits for the same one; a run without --in-tree begins anew', async () => {
      const plural = 'tackles';
      await createBeta(cluster(), plural, async () => {
        await untilServed(cluster(), plural, 'v1');
        await createObjects(cluster(), plural, 3, { in: 'v1' });
      });
      const checkpoint = `--checkpoint=${join(cluster().folder, 'tackles.checkpoint')}`;
      const killed = start(argsOf(plural, checkpoint));
      const first = await migrationOf(plural);
      killed.process.kill('SIGKILL');
      await killed.ended;
      const again = start(argsOf(plural, checkpoint));
      await until('the second to wait', () =>
        again.stderr().includes('waits for') ? true : undefined,
      );
      again.process.kill('SIGKILL');
      await again.ended;
      expect(again.stderr()).to.include(`StorageVersionMigration ${first.metadata?.name}`);
      // All objects have been looked at by a run that had the cluster write them, and it has not.
      const own = await run(argsOf(plural, checkpoint).filter((each) => each !== '--in-tree'));
      expect(own.code, own.stdout + own.stderr).to.equal(0);
      expect(new Set(Object.values(await storedIn(plural)))).to.deep.equal(
        new Set(['example.com/v1']),
      );
    });

    it('that fails keeps the version, and says why', async () => {
      const plural = 'cranks';
      await createBeta(cluster(), plural, () => createObjects(cluster(), plural, 2));
      const running = start(argsOf(plural));
      await setCondition(plural, 'Failed', 'resource does not exist in GC');
      const { code, stdout, stderr } = await endOf(running);
      expect(stderr).to.match(
        /StorageVersionMigration cranks\.example\.com\.\S+ failed: resource does not exist in GC; mend that/,
      );
      expect(stdout).to.equal('');
      expect(code).to.equal(1);
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1beta1', 'v1']);
    });

    it('that nobody begins ends with a sentence, and keeps the version', async () => {
      const plural = 'jacks';
      await createBeta(cluster(), plural, () => createObjects(cluster(), plural, 2));
      const connection = await Connection.fromKubeconfig(cluster().kubeconfigPath);
      try {
        const requests = new Requests(connection, { qps: 100 });
        const kind = await readKind(requests, `${plural}.example.com`);
        const inTree = { beginsWithinMilliseconds: 200, pollMilliseconds: 50 };
        const options = { pageSize: 10, isDryRun: false, inTree };
        const refused: unknown = await runMigration(requests, kind, options).catch(
          (error: unknown) => error,
        );
        expect(String(refused)).to.match(/nobody has begun .* jacks\.example\.com\..*feature gate/);
      } finally {
        connection.close();
      }
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1beta1', 'v1']);
    });

    it('creates none in a dry run', async () => {
      const plural = 'levies';
      await createBeta(cluster(), plural, () => createObjects(cluster(), plural, 2));
      const { code, stdout, stderr } = await run(argsOf(plural, '--dry-run'));
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout).to.match(
        /^ {2}in-tree {4}the cluster would migrate: StorageVersionMigration levies/m,
      );
      const { body } = await cluster().request('GET', migrations);
      const items = (body as unknown as { items: KubernetesBody[] }).items;
      expect(items.filter(({ spec }) => JSON.stringify(spec).includes(plural))).to.deep.equal([]);
    });
  });

  describe('where the cluster does not serve it', () => {
    const cluster = useCluster();

    it('is refused in one sentence before anything is written', async () => {
      const plural = 'capstans';
      await createBeta(cluster(), plural, () => createObjects(cluster(), plural, 2));
      const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
      const ended: Ended = await run([
        ...['migrate', 'run', `${plural}.example.com`, kubeconfig, '--in-tree'],
      ]);
      expect(ended.stderr).to.match(
        /^olm-guard: the cluster does not serve StorageVersionMigrations .*without --in-tree olm-guard writes the objects itself$/m,
      );
      expect(ended.stdout).to.equal('');
      expect(ended.code).to.equal(2);
      for (const { apiVersion } of (await inEtcd(cluster(), plural)).values())
        expect(apiVersion).to.equal('example.com/v1beta1');
    });
  });
});
