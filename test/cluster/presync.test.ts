/** `examples/presync` as a pod of its Job would run it: its rights, its command line, its exit code. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { loadAll } from 'js-yaml';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { root, run, type Ended } from '../cli/command.js';
import { kubectl } from './installed-gate.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly template: { readonly spec: { readonly containers: { readonly args: string[] }[] } };
  };
}

const account = 'system:serviceaccount:operators:crd-check';
const example = join(root, 'examples', 'presync');
const installed = readFileSync(
  join(root, 'examples', 'cluster', 'customresourcedefinition-samples.yaml'),
  'utf8',
);

describe('examples/presync', function () {
  this.timeout(180_000);
  const cluster = useCluster({ users: [{ name: account }] });
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-presync-'));
  after(() => rmSync(folder, { recursive: true }));
  let manifests: Manifest[];

  before(async () => {
    const rendered = await cluster().kubectl(['kustomize', example]);
    expect(rendered.code, rendered.stderr).to.equal(0);
    manifests = loadAll(rendered.stdout) as Manifest[];
    await kubectl(cluster(), 'create', 'namespace', 'operators');
    const applied = await cluster().kubectl(['apply', '-f', '-'], { stdin: rendered.stdout });
    expect(applied.code, applied.stderr).to.equal(0);
  });

  it('needs nothing that a PreSync hook does not find: all are hooks, and the Job the last', () => {
    for (const { kind, metadata } of manifests) {
      const { annotations = {} } = metadata;
      expect(annotations['argocd.argoproj.io/hook'], metadata.name).to.equal('PreSync');
      const wave = kind === 'Job' ? undefined : '-1';
      expect(annotations['argocd.argoproj.io/sync-wave'], metadata.name).to.equal(wave);
    }
    const kinds = manifests.map(({ kind }) => kind);
    expect(kinds).to.include.members(['Job', 'ConfigMap', 'ServiceAccount', 'ClusterRoleBinding']);
  });

  /** The Job's container, with these definitions mounted. */
  function runJob(definitions: Readonly<Record<string, string>>): Promise<Ended> {
    const mounted = join(folder, 'definitions');
    const secrets = join(folder, 'serviceaccount');
    for (const each of [mounted, secrets]) {
      rmSync(each, { recursive: true, force: true });
      mkdirSync(each);
    }
    for (const [name, text] of Object.entries(definitions)) {
      writeFileSync(join(mounted, name), text);
    }
    copyFileSync(cluster().caFile, join(secrets, 'ca.crt'));
    writeFileSync(join(secrets, 'token'), cluster().tokenOf(account));
    const { hostname, port } = new URL(cluster().url);
    const job = manifests.find(({ kind }) => kind === 'Job');
    const args = job?.spec?.template.spec.containers[0]?.args ?? [];
    const pod = pathToFileURL(join(root, 'test', 'apiserver', 'pod.mjs')).href;
    return run(
      args.map((word) => (word === '/definitions' ? mounted : word)),
      {
        env: {
          ...{ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
          ...{ HOME: folder, KUBECONFIG: '' },
          ...{ POD_FOLDER: secrets, NODE_OPTIONS: `--import=${pod}` },
        },
      },
    );
  }

  it('lets pass what is new, and what is compatible, and ends with 1 for what breaks', async () => {
    const shipped = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const first = await until('its rights', async () => {
      const ended = await runJob(shipped);
      return ended.code === 2 && ended.stderr.includes('cannot') ? undefined : ended;
    });
    expect(first.stdout, first.stderr).to.include('1 added');
    expect(first.code).to.equal(0);
    const stdin = installed;
    const applied = await cluster().kubectl(['apply', '-f', '-'], { stdin });
    expect(applied.code, applied.stderr).to.equal(0);
    await kubectl(cluster(), 'wait', '--for=condition=Established', 'crd/samples.test.example.com');
    const compatible = await runJob(shipped);
    expect(compatible.stdout, compatible.stderr).to.include('1 allowed, 0 denied');
    expect(compatible.code).to.equal(0);
    const breaking = readFileSync(join(root, 'examples', 'upgrades', 'field-removed.yaml'), 'utf8');
    const denied = await runJob({ 'samples.yaml': breaking });
    expect(denied.stdout, denied.stderr).to.include('0 allowed, 1 denied');
    expect(denied.code).to.equal(1);
  });
});
