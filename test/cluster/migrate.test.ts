/** `olm-guard migrate` on a real API server, and what its etcd holds afterwards. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Connection } from '../../src/cluster/view/connection.js';
import type { CheckpointStore } from '../../src/cluster/migration/checkpoint.js';
import {
  checkpointStore,
  readKind,
  Requests,
  verifyMigration,
} from '../../src/cluster/migration/index.js';
import { objectPages } from '../../src/cluster/migration/object-pages.js';
import type { RequestOptions } from '../../src/cluster/migration/requests.js';
import { registerGate, startGate, type TestGate } from '../apiserver/gate.js';
import type { KubernetesBody } from '../apiserver/request.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run, start, type Ended } from '../cli/command.js';
import {
  apply,
  bothVersions,
  createBeta,
  createObjects,
  inEtcd,
  objectsPath,
  onlyV1,
  put,
  storedVersions,
  untilServed,
  widget,
} from './migrated-widgets.js';
import { createNamespace } from './olm-definitions.js';
import { startWebhook } from './scripted-webhook.js';
import { definitionPath, definitions, type Definition } from './widgets.js';

const gone = /request to convert CR to an invalid group\/version: example\.com\/v1beta1/;

/** Whose first server-side apply comes too late: somebody has written the object since it was read. */
class Overtaken extends Requests {
  isOvertaken = false;

  constructor(
    connection: Connection,
    options: RequestOptions,
    private readonly overtake: () => Promise<void>,
  ) {
    super(connection, options);
  }

  override async json(...asked: Parameters<Requests['json']>): ReturnType<Requests['json']> {
    if (asked[0].method === 'PATCH' && !this.isOvertaken) {
      this.isOvertaken = true;
      await this.overtake();
    }
    return super.json(...asked);
  }
}

describe('olm-guard migrate', function () {
  this.timeout(300_000);
  const cluster = useCluster();

  const migrate = (verb: string, plural: string, ...args: string[]): Promise<Ended> =>
    run(argsOf(verb, plural, ...args));
  const argsOf = (verb: string, plural: string, ...args: string[]): string[] => {
    const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
    return ['migrate', verb, `${plural}.example.com`, kubeconfig, ...args];
  };
  const object = async (plural: string, name: string): Promise<KubernetesBody> =>
    (await cluster().request('GET', `${objectsPath(plural, 'v1')}/${name}`)).body;

  /** Applied as v1beta1: a whole object by helm, one field of it by argocd. */
  async function createApplied(plural: string): Promise<void> {
    await createBeta(cluster(), plural, async () => {
      const whole = widget(plural, 'w0', 'v1beta1', { pollInterval: '1m' });
      const part = { ...whole, spec: { pollInterval: '1m' } };
      for (const [body, manager] of [
        [whole, 'helm'],
        [part, 'argocd'],
      ] as const) {
        const answer = await apply(cluster(), plural, body, manager);
        expect(answer.code, answer.text).to.be.oneOf([200, 201]);
      }
      // By a plain write, in both versions: one entry each, which become one.
      for (const [version, key] of [
        ['v1beta1', 'old'],
        ['v1', 'new'],
      ] as const) {
        const path = `${objectsPath(plural, version)}/w0?fieldManager=controller`;
        const contentType = 'application/merge-patch+json';
        const label = { metadata: { labels: { [key]: 'yes' } } };
        const answer = await cluster().request('PATCH', path, label, { contentType });
        expect(answer.code, answer.text).to.equal(200);
      }
    });
  }

  /** Of each kind of many pages: enough to be interrupted in the middle. */
  const count = 1500;
  // All at once: each run waits until the definition has stood for a while.
  before(async () => {
    const counts = {
      ...{ sprockets: count, cogwheels: count, levers: 5, pawls: 3, cams: 3, treadles: 3 },
      ...{ bobbins: 0, flanges: 4 },
    };
    await Promise.all([
      createApplied('doohickeys'),
      createApplied('gizmos'),
      ...Object.entries(counts).map(([plural, objects]) =>
        createBeta(cluster(), plural, async () => {
          await createObjects(cluster(), plural, objects);
          if (plural !== 'bobbins' && plural !== 'flanges') return;
          const applied = widget(plural, 'applied', 'v1beta1');
          expect((await apply(cluster(), plural, applied, 'helm')).code).to.equal(201);
        }),
      ),
    ]);
  });

  describe('managedFields', () => {
    it('lets server-side apply fail once a version is gone, and be repaired after the fact', async () => {
      // What every other migrator does: write each object, take the version out, drop it.
      const { metadata, ...rest } = await object('doohickeys', 'w0');
      const path = `${objectsPath('doohickeys', 'v1')}/w0`;
      expect((await cluster().request('PUT', path, { ...rest, metadata })).code).to.equal(200);
      const pruned = { status: { storedVersions: ['v1'] } };
      const merge = { contentType: 'application/merge-patch+json' };
      await cluster().request('PATCH', `${definitionPath('doohickeys')}/status`, pruned, merge);
      const dropped = await put(cluster(), onlyV1('doohickeys'));
      expect(dropped.code, dropped.text).to.equal(200);

      const wanted = widget('doohickeys', 'w0', 'v1', { pollInterval: '1m' });
      await until('the version to be gone', async () => {
        const { code, text } = await apply(cluster(), 'doohickeys', wanted, 'helm', {
          dryRun: true,
        });
        return code !== 200 && gone.test(text) ? true : undefined;
      });
      const verified = await migrate('verify', 'doohickeys');
      expect(verified.stdout).to.match(
        /problem .*managedFields of 1 object name a version that leaves \(.*\bhelm as v1beta1\b.*\): default\/w0$/m,
      );
      expect(verified.stdout).to.match(/problem .*apply of default\/w0 as helm: .*invalid group/);
      expect(verified.code).to.equal(1);

      const repaired = await migrate('run', 'doohickeys');
      expect(repaired.code, repaired.stdout + repaired.stderr).to.equal(0);
      expect(repaired.stdout).to.match(/^ {2}moved {6}3 entries of managedFields$/m);
      const answer = await apply(cluster(), 'doohickeys', wanted, 'helm');
      expect(answer.code, answer.text).to.equal(200);
    });

    it('are moved, so that applies pass afterwards and each manager owns what it did', async () => {
      const before = await migrate('plan', 'gizmos', '-o', 'json');
      expect(before.code, before.stderr).to.equal(1);
      const plan = JSON.parse(before.stdout) as Record<string, unknown>;
      expect(plan).to.deep.include({
        storageVersion: 'v1',
        storedVersions: ['v1beta1', 'v1'],
        leavingVersions: ['v1beta1'],
        objects: 1,
        toWrite: 1,
        namingLeaving: 1,
        isDone: false,
      });
      const today = new Date().toISOString().slice(0, 10);
      const of = (manager: string, version: string, isApply: boolean, last = today) => ({
        ...{ manager, version, isApply, objects: 1, last },
        leaves: version === 'v1beta1',
      });
      expect(plan['managers']).to.have.deep.members([
        of('helm', 'v1beta1', true),
        // An apply that changes nothing has no time.
        of('argocd', 'v1beta1', true, ''),
        of('controller', 'v1beta1', false),
        of('controller', 'v1', false),
      ]);

      const first = await object('gizmos', 'w0');
      const ran = await migrate('run', 'gizmos', '-o', 'json');
      expect(ran.code, ran.stdout + ran.stderr).to.equal(0);
      expect(JSON.parse(ran.stdout)).to.deep.include({
        written: 1,
        movedEntries: 3,
        failures: 0,
        storedVersions: ['v1'],
        verification: { objects: 1, namingLeaving: 0, applied: 3, problems: [], untried: [] },
      });
      expect(await storedVersions(cluster(), 'gizmos')).to.deep.equal(['v1']);

      const { metadata, ...rest } = await object('gizmos', 'w0');
      expect(rest['spec']).to.deep.equal(first['spec']);
      expect(metadata?.generation).to.equal(first.metadata?.generation);
      const entries = metadata?.['managedFields'] as Record<string, unknown>[];
      expect(
        entries.map(({ manager, apiVersion, operation }) => [manager, apiVersion, operation]),
      ).to.have.deep.members([
        ['helm', 'example.com/v1', 'Apply'],
        ['argocd', 'example.com/v1', 'Apply'],
        ['controller', 'example.com/v1', 'Update'],
      ]);
      expect(entries.find(({ manager }) => manager === 'controller')?.['fieldsV1']).to.deep.equal({
        'f:metadata': { 'f:labels': { '.': {}, 'f:old': {}, 'f:new': {} } },
      });

      const dropped = await put(cluster(), onlyV1('gizmos'));
      expect(dropped.code, dropped.text).to.equal(200);
      await until('the version to be gone', async () => {
        const { code } = await cluster().request('GET', '/apis/example.com/v1beta1/gizmos');
        return code === 404 ? true : undefined;
      });
      // helm no longer wants two fields: one is nobody's then, the other is argocd's still.
      const less = widget('gizmos', 'w0', 'v1', { replicas: undefined });
      const applied = await apply(cluster(), 'gizmos', less, 'helm');
      expect(applied.code, applied.text).to.equal(200);
      expect((await object('gizmos', 'w0'))['spec']).to.deep.equal({
        mode: 'Fast',
        pollInterval: '1m',
      });
      const none = { ...less, spec: {} };
      expect((await apply(cluster(), 'gizmos', none, 'argocd')).code).to.equal(200);
      expect((await object('gizmos', 'w0'))['spec']).to.deep.equal({ mode: 'Fast' });

      const after = await migrate('plan', 'gizmos');
      expect(after.stdout).to.match(/^ {2}next {7}nothing is left to do$/m);
      expect(after.code).to.equal(0);
      expect((await migrate('verify', 'gizmos')).code).to.equal(0);
    });

    it('are read again where another writer takes a field over before the apply is tried', async () => {
      const connection = await Connection.fromKubeconfig(cluster().kubeconfigPath);
      try {
        const requests = new Overtaken(connection, { qps: 100 }, async () => {
          const taken = { spec: { mode: 'Slow' } };
          const path = `${objectsPath('gizmos', 'v1')}/w0?fieldManager=rival`;
          const contentType = 'application/merge-patch+json';
          const { code, text } = await cluster().request('PATCH', path, taken, { contentType });
          expect(code, text).to.equal(200);
        });
        const kind = await readKind(requests, 'gizmos.example.com');
        const { verification } = await verifyMigration(requests, kind);
        expect(requests.isOvertaken).to.equal(true);
        expect(verification).to.deep.include({ problems: [], untried: [] });
      } finally {
        connection.close();
      }
    });
  });

  describe('thousands of objects', () => {
    for (const place of ['a file', 'a ConfigMap'] as const) {
      const plural = place === 'a file' ? 'sprockets' : 'cogwheels';
      it(`are written once each, with writers beside it and a kill in the middle, by ${place}`, async () => {
        const file = join(cluster().folder, `${plural}.checkpoint`);
        const checkpoint = place === 'a file' ? file : `configmap:default/${plural}`;
        const progress = async (): Promise<Record<string, number>> => {
          const path = `/api/v1/namespaces/default/configmaps/${plural}`;
          const text =
            place === 'a file'
              ? existsSync(file) && readFileSync(file, 'utf8')
              : (
                  (await cluster().request('GET', path)).body['data'] as { [key: string]: string }
                )?.['checkpoint.json'];
          const { checkpoint } = JSON.parse(text || '{}') as {
            checkpoint?: Record<string, number>;
          };
          return checkpoint ?? {};
        };
        const args = argsOf('run', plural, '--checkpoint', checkpoint, '--qps=400');
        const expected = new Map<string, number>();
        const writers = startWriters(plural, count, expected);

        const killed = start([...args, '--page-size=200']);
        await until('some pages to be written', async () =>
          ((await progress())['looked'] ?? 0) > 400 ? true : undefined,
        );
        killed.process.kill('SIGKILL');
        await killed.ended;
        writers.leaveBeta();
        const { looked = 0 } = await progress();
        expect(looked).to.be.within(400, count - 1);
        expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1beta1', 'v1']);

        const { code, stdout, stderr } = await run([...args, '-o', 'json']);
        await writers.stop();
        expect(code, stdout + stderr).to.equal(0);
        expect(stderr).to.include(`goes on after ${looked.toLocaleString('en-US')} objects`);
        const result = JSON.parse(stdout) as Record<string, number>;
        expect(result['objects']).to.be.at.least(count);
        expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1']);

        const stored = await inEtcd(cluster(), plural);
        expect(stored.size).to.equal(count + writers.created());
        for (const [name, { apiVersion, spec }] of stored) {
          expect(apiVersion, name).to.equal('example.com/v1');
          const pollInterval = expected.get(name);
          expect(spec, name).to.deep.equal({
            mode: 'Fast',
            replicas: 1,
            ...(pollInterval === undefined ? {} : { pollInterval: `${pollInterval}s` }),
          });
        }
        expect([...expected.values()].reduce((sum, each) => sum + each, 0)).to.be.above(100);
      });
    }

    /** Four who count up objects of their own, in both versions, and create some. */
    function startWriters(plural: string, all: number, expected: Map<string, number>) {
      let [isOver, isLate, made] = [false, false, 0];
      const writer = async (index: number): Promise<void> => {
        for (let round = 0; !isOver; round++) {
          // Until the first run is killed: a version that clients go on with cannot leave.
          const version = index % 2 === 0 || isLate ? 'v1' : 'v1beta1';
          const name = `w${(round * 37 * 4 + index) % all}`;
          const path = `${objectsPath(plural, version)}/${name}`;
          const { body } = await cluster().request('GET', path);
          const next = (expected.get(name) ?? 0) + 1;
          const spec = { ...(body['spec'] as object), pollInterval: `${next}s` };
          const answer = await cluster().request('PUT', path, { ...body, spec });
          if (answer.code === 200) expected.set(name, next);
          else expect(answer.code, answer.text).to.equal(409);
          if (round % 50 === 0 && made < 20) {
            await createObjects(cluster(), plural, 1, { in: version, from: all + made++ });
          }
        }
      };
      const writers = Promise.all([0, 1, 2, 3].map(writer));
      return {
        stop: async (): Promise<void> => {
          isOver = true;
          await writers;
        },
        leaveBeta: () => (isLate = true),
        created: () => made,
      };
    }
  });

  describe('an object that cannot be written', () => {
    const policies = '/apis/admissionregistration.k8s.io/v1';
    const plural = 'levers';
    before(async () => {
      await cluster().request('POST', `${policies}/validatingadmissionpolicies`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'stuck' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['example.com'],
                apiVersions: ['*'],
                operations: ['UPDATE'],
                resources: [plural],
              },
            ],
          },
          validations: [
            { expression: "object.metadata.name != 'w3'", message: 'w3 stays as it\u001b[31m is' },
          ],
        },
      });
      await cluster().request('POST', `${policies}/validatingadmissionpolicybindings`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'stuck' },
        spec: { policyName: 'stuck', validationActions: ['Deny'] },
      });
      await until('the policy to be heard', async () => {
        const path = `${objectsPath(plural, 'v1')}/w3?dryRun=All`;
        const contentType = 'application/merge-patch+json';
        const touched = { metadata: { labels: { a: 'b' } } };
        const { code } = await cluster().request('PATCH', path, touched, { contentType });
        return code === 422 ? true : undefined;
      });
    });

    it('is named by a dry run, which writes nothing', async () => {
      const before = await inEtcd(cluster(), plural);
      const { code, stdout } = await migrate('run', plural, '--dry-run');
      expect(stdout).to.match(/5, of which 4 would be written as v1$/m);
      expect(stdout).to.match(/^ {2}refused {4}default\/w3: .*w3 stays as it\\x1b\[31m is$/m);
      expect(code).to.equal(1);
      expect(await inEtcd(cluster(), plural)).to.deep.equal(before);
    });

    it('is named with the reason, and the version stays until it can be written', async () => {
      const { code, stdout } = await migrate('run', plural);
      expect(stdout).to.match(/^ {2}refused {4}default\/w3: .*w3 stays as it\\x1b\[31m is$/m);
      expect(stdout).to.match(/stored {5}status\.storedVersions: v1beta1, v1, as objects may/);
      expect(code).to.equal(1);
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1beta1', 'v1']);
      const versions = [...(await inEtcd(cluster(), plural))].map(([name, { apiVersion }]) => [
        name,
        apiVersion.split('/')[1],
      ]);
      expect(Object.fromEntries(versions)).to.deep.equal({
        ...{ w0: 'v1', w1: 'v1', w2: 'v1', w3: 'v1beta1', w4: 'v1' },
      });

      await cluster().request('DELETE', `${policies}/validatingadmissionpolicybindings/stuck`);
      await until('the object to be writable', async () => {
        const again = await migrate('run', plural);
        return again.code === 0 ? true : undefined;
      });
      expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1']);
    });
  });

  describe('an admission webhook', () => {
    for (const [code, plural] of [
      [404, 'pawls'],
      [409, 'cams'],
    ] as const) {
      it(`that denies with ${code} is no sign that an object is gone, or written by others`, async () => {
        const stop = await startWebhook(cluster(), plural, ({ name }) =>
          Promise.resolve(name === 'w1' ? { code, message: 'w1 is locked' } : undefined),
        );
        try {
          const { code: exitCode, stdout } = await migrate('run', plural);
          expect(stdout).to.match(/^ {2}refused {4}default\/w1: .*w1 is locked$/m);
          expect(stdout).to.match(/status\.storedVersions: v1beta1, v1, as objects may/);
          expect(exitCode).to.equal(1);
          expect(await storedVersions(cluster(), plural)).to.deep.equal(['v1beta1', 'v1']);
          expect((await inEtcd(cluster(), plural)).get('w1')?.apiVersion).to.include('v1beta1');
        } finally {
          await stop();
        }
        await until('the webhook to be forgotten', async () =>
          (await migrate('run', plural)).code === 0 ? true : undefined,
        );
        expect((await inEtcd(cluster(), plural)).get('w1')?.apiVersion).to.equal('example.com/v1');
      });
    }

    it('that denies the trial of an apply with 404 leaves it untried', async () => {
      const stop = await startWebhook(cluster(), 'bobbins', ({ dryRun, options }) =>
        Promise.resolve(
          dryRun === true && options?.fieldManager === 'helm'
            ? { code: 404, message: 'no such quota' }
            : undefined,
        ),
      );
      try {
        const { stdout } = await migrate('run', 'bobbins');
        expect(stdout).to.match(
          /^ {2}untried .*apply of default\/applied as helm: .*no such quota$/m,
        );
      } finally {
        await stop();
      }
    });

    it('that refuses in one round of the verification and not in the next leaves no failure', async () => {
      const plural = 'treadles';
      let [isWritten, refusals] = [false, 0];
      const asBeta = async (name: string): Promise<void> => {
        const label = { metadata: { labels: { late: 'yes' } } };
        const path = `${objectsPath(plural, 'v1beta1')}/${name}?fieldManager=late`;
        const contentType = 'application/merge-patch+json';
        const answer = await cluster().request('PATCH', path, label, { contentType });
        expect(answer.code, answer.text).to.equal(200);
      };
      const stop = await startWebhook(cluster(), plural, async ({ name, dryRun, options }) => {
        if (dryRun === true || options?.fieldManager === 'late') return undefined;
        if (name === 'w2' && !isWritten) {
          isWritten = true;
          await asBeta('w0');
          await asBeta('w1');
        } else if (name === 'w0' && isWritten && refusals++ === 0) {
          return { code: 422, message: 'not now' };
        }
        return undefined;
      });
      try {
        const ran = await migrate('run', plural, '--page-size=1', '-o', 'json');
        expect(refusals, ran.stdout + ran.stderr).to.equal(2);
        expect(JSON.parse(ran.stdout)).to.deep.include({ failed: [], failures: 0 });
        expect(ran.code).to.equal(0);
      } finally {
        await stop();
      }
    });
  });

  describe('a checkpoint', () => {
    const checkpoint = {
      ...{ resourceVersion: '1', next: '', isListed: false, looked: 0, written: 0 },
      ...{ moved: 0, failed: [], failures: 0 },
    };
    it('that was stored without an answer is known by its text; one of others ends the run', async () => {
      await createBeta(cluster(), 'spindles', () => Promise.resolve());
      await untilServed(cluster(), 'spindles', 'v1');
      const connection = await Connection.fromKubeconfig(cluster().kubeconfigPath);
      try {
        const requests = new Requests(connection, { qps: 100 });
        const kind = await readKind(requests, 'spindles.example.com');
        // The second stands for the request that is sent again: what the first wrote is not its own.
        const [one, other] = [1, 2].map(() =>
          checkpointStore('configmap:default/spindles', kind, requests),
        ) as [CheckpointStore, CheckpointStore];
        for (const store of [one, other]) expect(await store.read()).to.equal(undefined);
        for (const looked of [1, 2]) {
          await one.write({ ...checkpoint, looked });
          await other.write({ ...checkpoint, looked });
        }
        expect(await one.read()).to.deep.equal({ ...checkpoint, looked: 2 });
        await one.write({ ...checkpoint, looked: 3 });
        const refused: unknown = await other
          .write({ ...checkpoint, looked: 4 })
          .catch((error: unknown) => error);
        expect(String(refused)).to.include('is written by somebody else too');
      } finally {
        connection.close();
      }
    });
  });

  describe('objects much larger than those before them', () => {
    it('are read in pages that stay below 32 MiB', async () => {
      const plural = 'anvils';
      const [small, large, megabyte] = [10, 40, 1024 * 1024];
      await createBeta(cluster(), plural, async () => {
        await createObjects(cluster(), plural, small);
        for (let at = 0; at < large; at++) {
          const object = widget(plural, `x${at}`, 'v1beta1', {
            pollInterval: 'x'.repeat(megabyte),
          });
          const answer = await cluster().request('POST', objectsPath(plural, 'v1beta1'), object);
          expect(answer.code, answer.text).to.equal(201);
        }
      });
      await untilServed(cluster(), plural, 'v1');
      const connection = await Connection.fromKubeconfig(cluster().kubeconfigPath);
      try {
        const requests = new Requests(connection, { qps: 100 });
        const kind = await readKind(requests, `${plural}.example.com`);
        const pages: number[] = [];
        for await (const page of objectPages(requests, kind, { pageSize: 500 })) {
          expect(JSON.stringify(page.objects).length).to.be.below(32 * megabyte);
          pages.push(page.objects.length);
        }
        // The second would be four times the first, and 40 MB.
        expect(pages.slice(0, 2)).to.deep.equal([small, (4 * small) / 2]);
        expect(pages.reduce((sum, each) => sum + each, 0)).to.equal(small + large);
      } finally {
        connection.close();
      }
    });
  });

  describe('the gate', () => {
    const plural = 'flanges';
    let gate: TestGate;
    /** v1beta1 is there, but not for clients. */
    const leaving = (): Definition => {
      const definition = bothVersions(plural, 'v1');
      for (const version of definition.spec.versions) version.served = version.name === 'v1';
      return definition;
    };
    before(async () => {
      // Where the run leaves its record.
      await createNamespace(cluster(), 'olm-guard');
      gate = await startGate(cluster().folder, [
        `--kubeconfig=${cluster().kubeconfigPath}`,
        '--context=admin',
      ]);
      await registerGate(cluster(), gate, {
        name: 'customresourcedefinitions.olm-guard.io',
        rules: [
          {
            apiGroups: ['apiextensions.k8s.io'],
            apiVersions: ['v1'],
            operations: ['UPDATE'],
            resources: ['customresourcedefinitions', 'customresourcedefinitions/status'],
          },
        ],
        isAsked: async () => {
          const answer = await put(cluster(), leaving(), '?dryRun=All');
          return answer.warnings.length > 0;
        },
      });
    });
    after(async () => {
      await cluster().request(
        'DELETE',
        '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/olm-guard',
      );
      await gate?.stop();
    });

    it('names the command and the counts, and lets the same change pass once it has run', async () => {
      const warned = await until('the objects to be looked at', async () => {
        const answer = await put(cluster(), leaving(), '?dryRun=All');
        return answer.warnings.some((each) => each.includes('still used')) ? answer : undefined;
      });
      expect(warned.warnings.join('\n')).to.match(
        /still used: .*helm applied 1 Flange as v1beta1.*olm-guard migrate run flanges\.example\.com --leaving v1beta1/,
      );
      // The API server itself refuses it before it asks anybody.
      expect((await put(cluster(), onlyV1(plural), '?dryRun=All')).code).to.equal(422);

      const file = join(cluster().folder, 'flanges.json');
      writeFileSync(file, JSON.stringify(onlyV1(plural)));
      const check = (): Promise<Ended> =>
        run([
          ...['check', 'crd', `cluster:${plural}.example.com`, file, '--objects', 'cluster'],
          `--kubeconfig=${cluster().kubeconfigPath}`,
        ]);
      const checked = await check();
      expect(checked.stdout).to.include(
        'status.storedVersions no longer names it: olm-guard migrate run flanges.example.com does both',
      );
      expect(checked.stdout).to.match(/migrate run flanges\.example\.com --leaving v1beta1/);
      expect(checked.stdout).to.include('up to 5 Flanges may be stored that way');
      expect(checked.code).to.equal(1);

      const ran = await migrate('run', plural);
      expect(ran.code, ran.stdout + ran.stderr).to.equal(0);
      const rechecked = await check();
      expect(rechecked.code, rechecked.stdout).to.equal(0);
      expect(rechecked.stdout).not.to.include('still used');
      const passed = await until('the gate to look again', async () => {
        const answer = await put(cluster(), onlyV1(plural), '?dryRun=All');
        return answer.code === 200 ? answer : undefined;
      });
      expect(passed.warnings.join('\n')).not.to.match(/storedVersions|still used/);
      expect((await put(cluster(), onlyV1(plural))).code).to.equal(200);
    });
  });

  describe('a storage version that has less', () => {
    /** The same, and a field that only v1beta1 has. */
    const withLegacy = (storage: 'v1beta1' | 'v1'): Definition => {
      const definition = bothVersions('ratchets', storage);
      const beta = definition.spec.versions.find(({ name }) => name === 'v1beta1');
      const fields = beta?.schema.openAPIV3Schema.properties?.['spec']?.properties;
      Object.assign(fields ?? {}, { legacy: { type: 'string' } });
      return definition;
    };
    const legacy = async (): Promise<unknown> => {
      const { body } = await cluster().request('GET', `${objectsPath('ratchets', 'v1beta1')}/w0`);
      return (body['spec'] as { legacy?: unknown }).legacy;
    };

    it('is not written in before somebody says that its fields may go', async () => {
      const made = await cluster().request('POST', definitions, withLegacy('v1beta1'));
      expect(made.code, made.text).to.equal(201);
      await untilServed(cluster(), 'ratchets', 'v1beta1');
      const object = widget('ratchets', 'w0', 'v1beta1', { legacy: 'kept' });
      await cluster().request('POST', objectsPath('ratchets', 'v1beta1'), object);
      expect(await legacy()).to.equal('kept');
      await put(cluster(), withLegacy('v1'));
      await untilServed(cluster(), 'ratchets', 'v1');

      const plan = await migrate('plan', 'ratchets');
      expect(plan.stdout).to.include('^.spec.legacy of v1beta1: the storage version has no such');
      const refused = await migrate('run', 'ratchets');
      expect(refused.stderr).to.match(
        /storage version v1 has no \^\.spec\.legacy of v1beta1: objects lose/,
      );
      expect(refused.code).to.equal(1);
      expect(await legacy()).to.equal('kept');
      expect(await storedVersions(cluster(), 'ratchets')).to.have.members(['v1beta1', 'v1']);

      const told = await migrate('run', 'ratchets', '--drop-fields');
      expect(told.code, told.stderr).to.equal(0);
      expect(await legacy()).to.equal(undefined);
      expect(await storedVersions(cluster(), 'ratchets')).to.deep.equal(['v1']);
    });
  });

  describe('what cannot be migrated', () => {
    it('is said in one sentence each, with exit code 2', async () => {
      const refused = async (sentence: RegExp, ...args: Parameters<typeof migrate>) => {
        const { code, stdout, stderr } = await migrate(...args);
        expect(stderr).to.match(sentence);
        expect(stdout).to.equal('');
        expect(code).to.equal(2);
      };
      await createBeta(cluster(), 'pulleys', () => Promise.resolve());
      await untilServed(cluster(), 'pulleys', 'v1');
      await refused(/has no CustomResourceDefinition absents\.example\.com/, 'plan', 'absents');
      const meant = /\(did you mean "pulleys\.example\.com"\?\); it is named PLURAL\.GROUP/;
      await refused(meant, 'plan', 'puleys');
      const byKind = ['migrate', 'plan', 'Pulley', `--kubeconfig=${cluster().kubeconfigPath}`];
      expect((await run(byKind)).stderr).to.match(meant);
      await refused(
        /v1 is the storage version of pulleys\.example\.com/,
        'run',
        'pulleys',
        '--leaving=v1',
      );
      for (const verb of ['plan', 'run', 'verify']) {
        await refused(
          /pulleys\.example\.com has no version v1bata1 \(did you mean "v1beta1"\?\)/,
          ...([verb, 'pulleys', '--leaving=v1bata1'] as const),
        );
      }
      await refused(/give a number above 0/, 'run', 'pulleys', '--qps=0');
      await refused(/configmap:NAMESPACE\/NAME/, 'run', 'pulleys', '--checkpoint=configmap:x');
      const foreign = join(cluster().folder, 'foreign.json');
      writeFileSync(foreign, '{"token":"secret"}');
      await refused(
        /foreign\.json is not a checkpoint/,
        'run',
        'pulleys',
        `--checkpoint=${foreign}`,
      );
      expect(readFileSync(foreign, 'utf8')).to.equal('{"token":"secret"}');
      const map = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'mine' },
        data: { a: 'b' },
      };
      await cluster().request('POST', '/api/v1/namespaces/default/configmaps', map);
      await refused(
        /default\/mine holds something else/,
        'run',
        'pulleys',
        '--checkpoint=configmap:default/mine',
      );
    });
  });
});
