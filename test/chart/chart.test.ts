/** The Helm chart, by real Helm on a real API server: as the manifests, and through its whole life. */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import {
  isObject,
  metaOf,
  own,
  parseDocuments,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import {
  kubectl,
  kustomize,
  root,
  webhookConfiguration,
  webhooksOf,
} from '../cluster/installed-gate.js';

const chart = join(root, 'chart');
const valuesFiles = readdirSync(join(chart, 'values'));
const manifestsReadme = readFileSync(join(root, 'manifests', 'README.md'), 'utf8');

type Way = readonly [resource: string, components: readonly string[], args: readonly string[]];

/** The combinations of manifests/README.md, and how to have them of Helm. */
const documentedWays = [
  ...manifestsReadme.matchAll(/^\| [^|]+ \| `([^`|]+)` \| ([^|]*)\| `(--[^`|]+)` \|$/gm),
].map(([, resource = '', components = '', args = '']): Way => [
  resource,
  [...components.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  args.split(' --').map((arg, index) => (index === 0 ? arg : `--${arg}`).replace(' ', '=')),
]);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('chart', function () {
  this.timeout(300_000);
  const cluster = useCluster();

  async function helm(...args: string[]): Promise<Ran> {
    const program = (await ensurePrograms(['helm'])).get('helm') ?? 'helm';
    const { folder, kubeconfigPath } = cluster();
    const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: kubeconfigPath };
    const child = spawn(program, args, { cwd: root, env });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    const code = await new Promise<number>((resolve) =>
      child.on('close', (status) => resolve(status ?? -1)),
    );
    return { code, ...said };
  }

  async function run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await helm(...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  const rendered = (...args: string[]): Promise<string> =>
    run('template', 'olm-guard', chart, '--namespace=olm-guard', '--skip-tests', ...args);

  const valuesOf = (name: string): string => `--values=${chart}/values/${name}.yaml`;
  const ways: Way[] = [
    ['base', [], ['--set=certificates=manual']],
    ['overlays/default', [], []],
    ['overlays/observe', [], [valuesOf('observe')]],
    ['overlays/documented', [], [valuesOf('documented')]],
    ['overlays/enforcing', [], [valuesOf('enforcing')]],
    ...documentedWays.flatMap(([resource, components, args]): Way[] => [
      [resource, components, args],
      [resource, [...components, 'enforcing'], [...args, '--set=enforcing=true']],
    ]),
    ['base', ['cert-manager', 'observe'], ['--set=certificates=cert-manager', valuesOf('observe')]],
    [
      'overlays/default',
      ['monitoring', 'metrics-access'],
      ['--set=metricsAccess=authorized,monitoring=true'],
    ],
    [
      'overlays/default',
      ['client-certificate', 'events'],
      ['--set=events=true,clientCertificate.enabled=true'],
    ],
    ['overlays/default', ['dashboard'], ['--set=dashboard.enabled=true']],
    ['overlays/default', ['conversion'], ['--set=conversion=true']],
    ['overlays/default', ['vap-sync'], ['--set=vapSync.enabled=true']],
    ['base', ['openshift', 'conversion'], ['--set=conversion=true', valuesOf('openshift')]],
  ];
  for (const [resource, components, args] of ways) {
    for (const namespace of ['olm-guard', 'guarding']) {
      const what = [`manifests/${resource}`, ...components].join(' and ');
      it(`renders in namespace ${namespace} what ${what} are there`, async () => {
        const elsewhere = { namespace, transformers: ['namespace'] };
        const [ours, theirs] = await Promise.all([
          run('template', 'olm-guard', chart, `--namespace=${namespace}`, '--skip-tests', ...args),
          kustomize(cluster(), resource, components, namespace === 'olm-guard' ? {} : elsewhere),
        ]);
        const found = objectsOf(ours);
        const expected = objectsOf(theirs);
        // Helm is told the namespace; a release does not own it.
        expect(expected.delete(`Namespace ${namespace}`)).to.equal(true);
        expect([...found.keys()].sort()).to.deep.equal([...expected.keys()].sort());
        for (const [name, object] of expected) expect(found.get(name), name).to.deep.equal(object);
      });
    }
  }

  it('compares each component with the chart', () => {
    const compared = new Set(ways.flatMap(([, components]) => components));
    // In each overlay.
    compared.add('self-managed');
    expect([...compared].sort()).to.deep.equal(
      readdirSync(join(root, 'manifests', 'components')).sort(),
    );
    const overlays = ways.flatMap(([resource]) => /^overlays\/(.*)/.exec(resource)?.[1] ?? []);
    expect([...new Set(overlays)].sort()).to.deep.equal(
      readdirSync(join(root, 'manifests', 'overlays')).sort(),
    );
  });

  it('has beside it the kustomization that manifests/README.md shows', async () => {
    const [, shown = ''] = /^```yaml\n([^]*?)^```$/m.exec(manifestsReadme) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-chart-'));
    symlinkSync(root, join(folder, 'olm-guard'));
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine', 'kustomization.yaml'), shown);
    const text = await kubectl(cluster(), 'kustomize', join(folder, 'mine'));
    rmSync(folder, { recursive: true });
    const expected = await kustomize(cluster(), 'base', ['cert-manager', 'monitoring']);
    expect(text).to.equal(
      expected.replace('image: olm-guard:', 'image: registry.example.com/olm-guard:'),
    );
  });

  it('sends whoever is alerted to the runbook, where the documents are', async () => {
    const docs = 'https://docs.example.com/olm-guard/v1.2.3/docs';
    const set = `--set=monitoring=true,docsUrl=${docs}`;
    const text = await rendered(set);
    const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
    const sections = [...runbook.matchAll(/^## (\S+)$/gm)].map(([, name = '']) =>
      name.toLowerCase(),
    );
    const urls = [...text.matchAll(/runbook_url: (\S+)/g)].map(([, url]) => url);
    expect(urls).to.deep.equal(sections.map((section) => `${docs}/runbook.md#${section}`));
    expect(text.match(/alert: /g)).to.have.length(urls.length);
    const { code, stderr } = await helm('template', 'guard', chart, '--set=docsUrl=ftp://docs');
    expect(code).to.equal(1);
    expect(stderr).to.include('docsUrl');
  });

  it('has the runbook where an annotation says, by transformers/runbook', async () => {
    const path = '/metadata/annotations/olm-guard.io~1runbook';
    const value = 'https://wiki.example.com/olm-guard/runbook';
    const patch = JSON.stringify([{ op: 'replace', path, value }]);
    const text = await kustomize(cluster(), 'overlays/default', ['monitoring'], {
      patches: [{ target: { kind: 'PrometheusRule' }, patch }],
      transformers: ['runbook'],
    });
    const urls = [...text.matchAll(/runbook_url: (\S+)#\w+$/gm)].map(([, url]) => url);
    expect(new Set(urls)).to.deep.equal(new Set([value]));
    expect(urls).to.have.length(text.match(/alert: /g)?.length ?? 0);
  });

  it('does not tell denials that anybody may have made up', async () => {
    const { code, stderr } = await helm('template', 'guard', chart, '--set=events=true');
    expect(code).to.equal(1);
    expect(stderr).to.include('Set aggregatedApi=true or clientCertificate.enabled=true too');
  });

  for (const file of ['', ...valuesFiles]) {
    it(`${file === '' ? 'the defaults' : `values/${file}`} render to what the API server accepts`, async () => {
      const args = file === '' ? [] : [`--values=${chart}/values/${file}`];
      const text = await run('template', 'guard', chart, '--namespace=default', ...args);
      const known = text
        .split(/^---$/m)
        // Kinds of others, and a namespace that only OpenShift has.
        .filter(
          (each) =>
            !/(cert-manager\.io|monitoring\.coreos\.com)\/v1$|namespace: openshift-marketplace/m.test(
              each,
            ),
        )
        .join('---');
      const { code, stderr } = await cluster().kubectl(['apply', '--dry-run=server', '-f', '-'], {
        stdin: known,
      });
      expect(code, stderr).to.equal(0);
    });
  }

  it('has the version of the package', async () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
    const [document] = parseDocuments(await run('show', 'chart', chart));
    expect(document?.value).to.deep.include({
      version: own(manifest as JsonObject, 'version'),
      appVersion: own(manifest as JsonObject, 'version'),
    });
  });

  it('names its namespace wherever the manifests name theirs', async () => {
    const text = await run(
      'template',
      'guard',
      chart,
      '--namespace=elsewhere',
      '--set=certificates=cert-manager',
    );
    const named = text.match(
      /olm-guard\.\S+\.svc|inject-ca-from: \S+|namespace: \S+|values: \[\S+\]/g,
    );
    expect(new Set(named)).to.deep.equal(
      new Set([
        'olm-guard.elsewhere.svc',
        'inject-ca-from: elsewhere/olm-guard',
        'namespace: elsewhere',
        'values: [elsewhere]',
      ]),
    );
  });

  it('leaves metrics and alerts with OLM’s names to OLM, where told', async () => {
    const alertsOf = (text: string): string[] =>
      [...text.matchAll(/- alert: ((?:Csv|InstallPlan|CatalogSource)\w+)/g)].map(
        ([, name = '']) => name,
      );
    const monitoring = ['template', 'guard', chart, '--set=monitoring=true'];
    const beside = await run(...monitoring);
    expect(beside).not.to.include('--olm-metrics=off');
    expect(alertsOf(beside)).to.have.length(4);
    const without = await run(...monitoring, '--set=olmMetrics=false');
    expect(without).to.include('- --olm-metrics=off');
    expect(alertsOf(without)).to.deep.equal(['CatalogSourceNotReady']);
  });

  it('can be told what a platform needs', async () => {
    const values = {
      nameOverride: 'gate',
      commonLabels: { team: 'platform' },
      podLabels: { tier: 'control' },
      podAnnotations: { 'example.com/mesh': 'off' },
      serviceAccount: { create: false, name: 'reviewer' },
      priorityClassName: 'system-cluster-critical',
      imagePullSecrets: [{ name: 'registry' }],
      topologySpreadConstraints: [],
      nodeSelector: { role: 'infra' },
      tolerations: [{ key: 'infra', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      podDisruptionBudget: false,
      strategy: { type: 'Recreate', rollingUpdate: null },
      revisionHistoryLimit: 0,
      hostNetwork: true,
      ports: { https: 10250, metrics: 9090 },
      extraArgs: ['--log-level=debug'],
      env: [{ name: 'TZ', value: 'UTC' }],
      extraVolumes: [{ name: 'catalogs', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'catalogs', mountPath: '/catalogs' }],
      timeoutSeconds: 5,
      failurePolicies: { operatorgroups: 'Fail' },
      matchConditions: [{ name: 'not-ci', expression: 'request.userInfo.username != "ci"' }],
      monitoring: true,
      monitor: {
        namespace: 'monitoring',
        labels: { release: 'prometheus' },
        annotations: { a: 'b' },
        interval: '30s',
        relabelings: [{ targetLabel: 'cluster', replacement: 'east' }],
        metricRelabelings: [{ action: 'drop', regex: 'nodejs_.*', sourceLabels: ['__name__'] }],
      },
      rules: {
        namespace: 'monitoring',
        labels: { release: 'prometheus' },
        annotations: { a: 'b' },
      },
      vapSync: {
        ...{ enabled: true, schedule: '@daily', definitions: ['widgets.example.com'] },
        ...{ audit: true, denyDeletion: true },
      },
      dashboard: { enabled: true, namespace: 'grafana', annotations: { folder: 'OLM' } },
    };
    const file = join(cluster().folder, 'all-values.yaml');
    writeFileSync(file, JSON.stringify(values));
    const text = await rendered(`--values=${file}`);
    const objects = objectsOf(text);
    const at = (name: string, ...path: (string | number)[]): unknown =>
      path.reduce<unknown>(
        (value, key) => (value as Record<string | number, unknown>)[key],
        objects.get(name),
      );
    const gate = (...path: (string | number)[]): unknown =>
      at('Deployment olm-guard', 'spec', ...path);
    const pod = (...path: (string | number)[]): unknown => gate('template', 'spec', ...path);
    const container = (field: string): unknown[] => pod('containers', 0, field) as unknown[];
    expect(gate()).to.deep.include({ revisionHistoryLimit: 0, strategy: { type: 'Recreate' } });
    expect(gate('selector', 'matchLabels')).to.deep.equal({ 'app.kubernetes.io/name': 'gate' });
    const own = { team: 'platform', tier: 'control', 'app.kubernetes.io/name': 'gate' };
    expect(gate('template', 'metadata', 'labels')).to.include(own);
    const annotations = { 'example.com/mesh': 'off', 'prometheus.io/port': '9090' };
    expect(gate('template', 'metadata', 'annotations')).to.include(annotations);
    expect(pod()).to.deep.include({
      serviceAccountName: 'reviewer',
      priorityClassName: 'system-cluster-critical',
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { role: 'infra' },
      tolerations: values.tolerations,
      affinity: values.affinity,
      hostNetwork: true,
      dnsPolicy: 'ClusterFirstWithHostNet',
    });
    expect(pod()).to.not.have.property('topologySpreadConstraints');
    expect(pod('volumes')).to.deep.include({ name: 'catalogs', emptyDir: {} });
    expect(container('volumeMounts')).to.deep.include({ name: 'catalogs', mountPath: '/catalogs' });
    expect(container('env')).to.deep.include({ name: 'TZ', value: 'UTC' });
    const args = ['--listen=[::]:10250', '--metrics-listen=[::]:9090', '--log-level=debug'];
    expect(container('args')).to.include.members(args);
    expect(container('ports')).to.deep.equal([
      { name: 'https', containerPort: 10250 },
      { name: 'metrics', containerPort: 9090 },
    ]);
    expect(at('ResourceQuota olm-guard', 'spec', 'hard')).to.deep.equal({ pods: '4' });
    expect(objects.has('ServiceAccount olm-guard')).to.equal(false);
    expect(objects.has('PodDisruptionBudget olm-guard')).to.equal(false);
    expect(at('CronJob olm-guard-vap-sync', 'spec', 'schedule')).to.equal('@daily');
    const job = at('CronJob olm-guard-vap-sync', 'spec', 'jobTemplate', 'spec', 'template', 'spec');
    expect(job).to.deep.include({
      tolerations: values.tolerations,
      nodeSelector: values.nodeSelector,
    });
    expect(job).to.have.deep.nested.property('containers[0].args', [
      ...['vap', 'sync', 'widgets.example.com', '--in-cluster', '--audit', '--deny-deletion'],
    ]);
    expect(at('ClusterRoleBinding olm-guard', 'subjects', 0, 'name')).to.equal('reviewer');
    const webhooks = at('ValidatingWebhookConfiguration olm-guard', 'webhooks') as {
      failurePolicy: string;
      timeoutSeconds: number;
      matchConditions: { name: string }[];
    }[];
    const failing = webhooks.map(({ failurePolicy }) => failurePolicy === 'Fail');
    expect(failing).to.deep.equal(webhooks.map((_each, index) => index === 1));
    for (const { timeoutSeconds, matchConditions } of webhooks) {
      expect(timeoutSeconds).to.equal(5);
      expect(matchConditions.at(-1)?.name).to.equal('not-ci');
    }
    const placed = { namespace: 'monitoring', annotations: { a: 'b' } };
    expect(at('ServiceMonitor olm-guard', 'metadata')).to.deep.include(placed);
    expect(at('ServiceMonitor olm-guard', 'spec')).to.deep.equal({
      namespaceSelector: { matchNames: ['olm-guard'] },
      selector: { matchLabels: { 'app.kubernetes.io/name': 'gate' } },
      endpoints: [
        {
          port: 'metrics',
          honorLabels: true,
          interval: '30s',
          relabelings: values.monitor.relabelings,
          metricRelabelings: values.monitor.metricRelabelings,
        },
      ],
    });
    expect(at('PrometheusRule olm-guard', 'metadata')).to.deep.include({ namespace: 'monitoring' });
    expect(at('PrometheusRule olm-guard', 'metadata', 'annotations')).to.include({ a: 'b' });
    expect(JSON.stringify(at('PrometheusRule olm-guard'))).to.include(
      '-l app.kubernetes.io/name=gate',
    );
    const dashboard = { namespace: 'grafana', annotations: { folder: 'OLM' } };
    expect(at('ConfigMap olm-guard-dashboard', 'metadata')).to.deep.include(dashboard);
    const json = at('ConfigMap olm-guard-dashboard', 'data', 'olm-guard.json') as string;
    expect(JSON.parse(json)).to.have.property('panels');
    expect(text.match(/^ {4}release: prometheus$/gm)).to.have.length(2);
    expect(text).to.match(/^ {4}grafana_dashboard: "1"$/m);
  });

  it('makes no disruption budget for a single replica', async () => {
    expect(await rendered('--set=replicas=1')).to.not.include('PodDisruptionBudget');
    expect(await rendered()).to.include('PodDisruptionBudget');
  });

  it('exempts the groups that it is told while it enforces', async () => {
    const text = await rendered('--set=enforcing=true', '--set=exemptGroups={example.com}');
    expect(text).to.include('[ "example.com"]').and.not.include('cert-manager.io", "cilium.io"');
  });

  it('tests a release by a pod that does what doctor does, and may read no more than that takes', async () => {
    const text = await run(
      'template',
      'olm-guard',
      chart,
      '--namespace=olm-guard',
      '--show-only=templates/tests/doctor.yaml',
    );
    const objects = parseDocuments(text).flatMap(({ value }) => (isObject(value) ? [value] : []));
    for (const object of objects) {
      expect(JSON.stringify(own(object, 'metadata'))).to.include('"helm.sh/hook":"test"');
    }
    expect(text)
      .to.include('args: [doctor, --in-cluster]')
      .and.not.match(/verbs: .*(update|patch|delete|\*)/);
    const { code, stderr } = await cluster().kubectl(['create', '--dry-run=client', '-f', '-'], {
      stdin: text,
    });
    expect(code, stderr).to.equal(0);
  });

  const mistakes: [what: string, set: string, says: RegExp][] = [
    ['a value that there is not', 'replica=3', /replica.*not allowed/],
    ['no replica', 'replicas=0', /replicas/],
    ['a source of certificates that there is not', 'certificates=acme', /certificates/],
    ['a webhook that there is not', 'failurePolicies.pods=Fail', /pods/],
    [
      'a group that would end the expression',
      'exemptGroups={"x\\"]) || true || (y in ["}',
      /exemptGroups/,
    ],
    ['a mistake in the policy', 'policy.enforce=proved', /policy.enforce/],
    ['an unknown field of the policy', 'policy.mode=deny', /mode.*not allowed/],
  ];
  for (const [what, set, says] of mistakes) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await helm('template', 'guard', chart, `--set=${set}`);
      expect(code).to.equal(1);
      expect(stderr).to.match(says);
    });
  }

  it('has beside it one file for those who have no Helm, with the image of a release', async () => {
    const program = (await ensurePrograms(['kubectl'])).get('kubectl') ?? 'kubectl';
    const { status, stdout } = spawnSync(
      'build/install-yaml.sh',
      ['example.com/olm-guard:v1.2.3'],
      {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: `${dirname(program)}:${process.env['PATH']}` },
      },
    );
    expect(status).to.equal(0);
    const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin: stdout });
    expect(code, stderr).to.equal(0);
    const image = 'jsonpath={.spec.template.spec.containers[*].image}';
    const args = ['get', 'deployment', 'olm-guard', '--namespace=olm-guard', '-o', image];
    expect(await kubectl(cluster(), ...args)).to.equal('example.com/olm-guard:v1.2.3');
    const removed = await cluster().kubectl(['delete', '--wait=false', '-f', '-'], {
      stdin: stdout,
    });
    expect(removed.code, removed.stderr).to.equal(0);
  });

  describe('a release', () => {
    const release = ['guard', chart, '--namespace=guarding'];
    const policy = async (name: string): Promise<string> =>
      kubectl(
        cluster(),
        'get',
        'configmap',
        name,
        '--namespace=guarding',
        '--ignore-not-found',
        '-o',
        'jsonpath={.data.policy\\.yaml}',
      );
    const failing = async (): Promise<number> =>
      (await webhooksOf(cluster())).filter(({ failurePolicy }) => failurePolicy === 'Fail').length;

    it('is not installed as enforcing: nobody would be asked yet', async () => {
      const { code, stderr } = await helm(
        'install',
        ...release,
        '--create-namespace',
        '--set=enforcing=true',
      );
      expect(code).to.equal(1);
      expect(stderr).to.include('enforcing: the gate is not registered yet');
    });

    it('is installed in one command, and says what to do next', async () => {
      const said = await run('install', ...release, '--create-namespace');
      expect(said).to.include('enforcing=true').and.not.include('certs/install.sh');
      expect(said)
        .to.include('olm-guard doctor')
        .and.match(/pull its image, olm-guard:v?\d/);
      expect(await failing()).to.equal(0);
      expect(await policy('olm-guard-defaults')).to.include('enforce: proven');
      expect(await policy('olm-guard-policy')).to.equal('');
    });

    it('says how to make the certificate by hand, where that was asked for', async () => {
      const said = await run(
        'upgrade',
        ...release,
        '--dry-run=client',
        '--set=certificates=manual',
      );
      expect(said).to.include('certs/install.sh --namespace guarding');
    });

    it('gets no certificate for another namespace', async () => {
      const program = (await ensurePrograms(['kubectl'])).get('kubectl') ?? 'kubectl';
      const { status, stderr } = spawnSync('certs/install.sh', ['--namespace', 'elsewhere'], {
        cwd: root,
        encoding: 'utf8',
        env: {
          PATH: `${dirname(program)}:${process.env['PATH']}`,
          KUBECONFIG: cluster().kubeconfigPath,
          HOME: cluster().folder,
        },
      });
      expect(status).to.equal(2);
      expect(stderr).to.include('registered in namespace guarding, not in elsewhere');
    });

    it('does not begin to enforce without an authority, nor without a certificate', async () => {
      const upgrade = (): Promise<Ran> =>
        helm(
          'upgrade',
          ...release,
          '--reset-then-reuse-values',
          `--values=${chart}/values/enforcing.yaml`,
        );
      const without = await upgrade();
      expect(without.code).to.equal(1);
      expect(without.stderr).to.include('has no caBundle');
      const authority = readFileSync(cluster().caFile).toString('base64');
      const patch = (await webhooksOf(cluster())).map((_webhook, index) => ({
        op: 'add',
        path: `/webhooks/${index}/clientConfig/caBundle`,
        value: authority,
      }));
      const { code, text } = await cluster().request('PATCH', webhookConfiguration, patch, {
        contentType: 'application/json-patch+json',
      });
      expect(code, text).to.equal(200);
      const { code: refused, stderr } = await upgrade();
      expect(refused).to.equal(1);
      expect(stderr).to.include('there is no Secret olm-guard-tls in namespace guarding');
    });

    it("two upgrades leave the admin's policy and the authority as they are", async () => {
      const file = join(cluster().folder, 'policy.yaml');
      const own = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nmodes: {catalogs: audit}\n';
      writeFileSync(file, own);
      await kubectl(
        cluster(),
        'create',
        'configmap',
        'olm-guard-policy',
        '--namespace=guarding',
        `--from-file=${file}`,
      );
      await kubectl(
        cluster(),
        'create',
        'secret',
        'generic',
        'olm-guard-tls',
        '--namespace=guarding',
        '--from-literal=tls.crt=x',
      );
      const before = (await webhooksOf(cluster())).map(({ clientConfig }) => clientConfig.caBundle);
      for (const tag of ['0.2.0', '0.3.0']) {
        await run(
          'upgrade',
          ...release,
          '--reset-then-reuse-values',
          '--set=enforcing=true',
          `--set=image.tag=${tag}`,
        );
        expect(await policy('olm-guard-policy')).to.equal(own);
        expect(await failing()).to.equal(7);
        const bundles = (await webhooksOf(cluster())).map(
          ({ clientConfig }) => clientConfig.caBundle,
        );
        expect(bundles).to.deep.equal(before);
        const image = await kubectl(
          cluster(),
          'get',
          'deployment',
          'olm-guard',
          '--namespace=guarding',
          '-o',
          'jsonpath={.spec.template.spec.containers[0].image}',
        );
        expect(image).to.equal(`olm-guard:${tag}`);
      }
    });

    it('rolls back to the previous release', async () => {
      await run('rollback', 'guard', '1', '--namespace=guarding');
      expect(await failing()).to.equal(0);
      expect(await policy('olm-guard-defaults'))
        .to.include('enforce: proven')
        .and.include('unjudged: allow');
      expect(await policy('olm-guard-policy')).to.include('catalogs: audit');
    });

    it('takes its policy from the values, where one is given', async () => {
      await kubectl(cluster(), 'delete', 'configmap', 'olm-guard-policy', '--namespace=guarding');
      await run(
        'upgrade',
        ...release,
        '--reset-then-reuse-values',
        `--values=${chart}/values/observe.yaml`,
      );
      const [document] = parseDocuments(await policy('olm-guard-policy'));
      expect(document?.value)
        .to.deep.include({ kind: 'Policy' })
        .and.have.nested.property('modes.catalogs', 'audit');
      await run('upgrade', ...release, '--reset-then-reuse-values', '--set=image.tag=0.4.0');
      expect(await policy('olm-guard-policy')).to.include('catalogs: audit');
    });

    it('is upgraded from a chart that did not have all of its values yet', async () => {
      const older = join(cluster().folder, 'older');
      cpSync(chart, older, { recursive: true });
      rmSync(join(older, 'templates', 'vapsync.yaml'));
      rmSync(join(older, 'values.schema.json'));
      const values = join(older, 'values.yaml');
      const text = readFileSync(values, 'utf8');
      writeFileSync(values, text.replace(/^vapSync:\n(?: .*\n)+/m, ''));
      expect(readFileSync(values, 'utf8')).not.to.include('vapSync:');
      await run('upgrade', 'guard', older, '--namespace=guarding', '--set=replicas=3');
      await run('upgrade', ...release, '--reset-then-reuse-values');
      const replicas = await kubectl(
        cluster(),
        'get',
        'deployment',
        'olm-guard',
        '--namespace=guarding',
        '-o',
        'jsonpath={.spec.replicas}',
      );
      expect(replicas).to.equal('3');
    });

    it('is removed, and leaves nothing that is registered', async () => {
      await run('uninstall', 'guard', '--namespace=guarding');
      expect((await cluster().request('GET', webhookConfiguration)).code).to.equal(404);
      const left = await kubectl(
        cluster(),
        'get',
        'clusterroles,clusterrolebindings,deployments,services,serviceaccounts,networkpolicies',
        '--all-namespaces',
        '--selector=app.kubernetes.io/name=olm-guard',
        '-o',
        'name',
      );
      expect(left).to.equal('');
    });
  });
});

/** By kind and name, without the labels that each tool has its own way with. */
function objectsOf(text: string): Map<string, JsonObject> {
  const objects = parseDocuments(text).flatMap(({ value }) => (isObject(value) ? [value] : []));
  return new Map(
    objects.map((object) => {
      const rest = JSON.parse(JSON.stringify(object)) as JsonObject;
      delete (rest['metadata'] as JsonObject)['labels'];
      return [`${own(object, 'kind') as string} ${metaOf(object).name}`, rest];
    }),
  );
}
