/** The rights in manifests/migrate, and those that an audit log saw a migration use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import { auditRights } from './audited-rights.js';
import { kubeconfigOf, root } from './installed-gate.js';
import { apply, createBeta, createObjects, storedVersions, widget } from './migrated-widgets.js';

const migrator = 'system:serviceaccount:olm-guard:olm-guard-migrate';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

describe('manifests/migrate', function () {
  this.timeout(180_000);
  const audit = auditRights(migrator);
  const cluster = useCluster({
    users: [{ name: migrator }],
    apiServerFlags: audit.apiServerFlags,
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

    await audit.expectUsed(cluster(), [
      'clusterroles/olm-guard-migrate',
      'namespaces/olm-guard/roles/olm-guard-migrate',
    ]);
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
