/** What a real API server answers to who changes a definition that several operators own. */
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { breaking, create, replace } from './installed-gate.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
} from './olm-definitions.js';
import { stepsOf } from './olm-rule-rows.js';
import { changed, scaled, specOf, version, widgets, type Definition } from './widgets.js';

describe('a definition and its owners', () => {
  const cluster = useCluster();
  const owned = (plural: string): string => `${plural}.example.com`;

  /** Served in v1alpha1 too. */
  const servedTwice = (plural: string): Definition =>
    changed((_spec, whole) => whole.spec.versions.unshift(version('v1alpha1')), plural);

  const csv = (namespace: string, name: string, plural: string, replaces?: string): JsonObject =>
    aCsv({
      namespace,
      name,
      owns: [owned(plural)],
      spec: replaces === undefined ? {} : { replaces },
    });

  const plan = (namespace: string, plural: string): JsonObject =>
    makeObject('InstallPlan', 'install-1', namespace, {
      spec: { approved: false, approval: 'Manual', clusterServiceVersionNames: [] },
      status: { plan: stepsOf(widgets(plural) as unknown as JsonObject) },
    });

  before('install OLM’s kinds, definitions and owners', async () => {
    await installOlm(cluster());
    for (const plural of ['alones', 'shareds', 'nexts'])
      await create(cluster(), servedTwice(plural));
    await createAll(cluster(), [
      ...['alone', 'one', 'two', 'next'].map((namespace) =>
        makeGroup({ namespace, spec: { targetNamespaces: [namespace] } }),
      ),
      csv('alone', 'alone.v1', 'alones'),
      csv('one', 'one.v1', 'shareds'),
      csv('two', 'two.v1', 'shareds'),
      csv('next', 'next.v1', 'nexts'),
      csv('next', 'next.v2', 'nexts', 'next.v1'),
      plan('alone', 'alones'),
      plan('one', 'shareds'),
      plan('next', 'nexts'),
    ]);
  });

  useGate(cluster, {
    name: 'definitions.olm-guard.io',
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
      {
        apiGroups: ['operators.coreos.com'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['installplans'],
      },
    ],
    args: () => [
      ...['--kubeconfig', cluster().kubeconfigPath],
      '--policy=manifests/base/policy.yaml',
    ],
    isAsked: async () => {
      await create(cluster(), widgets('probes'));
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 403;
    },
  });

  const update = (definition: Definition): Promise<Answer> =>
    replace(cluster(), definition, { query: '?dryRun=All' });

  async function approve(namespace: string, plural: string): Promise<Answer> {
    const object = plan(namespace, plural);
    return until('the plan to be nobody else’s', async () => {
      const stored = await cluster().request('GET', pathOf(object));
      const body = withApiVersion({
        ...object,
        metadata: stored.body.metadata as unknown as JsonObject,
        spec: { ...(object['spec'] as JsonObject), approved: true },
      });
      const answer = await cluster().request('PUT', `${pathOf(object)}?dryRun=All`, body);
      return answer.code === 409 ? undefined : answer;
    });
  }

  const rulesOf = ({ body }: Answer): (string | undefined)[] =>
    (body.details?.causes ?? []).map(({ reason }) => reason);

  it('may stop serving a version with a warning where one operator owns it', async () => {
    for (const plural of ['alones', 'nexts']) {
      const answer = await update(widgets(plural));
      expect(answer.code, answer.text).to.equal(200);
      expect(answer.warnings.join('\n')).to.include('v1alpha1');
    }
  });

  it('may not stop serving a version where two operators own it', async () => {
    const answer = await update(widgets('shareds'));
    expect(answer.code, answer.text).to.equal(403);
    expect(rulesOf(answer)).to.include('ServedVersionRemoved');
    expect(answer.body.message).to.include('several ClusterServiceVersions own the definition');
  });

  it('is judged alike when an InstallPlan that brings it is approved', async () => {
    for (const [namespace, plural] of [
      ['alone', 'alones'],
      ['next', 'nexts'],
    ] as const) {
      const answer = await approve(namespace, plural);
      expect(answer.code, answer.text).to.equal(200);
      expect(answer.warnings.join('\n')).to.include('ServedVersionRemoved');
    }
    const answer = await approve('one', 'shareds');
    expect(answer.code, answer.text).to.equal(403);
    expect(answer.body.message)
      .to.include('ServedVersionRemoved')
      .and.include('several ClusterServiceVersions own the definition')
      .and.include('it is shared with two/two.v1');
  });

  it('may not lose the scale that an autoscaler uses, among hundreds of others', async () => {
    await create(cluster(), scaled('scaleds'));
    await createNamespace(cluster(), 'scaling');
    const autoscaler = (name: string, kind: string): JsonObject => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name, namespace: 'scaling' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'example.com/v1', kind, name: 'a' } },
    });
    const names = Array.from({ length: 250 }, (_, index) => `other-${index}`);
    const path = '/apis/autoscaling/v2/namespaces/scaling/horizontalpodautoscalers';
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/scaling/roles';
    const objects: (readonly [string, JsonObject])[] = [
      ...names.map((name) => [path, autoscaler(name, 'Other')] as const),
      [path, autoscaler('scales', 'Scaled')] as const,
      [
        rbac,
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'may-scale', namespace: 'scaling' },
          rules: [{ apiGroups: ['example.com'], resources: ['scaleds/scale'], verbs: ['update'] }],
        },
      ],
    ];
    for (const [of, made] of objects) {
      const { code, text } = await cluster().request('POST', of, made);
      expect(code, text).to.equal(201);
    }
    const answer = await until('the role to be followed', async () => {
      const each = await update(widgets('scaleds'));
      return each.warnings.join().includes('may-scale') ? each : undefined;
    });
    expect(answer.code, answer.text).to.equal(403);
    expect(answer.body.message).to.include(
      'HorizontalPodAutoscaler scaling/scales uses the scale subresource of version v1, which is gone',
    );
    expect(answer.warnings.join('\n')).to.include(
      'Role scaling/may-scale has rights to the scale subresource of version v1',
    );
    expect(answer.text).not.to.include('other-');
  });

  it('hears of every change that is refused, beside the one that the text names', async () => {
    await create(cluster(), widgets('manies'));
    const many = widgets('manies');
    const spec = specOf(many);
    delete spec.properties['pollInterval'];
    spec.properties['replicas'] = { type: 'string' };
    spec.properties['mode'] = { type: 'string', enum: ['Fast', 'Slow'], default: 'Fast' };
    spec.required.push('replicas');
    const answer = await update(many);
    expect(answer.code).to.equal(403);
    expect(answer.body.message).to.include('field/^.spec.pollInterval may not be removed');
    const told = [
      ...(answer.body.details?.causes ?? []).map(({ message }) => message),
      ...answer.warnings,
    ].join('\n');
    expect(told)
      .to.include('field/^.spec.pollInterval may not be removed')
      .and.include('type changed from "integer" to "string"')
      .and.include('new required fields added: [replicas]')
      .and.match(/default value .*Fast.* added/);
  });

  it('hears of every change that is refused in each of several versions', async () => {
    const names = ['v1alpha1', 'v1beta1'];
    const severally = (): Definition =>
      changed(
        (_spec, { spec }) => spec.versions.unshift(...names.map((name) => version(name))),
        'severals',
      );
    await create(cluster(), severally());
    const next = severally();
    const changes = {
      v1alpha1: (spec: ReturnType<typeof specOf>) => {
        delete spec.properties['pollInterval'];
        spec.properties['replicas'] = { type: 'string' };
      },
      v1beta1: (spec: ReturnType<typeof specOf>) => {
        spec.required.push('replicas');
        spec.properties['mode'] = { type: 'string', enum: ['Fast'] };
      },
      v1: (spec: ReturnType<typeof specOf>) => {
        spec.properties['replicas'] = { type: 'integer', minimum: 2, maximum: 4 };
      },
    };
    for (const each of next.spec.versions) {
      const alone = { ...next, spec: { ...next.spec, versions: [each] } };
      changes[each.name as keyof typeof changes](specOf(alone));
    }
    const answer = await update(next);
    expect(answer.code, answer.text).to.equal(403);
    const causes = (answer.body.details?.causes ?? []).map(({ message }) => message ?? '');
    const told = [...causes, ...answer.warnings];
    for (const [name, words] of [
      ['v1alpha1', 'pollInterval'],
      ['v1alpha1', 'type changed from "integer" to "string"'],
      ['v1beta1', 'new required fields added: [replicas]'],
      ['v1beta1', 'Slow'],
      ['v1', 'minimum'],
      ['v1', 'maximum'],
    ] as const) {
      const one = told.find(
        (each) =>
          new RegExp(`(^|[^a-z0-9])${name}([^a-z0-9]|$)`).test(each) && each.includes(words),
      );
      expect(one, `${name}: ${words} in\n${told.join('\n')}`).to.be.a('string');
    }
  });
});
