/** Deletions of definitions under the enforcing overlay, in every way that takes the objects with it. */
import { join } from 'node:path';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import type { Answer } from '../apiserver/request.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { send } from '../server/gate.js';
import { reviewText } from '../server/reviews.js';
import {
  create,
  enforce,
  kubeconfigOf,
  kubectl,
  replace,
  root,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import { installOlm } from './olm-definitions.js';
import { definitionPath, definitions, widgets, type Definition } from './widgets.js';

const operatorController =
  'system:serviceaccount:olmv1-system:operator-controller-controller-manager';
const garbageCollector = 'system:serviceaccount:kube-system:generic-garbage-collector';
const merge = { contentType: 'application/merge-patch+json' };

describe('the deletion of a definition', function () {
  this.timeout(240_000);
  const cluster = useCluster({
    users: [
      { name: serviceAccount },
      { name: operatorController, groups: ['system:masters'] },
      { name: garbageCollector, groups: ['system:masters'] },
    ],
  });
  let gate: TestGate;

  before(async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      `--policy=${join(root, 'manifests', 'components', 'enforcing', 'policy.yaml')}`,
    ]);
    await enforce(cluster(), gate);
    await untilAnswered(cluster(), 403);
  });
  after(() => gate?.stop());

  /** A definition that is served, with so many objects. */
  async function stored(
    plural: string,
    objects: number,
    edit: (definition: Definition) => void = () => undefined,
  ): Promise<void> {
    const definition = widgets(plural);
    edit(definition);
    const { code, text } = await create(cluster(), definition);
    expect(code, text).to.equal(201);
    const { group, names } = definition.spec;
    const path = `/apis/${group}/v1/namespaces/default/${plural}`;
    await until(`${plural} to be served`, async () =>
      (await cluster().request('GET', path)).code === 200 ? true : undefined,
    );
    for (let index = 0; index < objects; index++) {
      const answer = await cluster().request('POST', path, {
        apiVersion: `${group}/v1`,
        kind: names.kind,
        metadata: { name: `o${index}` },
        spec: { mode: 'Fast' },
      });
      expect(answer.code, answer.text).to.equal(201);
    }
  }

  async function readable(plural: string): Promise<void> {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `read-${plural}` },
      rules: [{ apiGroups: ['example.com'], resources: [plural], verbs: ['get', 'list'] }],
    };
    const base = '/apis/rbac.authorization.k8s.io/v1';
    expect((await cluster().request('POST', `${base}/clusterroles`, role)).code).to.equal(201);
    const binding = {
      ...role,
      kind: 'ClusterRoleBinding',
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: `read-${plural}`,
      },
      subjects: [{ kind: 'User', name: serviceAccount }],
    };
    expect((await cluster().request('POST', `${base}/clusterrolebindings`, binding)).code).to.equal(
      201,
    );
  }

  const remove = (plural: string, query = ''): Promise<Answer> =>
    cluster().request('DELETE', `${definitionPath(plural)}${query}`);

  /** The API server reads roles from a cache of its own. */
  async function untilCounted(plural: string): Promise<Answer> {
    return until('the gate to count', async () => {
      const answer = await remove(plural, '?dryRun=All');
      return answer.text.includes('their number is unknown') ? undefined : answer;
    });
  }

  it('is denied when it has objects, with their count', async () => {
    await stored('counteds', 3);
    await readable('counteds');
    const { code, body } = await untilCounted('counteds');
    expect(code).to.equal(403);
    expect(body.message).to.include(
      'deleting counteds.example.com deletes 3 stored Counteds with it',
    );
  });

  it('is denied when nobody could count them, and says which right is missing', async () => {
    await stored('unseens', 1);
    const { code, body } = await remove('unseens');
    expect(code).to.equal(403);
    expect(body.message).to.include(
      'their number is unknown: no right to list unseens.example.com',
    );
  });

  it('passes without objects', async () => {
    await stored('empties', 0);
    await readable('empties');
    expect((await untilCounted('empties')).warnings).to.deep.equal([]);
    expect((await remove('empties')).code).to.equal(200);
  });

  it('passes when it is switched off on the definition', async () => {
    await stored('freeds', 1);
    const name = 'freeds.example.com';
    await kubectl(cluster(), 'annotate', 'crd', name, 'olm-guard.io/disable=stored-objects');
    const { code, warnings } = await remove('freeds');
    expect(code).to.equal(200);
    expect(warnings.join()).to.include('stored-objects is switched off by annotation');
  });

  it('is judged by what was stored a moment ago when the API server wrote its status meanwhile', async () => {
    await stored('meanwhiles', 2);
    await readable('meanwhiles');
    await untilCounted('meanwhiles');
    const path = definitionPath('meanwhiles');
    const { body: before } = await cluster().request('GET', path);
    const group = 'apiextensions.k8s.io';
    const ask = async (oldObject: object): Promise<string> => {
      const { text } = await send(
        gate.url,
        gate.ca,
        reviewText({
          operation: 'DELETE',
          name: 'meanwhiles.example.com',
          object: null,
          oldObject: oldObject as JsonObject,
          kind: { group, version: 'v1', kind: 'CustomResourceDefinition' },
          userInfo: { username: 'admin', groups: ['system:masters'] },
        }),
        {},
      );
      return text;
    };
    const known = (before as { status?: { conditions?: object[] } }).status?.conditions ?? [];
    const played = { type: 'Played', status: 'True', reason: 'Test', message: '' };
    const conditions = [...known, played];
    const wrote = await cluster().request(
      'PATCH',
      `${path}/status`,
      { status: { conditions } },
      merge,
    );
    expect(wrote.code, wrote.text).to.equal(200);
    expect(wrote.body.metadata?.resourceVersion).to.not.equal(before.metadata?.resourceVersion);
    const told = await ask(before);
    expect(told, told).to.include('deletes 2 stored Meanwhiles with it');
    // Neither what was never stored so, nor what has another spec by now.
    const stranger = { ...before, metadata: { ...before.metadata, resourceVersion: '7' } };
    expect(await ask(stranger)).to.include('is not the one in the cluster');
    const spec = { names: { categories: ['played'] } };
    expect((await cluster().request('PATCH', path, { spec }, merge)).code).to.equal(200);
    expect(await ask(before)).to.include('is not the one in the cluster');
  });

  describe('of a definition that serves nothing', () => {
    const unserved = (plural: string): Definition => {
      const definition = widgets(plural);
      for (const version of definition.spec.versions) version.served = false;
      return definition;
    };

    it('is made difficult by the change that would hide its objects', async () => {
      await stored('hiddens', 2);
      await readable('hiddens');
      await untilCounted('hiddens');
      const { code, body } = await replace(cluster(), unserved('hiddens'));
      expect(code).to.equal(403);
      expect(body.message).to.include('nobody can read, write or count 2 stored Hiddens');
    });

    it('is denied, for nobody can count them any more', async () => {
      await stored('darkens', 0);
      await readable('darkens');
      await untilCounted('darkens');
      expect((await replace(cluster(), unserved('darkens'))).code).to.equal(200);
      const { code, body } = await remove('darkens');
      expect(code).to.equal(403);
      expect(body.message).to.include('their number is unknown: no version of it is served');
    });
  });

  describe('with others, as a collection', () => {
    before(async () => {
      const labelled = (definition: Definition): void => {
        definition.metadata.labels = { batch: 'one' };
      };
      await stored('firsts', 1, labelled);
      await stored('seconds', 0, labelled);
      for (const plural of ['firsts', 'seconds']) {
        await readable(plural);
        await untilCounted(plural);
      }
    });

    it('is denied for the objects of one of them, by name, and not by an error of evaluation', async () => {
      const query = '?labelSelector=batch%3Done&dryRun=All';
      const { code, body } = await cluster().request('DELETE', `${definitions}${query}`);
      expect(code).to.equal(403);
      expect(body.message).to.include('deleting firsts.example.com deletes 1 stored First with it');
      expect(body.message).not.to.include('evaluation');
    });

    it('says the same to kubectl delete -l', async () => {
      const { code, stderr } = await cluster().kubectl(['delete', 'crd', '-l', 'batch=one']);
      expect(code).not.to.equal(0);
      expect(stderr).to.include('deletes 1 stored First with it').and.not.include('evaluation');
      expect((await cluster().request('GET', definitionPath('firsts'))).code).to.equal(200);
      await until('the one without objects to be gone', async () =>
        (await cluster().request('GET', definitionPath('seconds'))).code === 404 ? true : undefined,
      );
    });

    it('passes when none of them has any, or all are what a cluster starts with', async () => {
      const started = widgets('starters');
      started.metadata.name = 'starters.cilium.io';
      started.metadata.labels = { batch: 'two' };
      started.spec.group = 'cilium.io';
      expect((await create(cluster(), started)).code).to.equal(201);
      await stored('thirds', 0, (definition) => {
        definition.metadata.labels = { batch: 'two' };
      });
      await readable('thirds');
      await untilCounted('thirds');
      const query = '?labelSelector=batch%3Dtwo';
      const { code, text } = await cluster().request('DELETE', `${definitions}${query}`);
      expect(code, text).to.equal(200);
    });
  });

  describe('by the garbage collector', () => {
    const owner = (kind: string, name: string, uid: string) => ({
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind, name, uid }] },
    });
    const own = (body: object, suffix = ''): Promise<Answer> =>
      cluster().request('PATCH', `${definitionPath('collecteds')}${suffix}`, body, merge);
    const adopt = (body: object, suffix = ''): Promise<Answer> =>
      cluster().request('PATCH', `${definitionPath('collecteds')}${suffix}`, body, {
        ...merge,
        user: operatorController,
      });
    let uid = '';
    let extensionUid = '';
    const extension = () => {
      const apiVersion = 'olm.operatorframework.io/v1';
      const reference = { apiVersion, kind: 'ClusterExtension', name: 'fleet', uid: extensionUid };
      return { metadata: { ownerReferences: [reference] } };
    };

    before(async () => {
      await installOlm(cluster());
      const path = '/apis/olm.operatorframework.io/v1/clusterextensions';
      const fleet = { apiVersion: 'olm.operatorframework.io/v1', kind: 'ClusterExtension' };
      const made = await until('a ClusterExtension to be taken', async () => {
        const answer = await cluster().request('POST', path, {
          ...fleet,
          metadata: { name: 'fleet' },
        });
        return answer.code === 201 ? answer : undefined;
      });
      extensionUid = made.body.metadata?.uid ?? '';
      await stored('collecteds', 2);
      await readable('collecteds');
      await untilCounted('collecteds');
      const { body } = await cluster().request('GET', '/api/v1/namespaces/kube-system');
      uid = body.metadata?.uid ?? '';
    });

    // An API server takes metadata from a write of the status too.
    for (const suffix of ['', '/status']) {
      it(`is denied when an owner is set that does not exist (${suffix})`, async () => {
        for (const body of [
          owner('Namespace', 'nowhere', uid),
          owner('Namespace', 'kube-system', 'x'),
        ]) {
          const answer = await own(body, suffix);
          expect(answer.code, answer.text).to.equal(403);
          expect(answer.body.message).to.include(
            'the garbage collector deletes collecteds.example.com and 2 stored Collecteds with it: no Namespace',
          );
        }
      });
    }

    it('is denied when an owner is set on a definition that serves no version', async () => {
      const hidden = widgets('muteds');
      for (const version of hidden.spec.versions) version.served = false;
      const created = await create(cluster(), hidden);
      expect(created.code, created.text).to.equal(201);
      const body = owner('Namespace', 'nowhere', uid);
      const answer = await cluster().request('PATCH', definitionPath('muteds'), body, merge);
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.body.message, answer.text).to.include(
        'the garbage collector deletes muteds.example.com and',
      );
    });

    it('is denied when nobody could see whether the owner exists', async () => {
      const { code, body } = await own(owner('Node', 'nowhere', uid));
      expect(code).to.equal(403);
      expect(body.message).to.match(
        /could not be seen \(Node "nowhere": .*cannot get resource "nodes"/,
      );
    });

    it('is denied when an owner gives way to one of a kind that is not served', async () => {
      const there = extension();
      expect((await adopt(there)).code).to.equal(200);
      const [reference] = there.metadata.ownerReferences;
      const ghost = { ...reference, apiVersion: 'gone.example.com/v1', kind: 'Ghost' };
      const { code, body } = await own({ metadata: { ownerReferences: [ghost] } });
      expect(code).to.equal(403);
      expect(body.message, body.message).to.include(
        'could not be seen (Ghost "fleet": its kind is not served); if they do not, the garbage collector deletes it and 2 stored Collecteds with it',
      );
      expect((await own({ metadata: { ownerReferences: null } })).code).to.equal(200);
    });

    for (const suffix of ['', '/status']) {
      it(`is denied when a bait is set as owner, an extension too, and told when OLM sets one (${suffix})`, async () => {
        const bait = await own(owner('Namespace', 'kube-system', uid), suffix);
        expect(bait.code, bait.text).to.equal(403);
        expect(bait.body.message).to.include(
          'from now on the deletion of Namespace "kube-system" deletes collecteds.example.com and 2 stored Collecteds with it',
        );
        // Somebody may have made the extension himself, to delete it next.
        const mine = await own(extension(), suffix);
        expect(mine.code, mine.text).to.equal(403);
        expect(mine.body.message).to.include('name it in trusted.olmServiceAccounts');
        const { code, warnings, body } = await adopt(extension(), suffix);
        expect(code).to.equal(200);
        expect(body.metadata).to.have.property('ownerReferences').with.length(1);
        expect(warnings.join()).to.include(
          'from now on the deletion of ClusterExtension "fleet" deletes collecteds.example.com and 2 stored Collecteds with it',
        );
        expect((await own({ metadata: { ownerReferences: null } }, suffix)).code).to.equal(200);
      });
    }

    it('is not asked about, in the foreground neither, and named by scan until then', async () => {
      await stored('fronts', 0);
      await readable('fronts');
      await untilCounted('fronts');
      const path = definitionPath('fronts');
      const { body } = await cluster().request('GET', path);
      // Of an object of somebody's own, which a finalizer keeps: it blocks the deletion of its owner.
      const dependent = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'blocker',
          finalizers: ['example.com/hold'],
          ownerReferences: [
            {
              ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
              ...{ name: 'fronts.example.com', uid: body.metadata?.uid, blockOwnerDeletion: true },
            },
          ],
        },
      };
      const configMaps = '/api/v1/namespaces/default/configmaps';
      expect((await cluster().request('POST', configMaps, dependent)).code).to.equal(201);
      const waiting = { metadata: { finalizers: ['foregroundDeletion'] } };
      expect((await cluster().request('PATCH', path, waiting, merge)).code).to.equal(200);
      const deleted = await cluster().request('DELETE', path);
      expect(deleted.code, deleted.text).to.equal(200);
      expect(deleted.warnings.join()).to.include(
        'fronts.example.com stays and is served until its finalizer foregroundDeletion is removed',
      );
      const objects = '/apis/example.com/v1/namespaces/default/fronts';
      await until('an object to be taken', async () => {
        const object = { apiVersion: 'example.com/v1', kind: 'Front', metadata: { name: 'one' } };
        const answer = await cluster().request('POST', objects, {
          ...object,
          spec: { mode: 'Fast' },
        });
        return answer.code === 201 ? true : undefined;
      });
      const { stdout } = await run(['scan', `--kubeconfig=${cluster().kubeconfigPath}`]);
      expect(stdout).to.match(/fronts\.example\.com.*being deleted since .*foregroundDeletion/s);
      const free = { metadata: { finalizers: null } };
      // Whoever is not the garbage collector is asked about it as about a DELETE.
      const freed = await cluster().request('PATCH', path, free, merge);
      expect(freed.code, freed.text).to.equal(403);
      expect(freed.text).to.include('deletes 1 stored Front with it');
      const collected = await cluster().request('PATCH', path, free, {
        ...merge,
        user: garbageCollector,
      });
      expect(collected.code, collected.text).to.equal(200);
    });

    it('is named by scan where it was set unasked, while there are objects', async () => {
      for (const [plural, count] of [
        ['baited', 1],
        ['hollow', 0],
      ] as const) {
        await stored(plural, count);
        const reference = { apiVersion: 'v1', kind: 'Namespace', name: 'bait', uid: 'none' };
        const owned = { metadata: { ownerReferences: [reference] } };
        const as = { ...merge, user: garbageCollector };
        const set = await cluster().request('PATCH', definitionPath(plural), owned, as);
        expect(set.code, set.text).to.equal(200);
      }
      const { stdout } = await run(['scan', `--kubeconfig=${cluster().kubeconfigPath}`]);
      expect(stdout).to.match(
        /^\S+ +DefinitionOwned +CustomResourceDefinition baited\.example\.com +is deleted with Namespace bait, and its stored objects with it/m,
      );
      expect(stdout).not.to.include('hollow.example.com');
    });

    it('is told when another owner is set on a definition without objects', async () => {
      await stored('vacants', 0);
      await readable('vacants');
      await untilCounted('vacants');
      const body = owner('Namespace', 'kube-system', uid);
      const answer = await cluster().request('PATCH', definitionPath('vacants'), body, merge);
      expect(answer.code, answer.text).to.equal(200);
      expect(answer.warnings.join()).to.include(
        'from now on the deletion of Namespace "kube-system" deletes vacants.example.com and every Vacant that is stored by then with it',
      );
    });

    it('is told when a definition is created with an owner, but by OLM, and never denied', async () => {
      const post = (user: string | undefined, reference: object): Promise<Answer> => {
        const definition = widgets('borns');
        const metadata = { ...definition.metadata, ownerReferences: [reference] };
        const path = `${definitions}?dryRun=All`;
        const body = { ...definition, metadata };
        return cluster().request('POST', path, body, user === undefined ? {} : { user });
      };
      const [namespace] = owner('Namespace', 'kube-system', uid).metadata.ownerReferences;
      const [fleet] = extension().metadata.ownerReferences;
      const told = 'deletes borns.example.com and every Born that is stored by then with it';
      // The gate may not read Nodes.
      const unseen = { apiVersion: 'v1', kind: 'Node', name: 'any', uid };
      for (const reference of [namespace, fleet, unseen]) {
        const answer = await post(undefined, reference ?? {});
        expect(answer.code, answer.text).to.equal(201);
        expect(answer.warnings.join()).to.match(/every Born that is stored by then with it/);
      }
      expect((await post(undefined, namespace ?? {})).warnings.join()).to.include(told);
      const byOlm = await post(operatorController, fleet ?? {});
      expect(byOlm.code, byOlm.text).to.equal(201);
      expect(byOlm.warnings).to.deep.equal([]);
    });
  });
});
