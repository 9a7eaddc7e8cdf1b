/** Every way to switch the check off, as the cluster has it: honoured, and refused. */
import { join } from 'node:path';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import {
  breaking,
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import { definitions, widgets, type Definition } from './widgets.js';

const disable = { 'olm-guard.io/disable': 'crd-upgrade-safety' };
const rukpak = { 'core.rukpak.io/safe-crd-upgrade-validation': 'false' };
const namespace = 'operators';

/** A kind of OLM's, as far as these tests need it. */
function olmKind(group: string, plural: string, kind: string, scope: string, versions: string[]) {
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

const v1 = 'olm.operatorframework.io';
const classic = 'operators.coreos.com';

describe('switching the check off', () => {
  const cluster = useCluster({ users: [{ name: serviceAccount }] });
  let gate: TestGate;
  let policyFolder: string;
  // Without the stored-objects check, so that every warning here is about a switch-off.
  const header =
    'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nbudgets: { storedObjectsSeconds: 0 }\n';

  before(async function () {
    this.timeout(180_000);
    policyFolder = join(cluster().folder, 'policy');
    mkdirSync(policyFolder);
    mountPolicy(header);
    symlinkSync(join('..data', 'policy.yaml'), join(policyFolder, 'policy.yaml'));
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await kubectl(cluster(), 'create', 'namespace', namespace);
    for (const definition of [
      olmKind(v1, 'clusterextensions', 'ClusterExtension', 'Cluster', ['v1', 'v1alpha1']),
      olmKind(classic, 'subscriptions', 'Subscription', 'Namespaced', ['v1alpha1']),
      olmKind(classic, 'clusterserviceversions', 'ClusterServiceVersion', 'Namespaced', [
        'v1alpha1',
      ]),
    ]) {
      expect((await cluster().request('POST', definitions, definition)).code).to.equal(201);
    }
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      `--policy=${join(policyFolder, 'policy.yaml')}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
  });
  after(() => gate.stop());

  /** As the kubelet mounts a ConfigMap: a new folder, and the link `..data` in place of the old one. */
  function mountPolicy(text: string): void {
    const data = `..${process.hrtime.bigint()}`;
    mkdirSync(join(policyFolder, data));
    writeFileSync(join(policyFolder, data, 'policy.yaml'), text);
    symlinkSync(data, join(policyFolder, '..data_tmp'));
    renameSync(join(policyFolder, '..data_tmp'), join(policyFolder, '..data'));
  }

  let count = 0;
  /** A stored definition with this metadata, and what a breaking change of it is answered. */
  async function attempt(
    stored: Partial<Definition['metadata']>,
    brought: Partial<Definition['metadata']> = stored,
  ): Promise<Answer> {
    const plural = `things${String.fromCharCode(97 + count++)}s`;
    const old = widgets(plural);
    Object.assign(old.metadata, stored);
    const { code, text } = await create(cluster(), old);
    expect(code, text).to.equal(201);
    const next = breaking(plural);
    Object.assign(next.metadata, brought);
    return replace(cluster(), next);
  }

  async function apply(
    apiVersion: string,
    kind: string,
    name: string,
    rest: object,
  ): Promise<void> {
    const metadata = { name, ...(kind === 'ClusterExtension' ? {} : { namespace }) };
    const given = rest as { metadata?: object };
    const object = { apiVersion, kind, ...rest, metadata: { ...metadata, ...given.metadata } };
    const stdin = JSON.stringify(object);
    await until(`${kind} to be served`, async () => {
      const { code } = await cluster().kubectl(['apply', '-f', '-'], { stdin });
      return code === 0 ? true : undefined;
    });
  }

  async function bypasses(by: string): Promise<number> {
    const pattern = new RegExp(
      `^olm_guard_bypasses_total\\{by="${by}",family="crd-upgrade-safety"\\} (\\d+)$`,
      'm',
    );
    return Number(pattern.exec(await gate.metrics())?.[1] ?? 0);
  }

  async function expectHonoured(answer: Answer, by: string, words: RegExp, before: number) {
    expect(answer.code, answer.text).to.equal(200);
    expect(answer.warnings.join('\n')).to.match(words).and.to.include('NoExistingFieldRemoved');
    // The API server asks again when somebody else wrote the object meanwhile.
    expect(await bypasses(by)).to.be.greaterThan(before);
  }

  function expectRefused(answer: Answer, words: RegExp): void {
    expect(answer.code, answer.text).to.equal(403);
    expect(answer.body.message).to.include('may not be removed');
    expect(answer.warnings.join('\n')).to.match(words);
  }

  const owned = (name: string) => ({
    labels: {
      'olm.operatorframework.io/owner-kind': 'ClusterExtension',
      'olm.operatorframework.io/owner-name': name,
    },
  });
  const component = (name: string) => ({ labels: { [`${classic}/${name}.${namespace}`]: '' } });

  async function usePolicy(text: string): Promise<void> {
    const reloads = async (): Promise<number> =>
      Number(/policy_reloads_total\{outcome="success"\} (\d+)/.exec(await gate.metrics())?.[1]);
    const before = await reloads();
    mountPolicy(header + text);
    await until('the policy to be read', async () =>
      (await reloads()) > before ? true : undefined,
    );
  }

  it('annotation olm-guard.io/disable on the stored CustomResourceDefinition', async () => {
    const before = await bypasses('crd');
    const answer = await attempt({ annotations: disable });
    await expectHonoured(answer, 'crd', /annotation "olm-guard\.io\/disable" on Custom/, before);
  });

  it('with a reason and a time that has not come', async () => {
    const before = await bypasses('crd');
    const annotations = {
      'olm-guard.io/disable': 'all',
      'olm-guard.io/disable-until': '2099-01-01T00:00:00Z',
      'olm-guard.io/disable-reason': 'moved by hand',
    };
    await expectHonoured(await attempt({ annotations }), 'crd', /moved by hand/, before);
  });

  it('annotation of rukpak on the stored CustomResourceDefinition', async () => {
    const before = await bypasses('rukpak');
    const answer = await attempt({ annotations: rukpak });
    await expectHonoured(answer, 'rukpak', /safe-crd-upgrade-validation/, before);
  });

  const extensions: [what: string, version: string, rest: object, words: RegExp][] = [
    [
      'field of v1alpha1',
      'v1alpha1',
      { spec: { preflight: { crdUpgradeSafety: { disabled: true } } } },
      /spec\.preflight\.crdUpgradeSafety\.disabled/,
    ],
    [
      'field of v1',
      'v1',
      { spec: { install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } } } },
      /spec\.install\.preflight\.crdUpgradeSafety\.enforcement/,
    ],
    ['annotation', 'v1', { metadata: { annotations: disable } }, /annotation "olm-guard/],
  ];
  for (const [what, version, rest, words] of extensions) {
    it(`${what} on the ClusterExtension that owns it`, async () => {
      const before = await bypasses('clusterextension');
      const name = what.replaceAll(' ', '-');
      await apply(`${v1}/${version}`, 'ClusterExtension', name, rest);
      await expectHonoured(await attempt(owned(name)), 'clusterextension', words, before);
    });
  }

  it('not by a ClusterExtension that owns something else, or does not exist', async () => {
    const spec = { install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } } };
    await apply(`${v1}/v1`, 'ClusterExtension', 'somebody-else', { spec });
    expectRefused(await attempt({}), /^$/);
    expectRefused(await attempt(owned('nobody')), /^$/);
    // Owner labels that the same request brings are no proof of ownership.
    expectRefused(await attempt({}, owned('somebody-else')), /^$/);
  });

  it('not by a bundle that brings its own switch-off', async () => {
    const bundle = { annotations: { ...disable, ...rukpak } };
    expectRefused(await attempt({}, bundle), /does not count: only this request brings it/);
  });

  const malformed: [name: string, annotations: Record<string, string>, words: RegExp][] = [
    ['an unknown family', { 'olm-guard.io/disable': 'crd-safety' }, /not a check family/],
    ['a single rule', { 'olm-guard.io/disable': 'NoScopeChange' }, /single rules are exempted/],
    [
      'a time that has passed',
      { ...disable, 'olm-guard.io/disable-until': '2020-01-01T00:00:00Z' },
      /has passed/,
    ],
    [
      'a time that is none',
      { ...disable, 'olm-guard.io/disable-until': 'tomorrow' },
      /is not an RFC 3339 time/,
    ],
    [
      'rukpak with another word',
      { ...rukpak, 'core.rukpak.io/safe-crd-upgrade-validation': 'no' },
      /neither/,
    ],
    ['another family', { 'olm-guard.io/disable': 'catalogs' }, /^$/],
  ];
  for (const [name, annotations, words] of malformed) {
    it(`not by ${name}`, async () => {
      expectRefused(await attempt({ annotations }), words);
    });
  }

  describe('on what OLM classic installs', () => {
    before(async () => {
      await apply(`${classic}/v1alpha1`, 'Subscription', 'by-subscription', {
        metadata: { annotations: disable },
        spec: { name: 'annotated' },
      });
      await apply(`${classic}/v1alpha1`, 'Subscription', 'by-csv', {
        spec: { name: 'plain' },
        status: { installedCSV: 'plain.v1' },
      });
      await apply(`${classic}/v1alpha1`, 'ClusterServiceVersion', 'plain.v1', {
        metadata: { annotations: disable },
      });
    });
    after(() => usePolicy(''));

    it('neither by Subscription nor by ClusterServiceVersion while the policy does not list them', async () => {
      expectRefused(await attempt(component('annotated')), /^$/);
      expectRefused(await attempt(component('plain')), /^$/);
    });

    it('by the Subscription when the policy lists it', async () => {
      await usePolicy('bypass: { sources: [subscription] }\n');
      const before = await bypasses('subscription');
      const answer = await attempt(component('annotated'));
      await expectHonoured(answer, 'subscription', /on Subscription "by-subscription"/, before);
      expectRefused(await attempt({ annotations: disable }), /the policy does not allow it/);
    });

    it('by the ClusterServiceVersion when the policy lists it', async () => {
      await usePolicy('bypass: { sources: [csv] }\n');
      const before = await bypasses('csv');
      const answer = await attempt(component('plain'));
      await expectHonoured(answer, 'csv', /on ClusterServiceVersion "plain\.v1"/, before);
    });
  });

  it('nowhere when the policy allows no switch-offs', async () => {
    await usePolicy('bypass: { allowed: false }\n');
    expectRefused(await attempt({ annotations: disable }), /the policy does not allow it/);
    await usePolicy('');
  });

  it('never past what Kubernetes itself refuses', async () => {
    const stored = widgets('scopes');
    stored.metadata.annotations = disable;
    await create(cluster(), stored);
    const answer = await replace(cluster(), {
      ...stored,
      spec: { ...stored.spec, scope: 'Cluster' },
    });
    expect(answer.code).to.equal(422);
  });

  describe('in the end', () => {
    it('is logged by name', () => {
      const names = gate
        .logs()
        .filter(({ decision }) => decision === 'bypassed')
        .map(({ bypassedBy }) => String(bypassedBy));
      expect(names.join('\n'))
        .to.include('ClusterExtension "field-of-v1"')
        .and.to.include('Subscription "by-subscription"');
    });

    it('not when the cluster refuses to name the owner, and the caller is told', async () => {
      await kubectl(cluster(), 'delete', 'clusterrolebinding', 'olm-guard');
      const role = 'olm-guard-but-extensions';
      await kubectl(
        cluster(),
        ...['create', 'clusterrole', role, '--verb=get,list,watch'],
        '--resource=namespaces,customresourcedefinitions.apiextensions.k8s.io',
      );
      await kubectl(
        cluster(),
        ...['create', 'clusterrolebinding', role, `--clusterrole=${role}`],
        '--serviceaccount=olm-guard:olm-guard',
      );
      expectRefused(
        await attempt(owned('field-of-v1')),
        /ClusterExtension "field-of-v1" could not be read.*cannot get resource/,
      );
    });
  });
});
