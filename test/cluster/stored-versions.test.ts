/** Versions that leave a definition while objects may be stored in them, as migrators and attackers do it. */
import { join } from 'node:path';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { run } from '../cli/command.js';
import { kubectl, pointWebhooksAt, root, untilAnswered } from './installed-gate.js';
import {
  bothVersions,
  createBeta,
  createObjects,
  inEtcd,
  objectsPath,
  onlyV1,
  put,
  untilServed,
} from './migrated-widgets.js';
import { definitionPath, definitions } from './widgets.js';

const merge = { contentType: 'application/merge-patch+json' };
const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
const unproven = /StoredVersionUnproven/;
const way = (plural: string): string =>
  `olm-guard migrate run ${plural}.example.com --leaving v1beta1`;

describe('a version that leaves status.storedVersions', function () {
  this.timeout(240_000);
  const cluster = useCluster({
    users: [{ name: 'mallory' }],
    apiServerFlags: [
      '--feature-gates=StorageVersionMigrator=true',
      '--runtime-config=storagemigration.k8s.io/v1beta1=true',
    ],
  });
  let gate: TestGate;

  before(async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
  });
  afterEach(() => gate.stop());

  async function guardBy(...flags: string[]): Promise<void> {
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${cluster().kubeconfigPath}`,
      ...flags,
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
  }

  /** Takes v1beta1 out, under a name as field manager. */
  const trim = (plural: string, manager: string): Promise<Answer> =>
    cluster().request(
      'PATCH',
      `${definitionPath(plural)}/status?fieldManager=${manager}`,
      { status: { storedVersions: ['v1'] } },
      merge,
    );
  const drop = (plural: string): Promise<Answer> => put(cluster(), onlyV1(plural));

  /** Cluster API's and Flux's way: each object is written again as it is, until etcd has none left. */
  async function writeEach(plural: string): Promise<void> {
    // A change of the definition makes the API server build the kind's storage anew, in its own time.
    await until(`no ${plural} to be stored as v1beta1`, async () => {
      for (const [name] of await inEtcd(cluster(), plural)) {
        await cluster().request('PATCH', `${objectsPath(plural, 'v1')}/${name}`, {}, merge);
      }
      const stored = [...(await inEtcd(cluster(), plural)).values()];
      return stored.every(({ apiVersion }) => apiVersion === 'example.com/v1') ? true : undefined;
    });
  }

  async function migrateInTree(plural: string, type: 'Succeeded' | 'Failed'): Promise<void> {
    const body = {
      apiVersion: 'storagemigration.k8s.io/v1beta1',
      kind: 'StorageVersionMigration',
      metadata: { name: plural },
      spec: { resource: { group: 'example.com', resource: plural } },
    };
    const made = await cluster().request('POST', migrations, body);
    expect(made.code, made.text).to.equal(201);
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
    const condition = { type, status: 'True', reason: 'Played', message: '', lastTransitionTime };
    const ended = await cluster().request('PUT', `${migrations}/${plural}/status`, {
      ...made.body,
      status: { resourceVersion: '1', conditions: [condition] },
    });
    expect(ended.code, ended.text).to.equal(200);
  }

  const beta = (plural: string, count = 2): Promise<void> =>
    createBeta(cluster(), plural, () => createObjects(cluster(), plural, count));

  it('by hand, while objects are stored in it, is told; dropping it then is told by default', async () => {
    await guardBy();
    await beta('hands');
    const trimmed = await trim('hands', 'mallory');
    expect(trimmed.code, trimmed.text).to.equal(200);
    expect(trimmed.warnings.join()).to.match(unproven).and.to.include(way('hands'));
    const dropped = await drop('hands');
    expect(dropped.code, dropped.text).to.equal(200);
    const told = dropped.warnings.join();
    expect(told).to.match(unproven).and.to.include('status.storedVersions was written by mallory');
    expect(told).to.include(way('hands'));
  });

  it('cannot be dropped then under the enforcing policy, until the objects are shown to be migrated', async () => {
    await guardBy(`--policy=${join(root, 'manifests', 'components', 'enforcing', 'policy.yaml')}`);
    await beta('locks');
    expect((await trim('locks', 'mallory')).code).to.equal(200);
    const denied = await drop('locks');
    expect(denied.code, denied.text).to.equal(403);
    expect(denied.body.message).to.include(way('locks'));
    const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
    const plan = (): ReturnType<typeof run> =>
      run(['migrate', 'plan', 'locks.example.com', kubeconfig]);
    const planned = await plan();
    expect(planned.stdout)
      .to.match(/^ *unproven +v1beta1: not in status\.storedVersions/m)
      .and.match(/^ *next +olm-guard migrate run locks\.example\.com --leaving v1beta1$/m);
    expect(planned.code).to.equal(1);
    const ran = await run([
      ...['migrate', 'run', 'locks.example.com', '--leaving', 'v1beta1', kubeconfig],
    ]);
    expect(ran.code, ran.stderr).to.equal(0);
    const versions = [...(await inEtcd(cluster(), 'locks')).values()];
    expect(versions.map(({ apiVersion }) => apiVersion)).to.not.include('example.com/v1beta1');
    const done = await plan();
    expect(done.stdout).to.match(/^ *next +nothing is left to do$/m);
    expect(done.code, done.stdout).to.equal(0);
    const dropped = await drop('locks');
    expect(dropped.code, dropped.text).to.equal(200);
    expect(dropped.warnings.join()).to.not.match(unproven);
  });

  it('leaves its record behind under the enforcing policy, whichever way it is taken away', async () => {
    await guardBy(`--policy=${join(root, 'manifests', 'components', 'enforcing', 'policy.yaml')}`);
    await beta('erasers');
    const path = definitionPath('erasers');
    interface Entry {
      readonly manager: string;
      readonly fieldsV1: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }
    const entries = async (): Promise<Entry[]> => {
      const { body } = await cluster().request('GET', path);
      return (body.metadata as { managedFields?: Entry[] } | undefined)?.managedFields ?? [];
    };
    const isRecord = ({ fieldsV1 }: Entry): boolean =>
      fieldsV1['f:status']?.['f:storedVersions'] !== undefined;
    const write = async (managedFields: readonly object[], suffix = ''): Promise<Answer> =>
      cluster().request('PATCH', `${path}${suffix}`, { metadata: { managedFields } }, merge);
    expect((await trim('erasers', 'mallory')).code).to.equal(200);
    const recorded = await entries();
    expect(recorded.filter(isRecord)).to.have.length(1);
    const others = recorded.filter((entry) => !isRecord(entry));
    const emptied = recorded.map((entry) =>
      isRecord(entry) ? { ...entry, fieldsV1: { 'f:status': {} } } : entry,
    );
    for (const written of [others, emptied, [{}]]) {
      const erased = await write(written);
      expect(erased.code, erased.text).to.equal(403);
      expect(erased.body.message)
        .to.include('the record of who took v1beta1 out of status.storedVersions')
        .and.include(way('erasers'));
    }
    // An API server takes no managedFields from a write of the status.
    await write(others, '/status');
    expect((await entries()).filter(isRecord)).to.have.length(1);
    expect((await drop('erasers')).code).to.equal(403);
    // Whoever writes other entries takes nothing away.
    const kept = await write(recorded.filter(isRecord));
    expect(kept.code, kept.text).to.equal(200);
    expect(kept.warnings.join()).to.not.match(unproven);
    const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
    const leaving = ['--leaving', 'v1beta1'];
    const ran = await run(['migrate', 'run', 'erasers.example.com', ...leaving, kubeconfig]);
    expect(ran.code, ran.stderr).to.equal(0);
    const cleaned = await write([{}]);
    expect(cleaned.code, cleaned.text).to.equal(200);
    expect(cleaned.warnings.join()).to.not.match(unproven);
  });

  it('is helped on where a migrator wrote every object, and denied by no default', async () => {
    await guardBy();
    for (const [plural, manager] of [
      ['capis', 'manager'],
      ['fluxes', 'flux'],
    ] as const) {
      await beta(plural);
      await writeEach(plural);
      for (const answer of [await trim(plural, manager), await drop(plural)]) {
        expect(answer.code, answer.text).to.equal(200);
        expect(answer.warnings.join()).to.match(unproven).and.to.include(way(plural));
      }
    }
  });

  it('goes silently after a StorageVersionMigration that succeeded, not after one that failed', async () => {
    await guardBy();
    for (const [plural, type] of [
      ['trees', 'Succeeded'],
      ['fails', 'Failed'],
    ] as const) {
      await beta(plural);
      await writeEach(plural);
      await migrateInTree(plural, type);
      for (const answer of [await trim(plural, 'kube-controller-manager'), await drop(plural)]) {
        expect(answer.code, answer.text).to.equal(200);
        const told = answer.warnings.join();
        if (type === 'Succeeded') expect(told).to.not.match(unproven);
        else expect(told).to.include(`the StorageVersionMigration ${plural} failed`);
      }
    }
  });

  it('is told all the same when the requester may write himself what shows it', async () => {
    await guardBy();
    await beta('forges');
    await migrateInTree('forges', 'Succeeded');
    const rules = [
      {
        apiGroups: ['storagemigration.k8s.io'],
        resources: ['storageversionmigrations', 'storageversionmigrations/status'],
        verbs: ['*'],
      },
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions', 'customresourcedefinitions/status'],
        verbs: ['*'],
      },
    ];
    const base = '/apis/rbac.authorization.k8s.io/v1';
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'forger' },
    };
    const binding = {
      ...role,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'forger' },
      subjects: [{ kind: 'User', name: 'mallory' }],
    };
    const roles = await cluster().request('POST', `${base}/clusterroles`, { ...role, rules });
    expect(roles.code, roles.text).to.equal(201);
    const bound = await cluster().request('POST', `${base}/clusterrolebindings`, binding);
    expect(bound.code, bound.text).to.equal(201);
    const asks = (user?: string): Promise<Answer> =>
      cluster().request(
        'PATCH',
        `${definitionPath('forges')}/status?dryRun=All`,
        { status: { storedVersions: ['v1'] } },
        { ...merge, ...(user === undefined ? {} : { user }) },
      );
    const forged = await until('the right to be known', async () => {
      const answer = await asks('mallory');
      return answer.code === 200 ? answer : undefined;
    });
    expect(forged.warnings.join()).to.include(
      'the StorageVersionMigration shows it, which the requester may write himself',
    );
    // Who may take the gate away has no need to.
    expect((await asks()).warnings.join()).to.not.match(unproven);
  });

  it('goes silently after olm-guard migrate run, without objects, and if it never was stored', async () => {
    await guardBy();
    await beta('runs');
    const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
    const ran = await run(['migrate', 'run', 'runs.example.com', kubeconfig]);
    expect(ran.code, ran.stderr).to.equal(0);
    await beta('empties', 0);
    const empty = await trim('empties', 'mallory');
    expect(empty.warnings.join()).to.not.match(unproven);
    const definition = bothVersions('news', 'v1');
    const made = await cluster().request('POST', definitions, definition);
    expect(made.code, made.text).to.equal(201);
    await untilServed(cluster(), 'news', 'v1');
    await createObjects(cluster(), 'news', 1, { in: 'v1' });
    for (const plural of ['runs', 'empties', 'news']) {
      const dropped = await drop(plural);
      expect(dropped.code, dropped.text).to.equal(200);
      expect(dropped.warnings.join(), plural).to.not.match(unproven);
    }
  });
});
