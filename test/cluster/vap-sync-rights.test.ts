/** manifests/components/vap-sync: its command, with the rights that it gives, and those that an audit log saw used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import { auditRights } from './audited-rights.js';
import { breaking, create, kubeconfigOf, kubectl, replace, root } from './installed-gate.js';
import { definitionPath, widgets } from './widgets.js';

const account = 'system:serviceaccount:olm-guard:olm-guard-vap-sync';
const folder = 'manifests/components/vap-sync';

describe(folder, function () {
  this.timeout(300_000);
  const audit = auditRights(account);
  const cluster = useCluster({
    users: [{ name: account }],
    apiServerFlags: audit.apiServerFlags,
  });
  const { spec } = load(readFileSync(join(root, folder, 'cronjob.yaml'), 'utf8')) as {
    spec: {
      jobTemplate: { spec: { template: { spec: { containers: [{ args: string[] }] } } } };
    };
  };
  const [{ args }] = spec.jobTemplate.spec.template.spec.containers;

  /** The command of the CronJob; outside a pod a kubeconfig says who it is. */
  const sync = () => {
    expect(args).to.include('--in-cluster');
    const kubeconfig = `--kubeconfig=${kubeconfigOf(cluster(), account)}`;
    return run(args.map((word) => (word === '--in-cluster' ? kubeconfig : word)));
  };

  before(async () => {
    // Without the gate.
    await kubectl(cluster(), 'create', 'namespace', 'olm-guard');
    await kubectl(cluster(), 'apply', '-k', folder);
    for (const plural of ['widgets', 'gadgets'])
      expect((await create(cluster(), widgets(plural))).code).to.equal(201);
    const objects = '/apis/example.com/v1/namespaces/default/widgets';
    await until('an object to be taken', async () => {
      const { code } = await cluster().request('POST', objects, {
        ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } },
        spec: { mode: 'Fast', pollInterval: '1m' },
      });
      return code === 201 ? true : undefined;
    });
    // What the ClusterRoles with the label add up to; no controller aggregates them here.
    const role = {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
      metadata: { name: 'olm-guard-vap-sync-objects' },
      rules: [{ apiGroups: ['example.com'], resources: ['widgets', 'gadgets'], verbs: ['list'] }],
    };
    const stdin = JSON.stringify(role);
    const { code, stderr } = await cluster().kubectl(['replace', '-f', '-'], { stdin });
    expect(code, stderr).to.equal(0);
  });

  it('gives what its own command line uses, and nothing else', async () => {
    const first = await sync();
    expect(first.code, first.stderr).to.equal(0);
    await until('a breaking change to be denied', async () =>
      (await replace(cluster(), breaking(), { query: '?dryRun=All' })).code === 422
        ? true
        : undefined,
    );
    const path = definitionPath('gadgets');
    await cluster().request('DELETE', path);
    await until('the definition to go', async () =>
      (await cluster().request('GET', path)).code === 404 ? true : undefined,
    );
    const { code, stdout, stderr } = await sync();
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('removed ValidatingAdmissionPolicy/olm-guard.gadgets.example.com');
    await audit.expectUsed(cluster(), [
      'clusterroles/olm-guard-vap-sync',
      'clusterroles/olm-guard-vap-sync-objects',
    ]);
  });

  it('says whose objects it may not read, and leaves their policies as they are', async () => {
    expect((await create(cluster(), widgets('secretives'))).code).to.equal(201);
    const { code, stderr } = await sync();
    expect(stderr).to.match(
      /secretives\.example\.com: its policies stay as they were: .*forbidden/,
    );
    expect(stderr).not.to.match(/widgets\.example\.com: its policies stay/);
    expect(code).to.equal(1);
  });
});
