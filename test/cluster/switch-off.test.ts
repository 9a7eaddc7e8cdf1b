/** Every way to switch the check off, as the cluster has it: honoured, and refused. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { parsePolicy } from '../../src/policy/parse.js';
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
  root,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import { definitions, specOf, widgets, type Definition } from './widgets.js';

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
        ...(kind === 'OperatorGroup' ? { subresources: { status: {} } } : {}),
      })),
    },
  };
}

const v1 = 'olm.operatorframework.io';
const classic = 'operators.coreos.com';

describe('switching the check off', () => {
  const switcher = { name: 'switcher', groups: ['system:masters', 'switchers'] };
  const auditFolder = mkdtempSync(join(tmpdir(), 'olm-guard-audit-'));
  after(() => rmSync(auditFolder, { recursive: true }));
  const auditLog = join(auditFolder, 'audit.log');
  const auditPolicy = join(auditFolder, 'policy.yaml');
  writeFileSync(
    auditPolicy,
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata', verbs: ['create', 'update', 'patch'] }, { level: 'None' }],
    }),
  );
  const cluster = useCluster({
    users: [{ name: serviceAccount }, switcher],
    apiServerFlags: [`--audit-policy-file=${auditPolicy}`, `--audit-log-path=${auditLog}`],
  });
  let gate: TestGate;
  let policyFolder: string;
  // Without the stored-objects check, so that every warning here is about a switch-off.
  const header =
    'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nbudgets: { storedObjectsSeconds: 0 }\n';

  before(async () => {
    policyFolder = join(cluster().folder, 'policy');
    mkdirSync(policyFolder);
    mountPolicy(header);
    symlinkSync(join('..data', 'policy.yaml'), join(policyFolder, 'policy.yaml'));
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await kubectl(cluster(), 'create', 'namespace', namespace);
    for (const definition of [
      olmKind(v1, 'clusterextensions', 'ClusterExtension', 'Cluster', ['v1', 'v1alpha1']),
      olmKind(v1, 'clusterobjectsets', 'ClusterObjectSet', 'Cluster', ['v1']),
      olmKind(classic, 'operatorgroups', 'OperatorGroup', 'Namespaced', ['v1']),
      olmKind(classic, 'subscriptions', 'Subscription', 'Namespaced', ['v1alpha1']),
      olmKind(classic, 'clusterserviceversions', 'ClusterServiceVersion', 'Namespaced', [
        'v1alpha1',
      ]),
    ]) {
      expect((await cluster().request('POST', definitions, definition)).code).to.equal(201);
    }
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      '--policy=manifests/base/policy.yaml',
      `--policy-overrides=${join(policyFolder, 'policy.yaml')}`,
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

  type Metadata = Partial<Definition['metadata']>;

  const letter = (index: number): string => String.fromCharCode(97 + index);
  const pluralOf = (index: number): string =>
    `things${letter(Math.floor(index / 26))}${letter(index % 26)}s`;
  const nextPlural = (): string => pluralOf(count++);
  let count = 0;

  /** A definition as a release brings it, with the annotations that somebody sets later. */
  async function stored({ annotations = {}, ...metadata }: Metadata): Promise<string> {
    const plural = nextPlural();
    const old = widgets(plural);
    Object.assign(old.metadata, metadata);
    const { code, text } = await create(cluster(), old);
    expect(code, text).to.equal(201);
    // While the API server still writes its status, what a review shows as stored may be older.
    await until(`${plural} to be established`, async () => {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.example.com`;
      const { body } = await cluster().request('GET', path);
      const { conditions } = body.status as { conditions?: { type: string; status: string }[] };
      const isEstablished = conditions?.some(
        ({ type, status }) => type === 'Established' && status === 'True',
      );
      return isEstablished === true ? true : undefined;
    });
    for (const [name, value] of Object.entries(annotations)) await annotate(plural, name, value);
    return plural;
  }

  async function annotate(plural: string, name: string, value: string): Promise<string> {
    const { code, stderr } = await cluster().kubectl([
      ...['annotate', '--overwrite', 'customresourcedefinition'],
      ...[`${plural}.example.com`, `${name}=${value}`],
    ]);
    expect(code, stderr).to.equal(0);
    return stderr;
  }

  /** What a breaking change of a stored definition with this metadata is answered. */
  async function attempt(metadata: Metadata, brought: Metadata = metadata): Promise<Answer> {
    return change(await stored(metadata), brought);
  }

  function change(plural: string, brought: Metadata): Promise<Answer> {
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
      const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin });
      if (stderr.includes('denied the request')) throw new Error(stderr);
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

  async function newSwitchOffs(by: string, counts: boolean): Promise<number> {
    const pattern = new RegExp(
      `^olm_guard_new_switch_offs_total\\{by="${by}",counts="${counts}"\\} (\\d+)$`,
      'm',
    );
    return Number(pattern.exec(await gate.metrics())?.[1] ?? 0);
  }

  async function expectHonoured(answer: Answer, by: string, words: RegExp, before: number) {
    expect(answer.code, `${answer.warnings.join('\n')}\n${answer.text}`).to.equal(200);
    expect(answer.warnings.join('\n'))
      .to.match(words)
      .and.to.include('crd-upgrade-safety is switched off by')
      .and.to.include('NoExistingFieldRemoved');
    // The API server asks again when somebody else wrote the object meanwhile.
    expect(await bypasses(by)).to.be.greaterThan(before);
  }

  function expectRefused(answer: Answer, words: RegExp): void {
    expect(answer.code, answer.text).to.equal(403);
    expect(answer.body.message).to.include('may not be removed');
    expect(answer.warnings.join('\n')).to.match(words);
  }

  const labelled = (name: string) => ({
    labels: {
      'olm.operatorframework.io/owner-kind': 'ClusterExtension',
      'olm.operatorframework.io/owner-name': name,
    },
  });

  async function referenceTo(kind: string, plural: string, name: string) {
    const { body } = await cluster().request('GET', `/apis/${v1}/v1/${plural}/${name}`);
    return { apiVersion: `${v1}/v1`, kind, name, uid: body.metadata?.uid ?? '' };
  }

  /** As OLM v1 installs: labels, and an owner reference. */
  const owned = async (name: string) => ({
    ...labelled(name),
    ownerReferences: [await referenceTo('ClusterExtension', 'clusterextensions', name)],
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

  it('also for a change that takes the annotation away', async () => {
    const before = await bypasses('crd');
    const plural = await stored({ annotations: disable });
    await expectHonoured(await change(plural, {}), 'crd', /annotation "olm-guard/, before);
    // From then on nothing is switched off.
    const next = breaking(plural);
    delete specOf(next).properties['replicas'];
    expect((await replace(cluster(), next)).code).to.equal(403);
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

  it('not of a single rule', async () => {
    const annotations = { 'olm-guard.io/disable': 'NoExistingFieldRemoved' };
    expectRefused(
      await attempt({ annotations }),
      /does not count: .*single rules are exempted in the policy/,
    );
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
      const { metadata, ...whole } = rest as { metadata?: { annotations: typeof disable } };
      await apply(`${v1}/${version}`, 'ClusterExtension', name, whole);
      for (const [key, value] of Object.entries(metadata?.annotations ?? {})) {
        await kubectl(cluster(), 'annotate', 'clusterextension', name, `${key}=${value}`);
      }
      await expectHonoured(await attempt(await owned(name)), 'clusterextension', words, before);
    });
  }

  it('annotation that Argo CD brings with the ClusterExtension', async () => {
    const before = await bypasses('clusterextension');
    const name = 'by-argo-cd';
    const extension = {
      apiVersion: `${v1}/v1`,
      kind: 'ClusterExtension',
      metadata: { name, annotations: disable },
      spec: { namespace: 'olm' },
    };
    const apply = ['apply', '--server-side', '--field-manager=argocd-controller', '-f', '-'];
    const { code, stderr } = await cluster().kubectl(apply, { stdin: JSON.stringify(extension) });
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/counts from the next change on/);
    const answer = await attempt(await owned(name));
    await expectHonoured(answer, 'clusterextension', /annotation "olm-guard/, before);
  });

  const unchecked = { install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } } };

  it('by the ClusterExtension whose revision owns it', async () => {
    await apply(`${v1}/v1`, 'ClusterExtension', 'by-revision', { spec: unchecked });
    const extension = await referenceTo('ClusterExtension', 'clusterextensions', 'by-revision');
    await apply(`${v1}/v1`, 'ClusterObjectSet', 'by-revision-1', {
      metadata: { ownerReferences: [extension] },
    });
    const revision = await referenceTo('ClusterObjectSet', 'clusterobjectsets', 'by-revision-1');
    const before = await bypasses('clusterextension');
    const answer = await attempt({ ...labelled('by-revision'), ownerReferences: [revision] });
    await expectHonoured(answer, 'clusterextension', /ClusterExtension "by-revision"/, before);
  });

  it('not by a ClusterExtension that owns something else, or does not exist', async () => {
    await apply(`${v1}/v1`, 'ClusterExtension', 'somebody-else', { spec: unchecked });
    expectRefused(await attempt({}), /^$/);
    expectRefused(await attempt(labelled('nobody')), /^$/);
    expectRefused(
      await attempt(labelled('somebody-else')),
      /ClusterExtension "somebody-else" is named by a label and does not own it/,
    );
    const extension = await referenceTo('ClusterExtension', 'clusterextensions', 'somebody-else');
    const stale = [{ ...extension, uid: 'another' }];
    expectRefused(
      await attempt({ ...labelled('somebody-else'), ownerReferences: stale }),
      /does not own it/,
    );
    // Ownership that the same request brings counts for the next one at most, and is said.
    expectRefused(
      await attempt({}, await owned('somebody-else')),
      /on ClusterExtension "somebody-else", which it names as its owner/,
    );
  });

  const patch = (path: string, metadata: object): Promise<Answer> =>
    cluster().request('PATCH', path, { metadata }, { contentType: 'application/merge-patch+json' });

  for (const suffix of ['', '/status']) {
    it(`told when a label and an owner reference claim it (${suffix})`, async () => {
      const plural = await stored({});
      const before = await newSwitchOffs('clusterextension', true);
      const metadata = await owned('somebody-else');
      const path = `${definitions}/${plural}.example.com${suffix}`;
      const { code, warnings } = await patch(path, metadata);
      expect(code).to.equal(200);
      expect(warnings.join()).to.match(/NewSwitchOff: .*which it names as its owner .* counts/);
      expect(await newSwitchOffs('clusterextension', true)).to.be.greaterThan(before);
    });
  }

  it('told when a write of the status brings it, which does not count, or widens it', async () => {
    const annotations = { 'olm-guard.io/disable': 'all' };
    const fresh = await stored({});
    const brought = await patch(`${definitions}/${fresh}.example.com/status`, { annotations });
    expect(brought.code).to.equal(200);
    expect(brought.warnings.join()).to.match(/NewSwitchOff: .* will not count/);
    expectRefused(await change(fresh, { annotations }), /does not count/);
    const plural = await stored({ annotations: { 'olm-guard.io/disable': 'catalogs' } });
    const before = await newSwitchOffs('crd', true);
    const widened = await patch(`${definitions}/${plural}.example.com/status`, { annotations });
    expect(widened.code).to.equal(200);
    expect(widened.warnings.join()).to.match(/NewSwitchOff: .* counts from the next change/);
    expect(await newSwitchOffs('crd', true)).to.be.greaterThan(before);
  });

  it('not on a custom resource by a write of its status, which takes no metadata', async () => {
    const name = 'through-status';
    // As a release brings it: together with the spec.
    const annotations = { 'olm-guard.io/disable': 'all' };
    const group = { metadata: { annotations }, spec: { targetNamespaces: [namespace] } };
    await apply(`${classic}/v1`, 'OperatorGroup', name, group);
    const path = `/apis/${classic}/v1/namespaces/${namespace}/operatorgroups/${name}`;
    const metadataOf = async (): Promise<object> => {
      const { body } = await cluster().request('GET', path);
      return { ...body.metadata, resourceVersion: '', managedFields: [] };
    };
    const before = await metadataOf();
    const answer = await patch(`${path}/status`, {
      annotations: { 'olm-guard.io/disable': 'all', other: 'one' },
      labels: { team: 'red' },
      ownerReferences: [
        await referenceTo('ClusterExtension', 'clusterextensions', 'somebody-else'),
      ],
      managedFields: [{}],
    });
    expect(answer.code, answer.text).to.equal(200);
    expect(await metadataOf()).to.deep.equal(before);
    // The record names who brings another value as its only setter, although none was taken.
    await cluster().request(
      'PATCH',
      `${path}/status?fieldManager=alone`,
      { metadata: { annotations: { 'olm-guard.io/disable': 'catalogs' } } },
      { contentType: 'application/merge-patch+json' },
    );
    const widened = await cluster().request(
      'PATCH',
      path,
      { spec: { targetNamespaces: [namespace, ''] } },
      { contentType: 'application/merge-patch+json' },
    );
    expect(widened.code, widened.text).to.equal(403);
    expect(widened.warnings.join()).to.match(
      /annotation "olm-guard\.io\/disable" .* does not count/,
    );
    await kubectl(cluster(), 'delete', '-n', namespace, 'operatorgroup', name);
  });

  it('not by a bundle that brings its own switch-off', async () => {
    const bundle = { annotations: { ...disable, ...rukpak } };
    expectRefused(await attempt({}, bundle), /does not count: only this request brings it/);
  });

  describe('when it is set', () => {
    const alone = /set it together with other fields; take it away and set it by itself/;

    it('is told to whoever sets it, and counted', async () => {
      const plural = await stored({});
      const before = await newSwitchOffs('crd', true);
      const said = await annotate(plural, 'olm-guard.io/disable', 'crd-upgrade-safety');
      expect(said).to.match(/Warning: NewSwitchOff: annotation .* counts from the next change/);
      expect(await newSwitchOffs('crd', true)).to.be.greaterThan(before);
    });

    it('does not count when a release creates the definition with it', async () => {
      const plural = nextPlural();
      const before = await newSwitchOffs('crd', false);
      const release = widgets(plural);
      release.metadata.annotations = disable;
      const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], {
        stdin: JSON.stringify(release),
      });
      expect(code, stderr).to.equal(0);
      expect(stderr).to.match(/NewSwitchOff: .* will not count: "kubectl-client-side-apply" set/);
      expect(await newSwitchOffs('crd', false)).to.be.greaterThan(before);
      expectRefused(await change(plural, { annotations: disable }), alone);
    });

    it('does not count when a harmless release brings it', async () => {
      const plural = nextPlural();
      const apply = async (edit: (definition: Definition) => void): Promise<string> => {
        const release = widgets(plural);
        edit(release);
        const stdin = JSON.stringify(release);
        const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin });
        expect(code, stderr).to.equal(0);
        return stderr;
      };
      await apply(() => undefined);
      const said = await apply((release) => {
        release.metadata.annotations = disable;
        specOf(release).properties['note'] = { type: 'string' };
      });
      expect(said).to.match(/NewSwitchOff: .* will not count/);
      expectRefused(await change(plural, { annotations: disable }), alone);
    });

    it('counts once it was taken away and set by itself', async () => {
      const plural = nextPlural();
      const release = widgets(plural);
      release.metadata.annotations = disable;
      await create(cluster(), release);
      // The same value again changes nothing, and so nobody else has set it.
      await annotate(plural, 'olm-guard.io/disable', 'crd-upgrade-safety');
      expectRefused(await change(plural, { annotations: disable }), alone);
      const name = `${plural}.example.com`;
      await kubectl(cluster(), 'annotate', 'crd', name, 'olm-guard.io/disable-');
      await annotate(plural, 'olm-guard.io/disable', 'crd-upgrade-safety');
      const before = await bypasses('crd');
      const answer = await change(plural, { annotations: disable });
      await expectHonoured(answer, 'crd', /annotation "olm-guard/, before);
    });

    const forged = [
      {
        manager: 'kubectl-annotate',
        operation: 'Update',
        apiVersion: 'apiextensions.k8s.io/v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:olm-guard.io/disable': {} } } },
      },
    ];

    it('is refused when the record of who set it is forged', async () => {
      const plural = nextPlural();
      const release = widgets(plural);
      release.metadata.annotations = disable;
      await create(cluster(), release);
      const metadata = { annotations: disable, managedFields: forged };
      const path = `${definitions}/${plural}.example.com`;
      const merge = { contentType: 'application/merge-patch+json' };
      const answer = await cluster().request('PATCH', path, { metadata }, merge);
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.body.message).to.include('NewSwitchOff: annotation "olm-guard.io/disable"');
      // A record that is thrown away proves nothing.
      const none = { metadata: { managedFields: [{}] } };
      expect((await cluster().request('PATCH', path, none, merge)).code).to.equal(200);
      expectRefused(await change(plural, { annotations: disable }), /managedFields is empty/);
      // Status writes cannot bring one in by the back door.
      const back = await cluster().request('PATCH', `${path}/status`, { metadata }, merge);
      expect(back.code).to.equal(200);
      expectRefused(await change(plural, { annotations: disable }), /managedFields is empty/);
    });

    it('is refused together with a change that leaves no other trace', async () => {
      const plural = await stored({ labels: { team: 'blue' } });
      const next = widgets(plural);
      next.metadata.annotations = disable;
      const answer = await replace(cluster(), next, { query: '?fieldManager=new' });
      expect(answer.code, answer.text).to.equal(403);
      expect(answer.body.message).to.include('the request changes more than this');
    });

    it('is for the group that the policy names', async () => {
      await usePolicy('bypass: { groups: [switchers] }\n');
      const plural = await stored({});
      const set = ['annotate', 'crd', `${plural}.example.com`, 'olm-guard.io/disable=all'];
      const others = await cluster().kubectl(set);
      expect(others.code).not.to.equal(0);
      expect(others.stderr).to.include('only members of switchers may set it');
      const members = await cluster().kubectl(set, { user: switcher.name });
      expect(members.code, members.stderr).to.equal(0);
      expect(
        (await change(plural, { annotations: { 'olm-guard.io/disable': 'all' } })).code,
      ).to.equal(200);
      await usePolicy('');
    });
  });

  describe('from Git, as docs/operations.md shows', () => {
    const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const [, section = ''] = page.split('### From Git');
    const [, policy = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? [];
    const { bypass } = parsePolicy(policy, 'docs/operations.md', new Set());
    const stranger = 'system:serviceaccount:widgets:operator';
    const tools = bypass.managers.map(({ name, users }) => ({ name, user: users?.[0] ?? '' }));

    before(async () => {
      await usePolicy(policy.slice(policy.indexOf('bypass:')));
      const subjects = [...tools.map(({ user }) => user), stranger].map((user) => {
        const [, , namespace, name] = user.split(':');
        return `--serviceaccount=${namespace}:${name}`;
      });
      const bind = ['create', 'clusterrolebinding', 'git', '--clusterrole=cluster-admin'];
      await kubectl(cluster(), ...bind, ...subjects);
    });
    after(() => usePolicy(''));

    async function applyAs(user: string, manager: string, definition: Definition) {
      const how = ['apply', '--server-side', '--force-conflicts', '-f', '-'];
      const who = [`--field-manager=${manager}`, `--as=${user}`];
      return cluster().kubectl([...how, ...who], { stdin: JSON.stringify(definition) });
    }

    function withSwitch(definition: Definition): Definition {
      definition.metadata.annotations = disable;
      return definition;
    }

    it('names both tools', () => {
      const names = tools.map(({ name }) => name);
      expect(names).to.deep.equal(['argocd-controller', 'kustomize-controller']);
    });

    for (const { name, user } of tools) {
      it(`counts when ${name} brings it with the definition, in reviews and in commands`, async () => {
        const plural = nextPlural();
        const set = await applyAs(user, name, withSwitch(widgets(plural)));
        expect(set.code, set.stderr).to.equal(0);
        expect(set.stderr).to.match(/NewSwitchOff: .* counts from the next change on/);

        const folder = mkdtempSync(join(cluster().folder, 'git-'));
        const get = ['get', 'crd', `${plural}.example.com`, '-o=json', '--show-managed-fields'];
        writeFileSync(join(folder, 'old.json'), await kubectl(cluster(), ...get));
        const next = withSwitch(breaking(plural));
        writeFileSync(join(folder, 'new.json'), JSON.stringify(next));
        writeFileSync(join(folder, 'policy.yaml'), policy);
        const { stdout } = spawnSync(
          process.execPath,
          [
            ...[join(root, 'dist', 'main.js'), 'check', 'crd', 'old.json', 'new.json'],
            '--policy=policy.yaml',
          ],
          { cwd: folder, encoding: 'utf8' },
        );
        expect(stdout).to.include('switched off by annotation "olm-guard.io/disable"');

        const before = await bypasses('crd');
        const broken = await applyAs(user, name, next);
        expect(broken.code, broken.stderr).to.equal(0);
        expect(broken.stderr).to.include('crd-upgrade-safety is switched off by annotation');
        expect(await bypasses('crd')).to.be.greaterThan(before);
      });

      it(`is refused when another user calls himself ${name}`, async () => {
        const refusal = new RegExp(`field manager "${name}" is not for this user`);
        const fresh = await applyAs(stranger, name, withSwitch(widgets(nextPlural())));
        expect(fresh.code).to.equal(1);
        expect(fresh.stderr).to.match(refusal);
        // What a release brought does not count, and cannot be made to count.
        const plural = nextPlural();
        const release = await applyAs(stranger, 'operator', withSwitch(widgets(plural)));
        expect(release.stderr).to.match(/will not count: "operator" set it together .*bypass\.man/);
        const adopted = await applyAs(stranger, name, withSwitch(widgets(plural)));
        expect(adopted.code).to.equal(1);
        expect(adopted.stderr).to.match(refusal);
        expectRefused(await change(plural, { annotations: disable }), /bypass\.managers/);
      });
    }
  });

  const malformed: [name: string, annotations: Record<string, string>, words: RegExp][] = [
    ['an unknown family', { 'olm-guard.io/disable': 'crd-safety' }, /not a check family/],
    ['a single rule', { 'olm-guard.io/disable': 'NoScopeChange' }, /single rules are exempted/],
    [
      'a time that has passed',
      { ...disable, 'olm-guard.io/disable-until': '2020-01-01T00:00:00Z' },
      /has passed; set a later time, or take the annotations away/,
    ],
    [
      'a time that is none',
      { ...disable, 'olm-guard.io/disable-until': 'tomorrow' },
      /is not an RFC 3339 time, such as /,
    ],
    [
      'rukpak with another word',
      { ...rukpak, 'core.rukpak.io/safe-crd-upgrade-validation': 'no' },
      /neither/,
    ],
    [
      'a name that is nearly its own',
      { 'olm-guard.io/disabel': 'all' },
      /there is none of that name \(did you mean "olm-guard\.io\/disable"\?\)/,
    ],
    ['another family', { 'olm-guard.io/disable': 'catalogs' }, /^$/],
  ];
  for (const [name, annotations, words] of malformed) {
    it(`not by ${name}`, async () => {
      expectRefused(await attempt({ annotations }), words);
    });
  }

  it('kubectl is told of an exemption that let a change pass', async () => {
    await usePolicy(
      'exemptions: [{ names: ["*.example.com"], rules: [FieldRemoved], reason: nobody set it }]\n',
    );
    const plural = await stored({});
    const remove = [
      ...['patch', 'crd', `${plural}.example.com`, '--type=json', '-p'],
      '[{"op":"remove","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/pollInterval"}]',
    ];
    const { code, stderr } = await cluster().kubectl(remove);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(
      /^Warning: exemption "nobody set it" of the policy: 1 finding not enforced \(NoExistingFieldRemoved\)$/m,
    );
    await usePolicy('');
  });

  it('of an OperatorGroup on the group itself', async () => {
    const groupOf = (targetNamespaces: string[]): object => ({ spec: { targetNamespaces } });
    const both = [namespace, ''];
    await apply(`${classic}/v1`, 'OperatorGroup', 'group', groupOf([namespace]));
    const path = `/apis/${classic}/v1/namespaces/${namespace}/operatorgroups/group`;
    const widen = (): Promise<Answer> =>
      cluster().request('PATCH', path, groupOf(both), {
        contentType: 'application/merge-patch+json',
      });
    const refused = await widen();
    expect(refused.code, refused.text).to.equal(403);
    expect(refused.body.message).to.include('OperatorGroupTargets');
    const value = 'olm-guard.io/disable=operator-groups';
    await kubectl(cluster(), 'annotate', '-n', namespace, 'operatorgroup', 'group', value);
    const answer = await widen();
    expect(answer.code, answer.text).to.equal(200);
    expect(answer.warnings.join('\n')).to.match(
      /operator-groups is switched off by annotation "olm-guard\.io\/disable" on OperatorGroup "group": .*OperatorGroupTargets/,
    );
    expect(await gate.metrics()).to.match(
      /olm_guard_bypasses_total\{by="operatorgroup",family="operator-groups"\} [1-9]/,
    );
  });

  describe('of an OperatorGroup by the tenant who has its namespace', () => {
    const [tenant, neighbour, shared] = ['tenant', 'neighbour', 'shared'];
    const api = 'Tent.v1.camping.example.com';
    const conflict = 'OperatorGroupIntersection';
    const pathOf = (place: string): string =>
      `/apis/${classic}/v1/namespaces/${place}/operatorgroups/group`;
    const patch = (path: string, change: object): Promise<Answer> =>
      cluster().request('PATCH', path, change, { contentType: 'application/merge-patch+json' });
    const target = (...targetNamespaces: string[]): Promise<Answer> =>
      patch(`${pathOf(tenant)}?dryRun=All`, { spec: { targetNamespaces } });
    const annotate = (...annotations: string[]): Promise<string> =>
      kubectl(cluster(), 'annotate', '-n', tenant, 'operatorgroup', 'group', ...annotations);

    before(async () => {
      for (const name of [tenant, neighbour, shared]) {
        await kubectl(cluster(), 'create', 'namespace', name);
      }
      const groups: [place: string, targets: string, annotations: Record<string, string>][] = [
        [tenant, tenant, {}],
        [neighbour, shared, { 'olm.providedAPIs': api }],
      ];
      for (const [place, targets, annotations] of groups) {
        await apply(`${classic}/v1`, 'OperatorGroup', 'group', {
          metadata: { namespace: place, annotations },
          spec: { targetNamespaces: [targets] },
        });
        const status = { namespaces: [targets] };
        const written = await patch(`${pathOf(place)}/status`, { status });
        expect(written.code, written.text).to.equal(200);
      }
      const modes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];
      await apply(`${classic}/v1alpha1`, 'ClusterServiceVersion', 'tents.v1', {
        metadata: { namespace: tenant },
        spec: {
          installModes: modes.map((type) => ({ type, supported: true })),
          customresourcedefinitions: {
            owned: [{ name: 'tents.camping.example.com', version: 'v1', kind: 'Tent' }],
          },
        },
        status: { phase: 'Succeeded' },
      });
      await until('the gate to know all of it', async () => {
        const { code, body } = await target(shared);
        return (code === 403 && body.message?.includes(conflict)) || undefined;
      });
    });
    after(() => usePolicy(''));

    it('lifts nothing that protects the other namespaces, and says why', async () => {
      for (const families of ['operator-groups', 'all']) {
        await annotate('--overwrite', `olm-guard.io/disable=${families}`);
        const { code, text, body, warnings } = await target(shared);
        expect(code, text).to.equal(403);
        expect(body.message).to.include(`${api} is already provided by OperatorGroup group`);
        expect(warnings.join('\n')).to.include(
          `annotation "olm-guard.io/disable" on OperatorGroup "group" does not count for ${conflict}, which protects other namespaces (bypass.clusterWide in the policy)`,
        );
      }
    });

    it('lifts what concerns the namespace alone', async () => {
      const { code, text, warnings } = await target(tenant, '');
      expect(code, text).to.equal(200);
      expect(warnings.join('\n')).to.match(
        /operator-groups is switched off by .*OperatorGroupTargets/,
      );
    });

    it('does not count in the request that brings it', async () => {
      await annotate('olm-guard.io/disable-');
      await usePolicy('bypass: { clusterWide: true }\n');
      const { code, warnings } = await patch(`${pathOf(tenant)}?dryRun=All`, {
        metadata: { annotations: { 'olm-guard.io/disable': 'operator-groups' } },
        spec: { targetNamespaces: [shared] },
      });
      expect(code).to.equal(403);
      expect(warnings.join('\n')).to.include('only this request brings it');
    });

    it('lifts the conflict where the policy says so, and is counted', async () => {
      await annotate('olm-guard.io/disable=operator-groups');
      const { code, text, warnings } = await target(shared);
      expect(code, text).to.equal(200);
      expect(warnings.join('\n')).to.match(
        new RegExp(
          `operator-groups is switched off by annotation .* on OperatorGroup "group": .*${conflict}`,
        ),
      );
      expect(await gate.metrics()).to.match(
        /olm_guard_bypasses_total\{by="operatorgroup",family="operator-groups"\} [1-9]/,
      );
    });

    it('lifts it no longer once its time is over, and says so', async () => {
      await annotate('olm-guard.io/disable-until=2020-01-01T00:00:00Z');
      const { code, warnings } = await target(shared);
      expect(code).to.equal(403);
      expect(warnings.join('\n')).to.match(/does not count: .*2020-01-01T00:00:00Z" has passed/);
    });

    it('lifts nothing where the policy does not list OperatorGroups', async () => {
      await annotate('olm-guard.io/disable-until-');
      await usePolicy('bypass: { clusterWide: true, sources: [crd] }\n');
      const { code, warnings } = await target(shared);
      expect(code).to.equal(403);
      expect(warnings.join('\n')).to.include('does not count: the policy does not allow it');
    });
  });

  describe('of an OperatorGroup by its members', () => {
    const place = 'members';
    const path = `/apis/${classic}/v1/namespaces/${place}/operatorgroups/group`;
    const widen = (): Promise<Answer> =>
      cluster().request(
        'PATCH',
        `${path}?dryRun=All`,
        { spec: { targetNamespaces: [place, ''] } },
        { contentType: 'application/merge-patch+json' },
      );
    const annotate = async (kind: string, name: string): Promise<string> =>
      kubectl(cluster(), 'annotate', '-n', place, kind, name, 'olm-guard.io/disable=all');

    before(async () => {
      const metadata = { namespace: place };
      await kubectl(cluster(), 'create', 'namespace', place);
      await apply(`${classic}/v1`, 'OperatorGroup', 'group', {
        metadata,
        spec: { targetNamespaces: [place] },
      });
      await apply(`${classic}/v1alpha1`, 'ClusterServiceVersion', 'member.v1', {
        metadata,
        spec: { installModes: [{ type: 'OwnNamespace', supported: true }] },
      });
      await apply(`${classic}/v1alpha1`, 'Subscription', 'member', {
        metadata,
        spec: { name: 'member' },
        status: { installedCSV: 'member.v1' },
      });
      await annotate('clusterserviceversion', 'member.v1');
      await annotate('subscription', 'member');
    });
    after(() => usePolicy(''));

    it('not while the policy lists neither, and both are said', async () => {
      const { code, text, body, warnings } = await widen();
      expect(code, text).to.equal(403);
      expect(body.message).to.include('OperatorGroupTargets');
      for (const [kind, source] of [
        ['ClusterServiceVersion', 'csv'],
        ['Subscription', 'subscription'],
      ] as const) {
        expect(warnings.join('\n')).to.include(
          `annotation "olm-guard.io/disable" on the ${kind} in "members" does not count: bypass.sources of the policy does not list ${source}`,
        );
      }
    });

    for (const [source, what] of [
      ['csv', 'ClusterServiceVersion "member.v1"'],
      ['subscription', 'Subscription "member"'],
    ] as const) {
      it(`by the ${what} when the policy lists ${source}`, async () => {
        await usePolicy(`bypass: { sources: [${source}] }\n`);
        const { code, text, warnings } = await widen();
        expect(code, text).to.equal(200);
        expect(warnings.join('\n')).to.include(
          `operator-groups is switched off by annotation "olm-guard.io/disable" on ${what}`,
        );
        expect(warnings.join('\n')).not.to.include('does not count');
      });
    }
  });

  describe('on what OLM classic installs', () => {
    before(async () => {
      const annotated = async (kind: string, name: string): Promise<void> => {
        const value = `olm-guard.io/disable=${disable['olm-guard.io/disable']}`;
        await kubectl(cluster(), 'annotate', '-n', namespace, kind, name, value);
      };
      await apply(`${classic}/v1alpha1`, 'Subscription', 'by-subscription', {
        spec: { name: 'annotated' },
        status: { installedCSV: 'plain.v1' },
      });
      await annotated('subscription', 'by-subscription');
      await apply(`${classic}/v1alpha1`, 'Subscription', 'by-csv', {
        spec: { name: 'plain' },
        status: { installedCSV: 'plain.v1' },
      });
      // What is installed says which definitions it owns.
      const owned = Array.from({ length: 60 }, (_, index) => {
        const { names } = widgets(pluralOf(index)).spec;
        return { name: `${names.plural}.example.com`, kind: names.kind, version: 'v1' };
      });
      await apply(`${classic}/v1alpha1`, 'ClusterServiceVersion', 'plain.v1', {
        spec: { customresourcedefinitions: { owned } },
      });
      await annotated('clusterserviceversion', 'plain.v1');
    });
    after(() => usePolicy(''));

    it('neither by Subscription nor by ClusterServiceVersion while the policy does not list them', async () => {
      const unlisted = (kind: string, source: string): RegExp =>
        new RegExp(
          `annotation "olm-guard\\.io/disable" on the ${kind} in "operators" does not count: bypass\\.sources of the policy does not list ${source}`,
        );
      expectRefused(
        await attempt(component('annotated')),
        unlisted('Subscription', 'subscription'),
      );
      expectRefused(await attempt(component('plain')), unlisted('ClusterServiceVersion', 'csv'));
      // Where nothing is denied nothing is said.
      const plural = await stored(component('annotated'));
      const harmless = widgets(plural);
      Object.assign(harmless.metadata, component('annotated'));
      specOf(harmless).properties['note'] = { type: 'string' };
      const passed = await replace(cluster(), harmless);
      expect(passed.code, passed.text).to.equal(200);
      expect(passed.warnings.join()).not.to.include('does not count');
    });

    it('by the Subscription when the policy lists it', async () => {
      await usePolicy('bypass: { sources: [subscription] }\n');
      const before = await bypasses('subscription');
      const answer = await attempt(component('annotated'));
      await expectHonoured(answer, 'subscription', /on Subscription "by-subscription"/, before);
      expectRefused(await attempt({ annotations: disable }), /the policy does not allow it/);
    });

    it('not by a Subscription that only a label names', async () => {
      await usePolicy('bypass: { sources: [subscription, csv] }\n');
      await apply(`${classic}/v1alpha1`, 'Subscription', 'foreign', { spec: { name: 'foreign' } });
      expectRefused(
        await attempt(component('foreign')),
        /the Subscription to "foreign" in "operators" is named by a label and did not install it/,
      );
    });

    it('by the ClusterServiceVersion when the policy lists it', async () => {
      await usePolicy('bypass: { sources: [csv] }\n');
      const before = await bypasses('csv');
      const answer = await attempt(component('plain'));
      await expectHonoured(answer, 'csv', /on ClusterServiceVersion "plain\.v1"/, before);
      // OLM labels a definition a while after its operator has come.
      expectRefused(
        await attempt({}),
        /a switch-off on the ClusterServiceVersion that owns it does not count: the definition has no label/,
      );
      await apply(`${classic}/v1alpha1`, 'ClusterServiceVersion', 'unlabelled.v1', { spec: {} });
      const { stderr } = await cluster().kubectl([
        ...['annotate', 'clusterserviceversion', 'unlabelled.v1', `--namespace=${namespace}`],
        'olm-guard.io/disable=crd-upgrade-safety',
      ]);
      expect(stderr).to.include(
        'counts from the next change on, for a definition once OLM has labelled it operators.coreos.com/PACKAGE.NAMESPACE',
      );
    });
  });

  it('nowhere when the policy allows no switch-offs', async () => {
    await usePolicy('bypass: { allowed: false }\n');
    expectRefused(await attempt({ annotations: disable }), /the policy does not allow it/);
    await usePolicy('');
  });

  it('never past what Kubernetes itself refuses', async () => {
    const plural = await stored({ annotations: disable });
    const { spec, ...whole } = widgets(plural);
    const answer = await replace(cluster(), { ...whole, spec: { ...spec, scope: 'Cluster' } });
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

    it('stands in the API server’s audit log: who set one, and what it let through', () => {
      const notes = readFileSync(auditLog, 'utf8')
        .trimEnd()
        .split('\n')
        .flatMap((line) => {
          const {
            annotations = {},
            user,
            objectRef,
          } = JSON.parse(line) as {
            annotations?: Record<string, string>;
            user: { username: string };
            objectRef: { resource: string };
          };
          return Object.entries(annotations).map(([key, value]) => ({
            key,
            value,
            who: user.username,
            what: objectRef.resource,
          }));
        });
      const said = (key: string, what: string, value: RegExp): boolean =>
        notes.some(
          (note) =>
            note.key === `${what}.olm-guard.io/${key}` &&
            note.who !== '' &&
            note.what === what &&
            value.test(note.value),
        );
      const definitionsOf = 'customresourcedefinitions';
      expect(
        said(
          'new-switch-off',
          definitionsOf,
          / on CustomResourceDefinition ".*" \(crd-upgrade-safety\)$/,
        ),
      ).to.equal(true);
      expect(said('new-switch-off', definitionsOf, / \(does not count\)$/)).to.equal(true);
      expect(said('bypassed-by', definitionsOf, /^crd crd-upgrade-safety: annotation/)).to.equal(
        true,
      );
      expect(said('bypassed-by', definitionsOf, /^clusterextension crd-upgrade-safety: /)).to.equal(
        true,
      );
      expect(said('new-switch-off', 'operatorgroups', /OperatorGroup "group"/)).to.equal(true);
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
        await attempt(await owned('field-of-v1')),
        /ClusterExtension "field-of-v1" could not be read.*cannot get resource/,
      );
    });
  });
});
