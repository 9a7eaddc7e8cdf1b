/**
 * Attacks in two steps under the enforcing overlay, each of which the gate would allow by itself, and
 * beside each what an honest writer does. Two replicas: one reviews OperatorGroups, the other all else.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { run } from '../cli/command.js';
import {
  create,
  enforce,
  kubectl,
  replace,
  root,
  untilAnswered,
  webhookConfiguration,
  webhooksOf,
} from './installed-gate.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
} from './olm-definitions.js';
import { definition, stepsOf } from './olm-rule-rows.js';
import { specOf, version, widgets, type Definition } from './widgets.js';

const olm = 'system:serviceaccount:olm:olm-operator-serviceaccount';
const merge = { contentType: 'application/merge-patch+json' };

describe('attacks in two steps', function () {
  this.timeout(240_000);
  const cluster = useCluster({ users: [{ name: olm, groups: ['system:masters'] }] });
  const gates: TestGate[] = [];

  before(async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await installOlm(cluster());
    for (let count = 0; count < 2; count++) {
      gates.push(
        await startGate(cluster().folder, [
          `--kubeconfig=${cluster().kubeconfigPath}`,
          `--policy=${join(root, 'manifests', 'components', 'enforcing', 'policy.yaml')}`,
        ]),
      );
    }
    const [first, second] = gates as [TestGate, TestGate];
    await enforce(cluster(), first);
    const index = (await webhooksOf(cluster())).findIndex(({ name }) =>
      name.startsWith('operatorgroups.'),
    );
    const value = {
      url: `${second.url}/validate`,
      caBundle: Buffer.from(second.ca).toString('base64'),
    };
    const patch = [{ op: 'replace', path: `/webhooks/${index}/clientConfig`, value }];
    const patched = await cluster().request('PATCH', webhookConfiguration, patch, {
      contentType: 'application/json-patch+json',
    });
    expect(patched.code, patched.text).to.equal(200);
    await untilAnswered(cluster(), 403);
    await createNamespace(cluster(), 'trials');
    const wrong = makeGroup({ namespace: 'trials', spec: { targetNamespaces: ['', 'a'] } });
    await until('the second gate to be asked', async () =>
      (await post(wrong, { query: '?dryRun=All' })).code === 403 ? true : undefined,
    );
  });
  after(async () => {
    for (const gate of gates) await gate.stop();
  });

  const patch = (path: string, body: object, user?: string): Promise<Answer> =>
    cluster().request('PATCH', path, body, { ...merge, ...(user === undefined ? {} : { user }) });
  const at = (object: JsonObject): string => pathOf(withApiVersion(object));
  async function post(
    object: JsonObject,
    { user, query = '' }: { user?: string; query?: string } = {},
  ): Promise<Answer> {
    const path = `${pathOf(object, 'collection')}${query}`;
    return cluster().request('POST', path, withApiVersion(object), user ? { user } : {});
  }

  /** A namespace whose operator provides an API, and a tenant beside it with a group of his own. */
  async function neighbours(name: string) {
    const [stranger, tenant] = [`${name}-stranger`, `${name}-tenant`];
    const owns = [`cats.${name}.io`];
    const group = makeGroup({ namespace: tenant, spec: { targetNamespaces: [tenant] } });
    await createAll(cluster(), [
      makeGroup({
        name: 'rival',
        namespace: stranger,
        spec: { targetNamespaces: [stranger] },
        provides: `Cat.v1.${name}.io`,
      }),
      aCsv({ namespace: stranger, owns, name: 'theirs' }),
      group,
    ]);
    const targetNamespaces = [tenant, stranger];
    return {
      stranger,
      csv: (labels?: object): JsonObject =>
        aCsv({ namespace: tenant, owns, ...(labels && { metadata: { labels: { ...labels } } }) }),
      widen: (query = '') => patch(`${at(group)}${query}`, { spec: { targetNamespaces } }),
      /** As OLM does after the group was changed. */
      settle: () => patch(`${at(group)}/status`, { status: { namespaces: targetNamespaces } }),
    };
  }

  describe('with a ClusterServiceVersion that passes for a copy', () => {
    it('by its status: a group with it is not widened onto a stranger', async () => {
      const { csv, widen } = await neighbours('reasons');
      await createAll(cluster(), [csv()]);
      const status = await patch(`${at(csv())}/status`, { status: { reason: 'Copied' } });
      expect(status.code, status.text).to.equal(200);
      // The watch may show it later than the question comes.
      for (let attempt = 0; attempt < 3; attempt++) {
        const widened = await until('the gate to know the operator', async () => {
          const answer = await widen('?dryRun=All');
          return answer.code === 403 ? answer : undefined;
        });
        expect(widened.text).to.include('OperatorGroupIntersection');
      }
    });

    it('by its label: it does not become an original that stands in a stranger’s way', async () => {
      const { csv, widen, settle, stranger } = await neighbours('labels');
      const copy = csv({ 'olm.copiedFrom': stranger });
      expect((await post(copy)).code).to.equal(201);
      expect((await widen()).code).to.equal(200);
      expect((await settle()).code).to.equal(200);
      const bared = await until('the gate to know the group', async () => {
        const answer = await patch(`${at(copy)}?dryRun=All`, {
          metadata: { labels: { 'olm.copiedFrom': null } },
        });
        return answer.code === 403 ? answer : undefined;
      });
      expect(bared.text).to.include('InterOperatorGroupOwnerConflict');
    });

    it('by its label, where the stranger is in the way already: it is not created', async () => {
      const { csv, stranger } = await neighbours('created');
      const at = { namespace: stranger, owns: ['cats.created.io'], name: 'copy' };
      const copy = aCsv({ ...at, metadata: { labels: { 'olm.copiedFrom': 'elsewhere' } } });
      const refused = await until('the gate to know the operator', async () => {
        const answer = await post(copy, { query: '?dryRun=All' });
        return answer.code === 403 ? answer : undefined;
      });
      expect(refused.text).to.include('OwnerConflict');
      // OLM makes copies there all the same.
      const made = await post(copy, { user: olm });
      expect(made.code, made.text).to.equal(201);
      expect((await post(csv())).code).to.equal(201);
    });
  });

  describe('on a definition', () => {
    const password = `self.a.matches('^[a-f]{3}q{2}(x|y)+$') && self.a.contains('yxyxyy') && self.a.endsWith('xyx') && self.a.size() == 23`;
    type Spec = ReturnType<typeof specOf> & Record<string, unknown>;
    function baited(
      plural: string,
      { bait, field }: { bait: boolean; field: boolean },
    ): Definition {
      const whole = widgets(plural);
      const spec = specOf(whole) as Spec;
      Object.assign(spec.properties, {
        a: { type: 'string', maxLength: 50 },
        ...(field && { x: { type: 'string' } }),
      });
      if (bait && field) {
        spec['x-kubernetes-validations'] = [
          { rule: `!has(self.x) || (has(self.a) && ${password})` },
        ];
      }
      return whole;
    }

    it('a rule that is there from the start, beside a field, does not let the field go', async () => {
      const made = await create(cluster(), baited('starts', { bait: true, field: true }));
      expect(made.code, made.text).to.equal(201);
      const removed = await replace(cluster(), baited('starts', { bait: false, field: false }));
      expect(removed.code, removed.text).to.equal(403);
    });

    it('nor one that is put there while nothing is stored', async () => {
      const made = await create(cluster(), baited('laters', { bait: false, field: true }));
      expect(made.code, made.text).to.equal(201);
      const placed = await replace(cluster(), baited('laters', { bait: true, field: true }));
      expect(placed.code, placed.text).to.equal(403);
    });

    it('what stays undecided is denied, and a looser bound passes', async () => {
      const bounded = (maxLength: number, more: object = {}): Definition => {
        const whole = widgets('opens');
        const x = { type: 'string', maxLength, pattern: '^[a-z]+(-[a-z]+)*$', ...more };
        Object.assign(specOf(whole).properties, { x });
        return whole;
      };
      expect((await create(cluster(), bounded(12))).code).to.equal(201);
      const rule = { 'x-kubernetes-validations': [{ rule: `self.find('[a-z]?').size() > 0` }] };
      const open = await replace(cluster(), bounded(12, rule));
      expect(open.code, open.text).to.equal(403);
      const looser = await replace(cluster(), bounded(13));
      expect(looser.code, looser.text).to.equal(200);
    });

    /** `v2` has no `pollInterval`. */
    function narrowed(
      plural: string,
      { isServed, isStored }: { isServed: boolean; isStored: boolean },
    ): Definition {
      const whole = widgets(plural);
      const second = { ...version('v2', { storage: isStored }), served: isServed };
      delete second.schema.openAPIV3Schema.properties?.['spec']?.properties?.['pollInterval'];
      const versions = whole.spec.versions.map((each) => ({ ...each, storage: !isStored }));
      return { ...whole, spec: { ...whole.spec, versions: [...versions, second] } };
    }

    async function store(plural: string, spec: object): Promise<void> {
      await until(`a ${plural} to be taken`, async () => {
        const object = {
          apiVersion: 'example.com/v1',
          kind: widgets(plural).spec.names.kind,
          metadata: { name: 'one' },
          spec: { mode: 'Fast', ...spec },
        };
        const path = `/apis/example.com/v1/namespaces/default/${plural}`;
        return (await cluster().request('POST', path, object)).code === 201 ? true : undefined;
      });
    }

    for (const [plural, isStored] of [
      ['serves', false],
      ['moves', true],
    ] as const) {
      const becomes = isStored ? 'stored' : 'served';
      it(`a narrower version that is ${becomes} only later takes nothing from objects`, async () => {
        const first = await create(cluster(), widgets(plural));
        expect(first.code, first.text).to.equal(201);
        await store(plural, { pollInterval: '5s' });
        const next = narrowed(plural, { isServed: false, isStored: false });
        const added = await replace(cluster(), next);
        expect(added.code, added.text).to.equal(200);
        const answer = await replace(
          cluster(),
          narrowed(plural, { isServed: !isStored, isStored }),
        );
        expect(answer.code, answer.text).to.equal(403);
        expect(answer.text).to.include('would lose spec.pollInterval');
      });
    }

    it('served versions that never agreed do not excuse that the narrower one is stored', async () => {
      const never = { isServed: true, isStored: false };
      const first = await create(cluster(), narrowed('flips', never));
      expect(first.code, first.text).to.equal(201);
      const described = narrowed('flips', never);
      described.spec.versions[0]!.schema.openAPIV3Schema.description = 'Of no harm.';
      const honest = await replace(cluster(), described);
      expect(honest.code, honest.text).to.equal(200);
      const answer = await replace(cluster(), narrowed('flips', { ...never, isStored: true }));
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.text).to.include('ServedVersionValidator');
    });

    it('a version that a conversion webhook makes which cannot be asked does not come', async () => {
      const converted = (...names: string[]): Definition => {
        const whole = widgets('converts');
        const service = { namespace: 'nowhere', name: 'webhook', path: '/convert' };
        Object.assign(whole.spec, {
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v1'], clientConfig: { service } },
          },
          versions: [...whole.spec.versions, ...names.map((name) => version(name))],
        });
        return whole;
      };
      expect((await create(cluster(), converted('v1beta1'))).code).to.equal(201);
      const answer = await replace(cluster(), converted('v1beta1', 'v1alpha1'));
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.text, answer.text).to.include('ConversionUnchecked');
    });
  });

  describe('with an InstallPlan', () => {
    const place = 'plans';
    const plan = (name: string, spec: object, steps: JsonObject[] = []): JsonObject =>
      makeObject('InstallPlan', name, place, {
        spec: { approval: 'Manual', clusterServiceVersionNames: [], ...spec },
        status: { plan: steps },
      });
    const breaking = definition('plans', ['a']);
    const reference = {
      ...{ kind: 'ConfigMap', name: 'unpacked', namespace: place },
      ...{ catalogSourceName: 'c', catalogSourceNamespace: place },
    };
    const inBundle: JsonObject[] = [
      {
        status: 'Unknown',
        resource: {
          kind: 'CustomResourceDefinition',
          name: 'cats.plans.io',
          manifest: JSON.stringify(reference),
        },
      },
    ];

    before(async () => {
      await createAll(cluster(), [
        definition('plans', ['a', 'b']),
        makeGroup({ namespace: place, spec: { targetNamespaces: [place] } }),
      ]);
    });

    it('steps that come after none at all are told', async () => {
      const automatic = plan('automatic', { approved: true, approval: 'Automatic' });
      await createAll(cluster(), [automatic]);
      const path = `${at(automatic)}/status`;
      expect((await patch(path, { status: { plan: [] } })).code).to.equal(200);
      const told = await patch(`${path}?dryRun=All`, { status: { plan: stepsOf(breaking) } });
      expect(told.code, told.text).to.equal(200);
      expect(told.warnings.join()).to.include('InstallPlanCRDSafety');
    });

    it('steps that nobody could read are not approved, but by OLM', async () => {
      const unread = plan('unread', { approved: false }, inBundle);
      await createAll(cluster(), [unread]);
      const approve = (user?: string): Promise<Answer> =>
        patch(`${at(unread)}?dryRun=All`, { spec: { approved: true } }, user);
      const refused = await approve();
      expect(refused.code, refused.text).to.equal(403);
      expect(refused.text).to.include('InstallPlanUnchecked');
      expect((await approve(olm)).code).to.equal(200);
    });

    it('what a bundle holds after the approval is judged when OLM applies it', async () => {
      const bundle = (object: JsonObject): JsonObject =>
        makeObject('ConfigMap', 'unpacked', place, { data: { crd: JSON.stringify(object) } });
      const harmless = definition('plans', ['a', 'b', 'c']);
      await createAll(cluster(), [bundle(harmless)]);
      const swapped = plan('swapped', { approved: false }, inBundle);
      await createAll(cluster(), [swapped]);
      const approved = await patch(at(swapped), { spec: { approved: true } });
      expect(approved.code, approved.text).to.equal(200);
      const swap = await patch(at(bundle(breaking)), { data: { crd: JSON.stringify(breaking) } });
      expect(swap.code, swap.text).to.equal(200);
      const apply = (object: JsonObject): Promise<Answer> =>
        replace(cluster(), object as unknown as Definition, { user: olm });
      const applied = await apply(breaking);
      expect(applied.code, applied.text).to.equal(403);
      const honest = await apply(harmless);
      expect(honest.code, honest.text).to.equal(200);
    });
  });

  it('at once, to two replicas, of which each sees one: named by a metric and by scan', async () => {
    const rule = 'InterOperatorGroupOwnerConflict';
    const slipped = await until('both to pass', async () => {
      const name = `race${Date.now()}`;
      const { csv, widen, settle } = await neighbours(name);
      const [widened, made] = await Promise.all([widen(), post(csv())]);
      if (widened.code !== 200 || made.code !== 201) return undefined;
      expect((await settle()).code).to.equal(200);
      return name;
    });
    for (const gate of gates) {
      await until('the conflict to be counted', async () => {
        const count = new RegExp(`olm_guard_conflicting_objects{rule="${rule}"} (\\d+)`).exec(
          await gate.metrics(),
        );
        return Number(count?.[1] ?? 0) > 0 ? true : undefined;
      });
    }
    const { stdout } = await run(['scan', `--kubeconfig=${cluster().kubeconfigPath}`]);
    expect(stdout).to.match(
      new RegExp(`${rule}[^]*${slipped}-tenant|${slipped}-tenant[^]*${rule}`),
    );
  });
});
