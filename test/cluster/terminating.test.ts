/** Writes to what is being deleted and waits for a finalizer, under the enforcing overlay. */
import { join } from 'node:path';
import { expect } from 'chai';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import { isObject, type JsonObject } from '../../src/text/documents/index.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { run } from '../cli/command.js';
import {
  breaking,
  create,
  enforce,
  kubectl,
  replace,
  root,
  untilAnswered,
} from './installed-gate.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
} from './olm-definitions.js';
import { definition, stepsOf } from './olm-rule-rows.js';
import { changed, definitionPath, widgets } from './widgets.js';

const merge = { contentType: 'application/merge-patch+json' };
const hold = 'example.com/hold';
const withHold = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(isObject(object['metadata']) ? object['metadata'] : {}), finalizers: [hold] },
});

describe('what is being deleted', function () {
  this.timeout(240_000);
  const cluster = useCluster();
  let gate: TestGate;

  before(async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await installOlm(cluster());
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${cluster().kubeconfigPath}`,
      `--policy=${join(root, 'manifests', 'components', 'enforcing', 'policy.yaml')}`,
    ]);
    await enforce(cluster(), gate);
    await untilAnswered(cluster(), 403);
  });
  after(() => gate?.stop());

  const patch = (path: string, body: object): Promise<Answer> =>
    cluster().request('PATCH', path, body, merge);
  const finalizers = (list: readonly string[] | null) => ({ metadata: { finalizers: list } });

  /** Deleted while it had no objects, and served again. */
  async function held(plural: string, ...more: string[]): Promise<Answer> {
    expect((await create(cluster(), widgets(plural))).code).to.equal(201);
    const path = `/apis/example.com/v1/namespaces/default/${plural}`;
    const isServed = async () =>
      (await cluster().request('GET', path)).code === 200 ? true : undefined;
    await until(`${plural} to be served`, isServed);
    const held = await patch(definitionPath(plural), finalizers([hold, ...more]));
    expect(held.code, held.text).to.equal(200);
    const deleted = await cluster().request('DELETE', definitionPath(plural));
    expect(deleted.code, deleted.text).to.equal(200);
    await until(`${plural} to be cleaned up`, async () => {
      const { text } = await cluster().request('GET', definitionPath(plural));
      return text.includes('InstanceDeletionCompleted') ? true : undefined;
    });
    await until(`${plural} to be served again`, isServed);
    return deleted;
  }

  async function store(plural: string): Promise<Answer> {
    return until(`a ${plural} to be taken`, async () => {
      const answer = await cluster().request(
        'POST',
        `/apis/example.com/v1/namespaces/default/${plural}`,
        {
          apiVersion: 'example.com/v1',
          kind: widgets(plural).spec.names.kind,
          metadata: { name: 'one' },
          spec: { mode: 'Fast' },
        },
      );
      return answer.code === 201 ? answer : undefined;
    });
  }

  describe('a definition', () => {
    before(async () => {
      const { warnings } = await held('traps');
      expect(warnings.join()).to.include(
        'traps.example.com stays and is served until its finalizer example.com/hold is removed',
      );
      await store('traps');
    });

    it('loses no field, and changes no type', async () => {
      for (const next of [
        breaking('traps'),
        changed((spec) => (spec.properties['replicas'] = { type: 'string' }), 'traps'),
      ]) {
        const held = { ...next, metadata: { ...next.metadata, finalizers: [hold] } };
        const answer = await replace(cluster(), held);
        expect(answer.code, answer.text).to.equal(403);
      }
    });

    it('keeps its last finalizer while it has objects', async () => {
      for (const path of [definitionPath('traps'), `${definitionPath('traps')}/status`]) {
        const answer = await patch(path, finalizers(null));
        expect(answer.code, answer.text).to.equal(403);
        expect(answer.body.message).to.include(
          'deleting traps.example.com deletes 1 stored Trap with it',
        );
      }
    });

    it('is named by scan and by doctor, with its finalizer', async () => {
      const told =
        /traps\.example\.com.*being deleted since .*finalizer example\.com\/hold is removed/s;
      const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
      expect((await run(['scan', kubeconfig])).stdout).to.match(told);
      expect((await run(['doctor', kubeconfig])).stdout).to.match(told);
    });

    it('goes without a word when a controller removes its finalizer and nothing is stored', async () => {
      await held('calms', 'example.com/other');
      for (const list of [[hold], null]) {
        const { code, text, warnings } = await patch(definitionPath('calms'), finalizers(list));
        expect(code, text).to.equal(200);
        expect(warnings).to.deep.equal([]);
      }
      expect((await cluster().request('GET', definitionPath('calms'))).code).to.equal(404);
    });

    it('is cleaned up by the API server when its deletion was allowed', async () => {
      expect((await create(cluster(), widgets('brooms'))).code).to.equal(201);
      await store('brooms');
      await kubectl(
        cluster(),
        ...['annotate', 'crd', 'brooms.example.com', 'olm-guard.io/disable=stored-objects'],
      );
      expect((await cluster().request('DELETE', definitionPath('brooms'))).code).to.equal(200);
      await until('it to be gone', async () =>
        (await cluster().request('GET', definitionPath('brooms'))).code === 404 ? true : undefined,
      );
    });
  });

  describe('OLM’s objects', () => {
    const stranger = 'stranger';
    const place = 'tenant';
    const breakingPlan = (): JsonObject =>
      makeObject('InstallPlan', 'p', place, {
        spec: { approved: false, approval: 'Manual', clusterServiceVersionNames: [] },
        status: { plan: stepsOf(definition('held', ['a'])) },
      });

    before(async () => {
      for (const name of [stranger, place]) await createNamespace(cluster(), name);
      await createAll(cluster(), [
        definition('held', ['a', 'b']),
        makeGroup({
          name: 'rival',
          namespace: stranger,
          spec: { targetNamespaces: [stranger] },
          provides: 'Cat.v1.pets',
        }),
        makeGroup({ namespace: place, spec: { targetNamespaces: [place] } }),
        aCsv({ namespace: place }),
        breakingPlan(),
      ]);
      for (const object of [makeGroup({ name: 'g', namespace: place }), breakingPlan()]) {
        const path = pathOf(withApiVersion(object));
        const held = await patch(path, withHold({}));
        expect(held.code, held.text).to.equal(200);
        const deleted = await cluster().request('DELETE', path);
        expect(deleted.code, deleted.text).to.equal(200);
      }
    });

    it('approve no plan that breaks a definition', async () => {
      const path = pathOf(withApiVersion(breakingPlan()));
      const answer = await until('the gate to know the plan', async () => {
        const asked = await patch(`${path}?dryRun=All`, { spec: { approved: true } });
        return asked.code === 403 ? asked : undefined;
      });
      expect(answer.text).to.include('InstallPlanCRDSafety');
      expect((await patch(path, finalizers(null))).code).to.equal(200);
    });

    it('widen no group onto the namespace of a stranger', async () => {
      const path = pathOf(withApiVersion(makeGroup({ name: 'g', namespace: place })));
      const answer = await patch(path, { spec: { targetNamespaces: [place, stranger] } });
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.text).to.include('OperatorGroupIntersection');
      expect((await patch(path, finalizers(null))).code).to.equal(200);
    });
  });
});
