/** The rights in manifests/migrate, and those that an audit log saw a migration use. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import { kubeconfigOf, root } from './installed-gate.js';
import { apply, createBeta, createObjects, storedVersions, widget } from './migrated-widgets.js';

const migrator = 'system:serviceaccount:olm-guard:olm-guard-migrate';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface AuditEvent {
  readonly verb: string;
  readonly objectRef: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

describe('manifests/migrate', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-audit-'));
  const file = (name: string): string => join(folder, name);
  const rules = [{ level: 'Metadata', users: [migrator] }, { level: 'None' }];
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules };
  writeFileSync(file('policy.yaml'), JSON.stringify(policy));
  after(() => rmSync(folder, { recursive: true }));

  const cluster = useCluster({
    users: [{ name: migrator }],
    apiServerFlags: [
      `--audit-policy-file=${file('policy.yaml')}`,
      `--audit-log-path=${file('audit.log')}`,
    ],
  });

  const manifest = (name: string): string =>
    readFileSync(join(root, 'manifests/migrate', name), 'utf8');

  before(async () => {
    await cluster().kubectl(['create', 'namespace', 'olm-guard']);
    const stdin = `${manifest('rbac.yaml')}${manifest('job.yaml')}`;
    const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin });
    expect(code, stderr).to.equal(0);
  });

  it('gives what its own command line uses, and nothing else', async () => {
    await createBeta(cluster(), 'widgets', async () => {
      await createObjects(cluster(), 'widgets', 600);
      const applied = widget('widgets', 'applied', 'v1beta1');
      expect((await apply(cluster(), 'widgets', applied, 'helm')).code).to.equal(201);
    });
    const [, args = ''] = /args:\n((?: +- .*\n)+)/.exec(manifest('job.yaml')) ?? [];
    const words = [...args.matchAll(/- (.*)/g)].map(([, word = '']) => word);
    expect(words).to.include('--in-cluster');
    // Outside a pod: who it is, by a kubeconfig.
    const kubeconfig = `--kubeconfig=${kubeconfigOf(cluster(), migrator)}`;
    const ran = await run(words.map((word) => (word === '--in-cluster' ? kubeconfig : word)));
    expect(ran.code, ran.stdout + ran.stderr).to.equal(0);
    expect(await storedVersions(cluster(), 'widgets')).to.deep.equal(['v1']);

    const given = async (): Promise<string[]> => {
      const paths = ['/clusterroles/', '/namespaces/olm-guard/roles/'];
      const answers = await Promise.all(
        paths.map((path) => cluster().request('GET', `${rbac}${path}olm-guard-migrate`)),
      );
      return answers
        .flatMap(({ body }) => (body as unknown as { rules: Rule[] }).rules)
        .flatMap(({ apiGroups, resources, verbs }) =>
          verbs.map((verb) => `${verb} ${resources.join()} ${apiGroups.join()}`.trim()),
        );
    };
    const used = (): Set<string> =>
      new Set(
        readFileSync(file('audit.log'), 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as AuditEvent)
          .map(({ verb, objectRef, responseStatus }) => {
            expect(responseStatus?.code ?? 200, `${verb} ${objectRef.resource}`).not.to.equal(403);
            const { resource, subresource, apiGroup = '' } = objectRef;
            const of = subresource === undefined ? resource : `${resource}/${subresource}`;
            return `${verb} ${of} ${apiGroup}`.trim();
          }),
      );
    const rights = await given();
    await until('the audit log to be written', () =>
      rights.every((each) => used().has(each)) ? true : undefined,
    ).catch(() => expect([...used()]).to.have.members(rights));
    expect([...used()].sort()).to.deep.equal([...rights].sort());
  });

  it('says which right is missing, and stops at once', async () => {
    await createBeta(cluster(), 'sprigs', () => createObjects(cluster(), 'sprigs', 3));
    const kubeconfig = `--kubeconfig=${kubeconfigOf(cluster(), migrator)}`;
    const ran = await run(['migrate', 'run', 'sprigs.example.com', kubeconfig]);
    expect(ran.stderr).to.match(
      /^olm-guard: the cluster cannot be asked: .*cannot get resource "customresourcedefinitions"/,
    );
    expect(ran.code).to.equal(2);
    const rule = (apiGroup: string, resource: string) => ({
      ...{ apiGroups: [apiGroup], resources: [resource], verbs: ['get', 'list'] },
    });
    const made = await cluster().request('POST', `${rbac}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [
        rule('apiextensions.k8s.io', 'customresourcedefinitions'),
        rule('example.com', 'sprigs'),
      ],
    });
    expect(made.code, made.text).to.equal(201);
    await cluster().kubectl([
      ...['create', 'clusterrolebinding', 'reader', '--clusterrole=reader'],
      `--user=${migrator}`,
    ]);
    await until('the right to read', async () => {
      const { code } = await run(['migrate', 'plan', 'sprigs.example.com', kubeconfig]);
      return code === 1 ? true : undefined;
    });
    const reader = await run(['migrate', 'run', 'sprigs.example.com', kubeconfig]);
    expect(reader.stderr).to.match(/cannot be asked: .*cannot update resource "sprigs"/);
    expect(reader.code).to.equal(2);
  });
});
