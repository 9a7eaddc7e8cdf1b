/**
 * Every YAML file of examples/ and manifests/, every component, and every rendering of the chart, as a real
 * API server reads them: by server-side dry run, in which unknown fields are errors.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { dump, loadAll } from 'js-yaml';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { installOlm } from './olm-definitions.js';
import { kubectl, kustomize, root } from './installed-gate.js';

interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly items?: readonly Manifest[];
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

/** Kinds that other projects define. */
const foreign = [
  'monitoring.coreos.com/v1 ServiceMonitor',
  'monitoring.coreos.com/v1 PrometheusRule',
  'cert-manager.io/v1 Certificate',
  'cert-manager.io/v1 Issuer',
  'kustomize.toolkit.fluxcd.io/v1 Kustomization',
];

/** Files that nothing sends to an API server as they are, and what reads them. */
const readOtherwise: readonly (readonly [file: RegExp, reader: string])[] = [
  [/\/kustomization\.yaml$/, 'built below'],
  [/^manifests\/(components|overlays)\/.*\/policy\.yaml$/, 'a ConfigMap of a kustomization'],
  [/^manifests\/base\/policy\.yaml$/, 'a ConfigMap of a kustomization'],
  [/^manifests\/transformers\//, 'a transformer of a kustomization'],
  [/^manifests\/components\/openshift\/bundles\.yaml$/, 'a patch of a kustomization'],
  [/^manifests\/olm\/(bundle\/metadata|catalog)\//, 'opm'],
  [/^examples\/(bundles\/[^/]+\/metadata|catalogs|resolve\/[^/]+\/(community|private))\//, 'opm'],
  [/^examples\/charts\//, 'helm, below'],
  [/^examples\/ci\//, 'GitHub and GitLab'],
  [/^examples\/promises\//, 'olm-guard'],
  [/^examples\/sidecar\/argocd\/repo-server\.yaml$/, 'a patch of a kustomization'],
  [/^examples\/sidecar\/argocd\/plugin\.yaml$/, "Argo CD's plugin server"],
];

/** Examples of what goes wrong, and what the API server says. */
const refused: ReadonlyMap<string, RegExp> = new Map([
  ['examples/objects/samples.yaml', /\.spec\.replica: field not declared in schema/],
  ['examples/upgrades/scope-change.yaml', /spec\.scope: .*field is immutable/],
  ['examples/upgrades/stored-version-removed.yaml', /v1alpha1 was previously a storage version/],
  // As the documents have it; later releases serve v1 only.
  ['examples/cluster/clusterextension-sample.yaml', /no matches for kind "ClusterExtension"/],
]);

describe('what is shipped as YAML', function () {
  this.timeout(180_000);
  const cluster = useCluster();
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-shipped-'));
  after(() => rmSync(folder, { recursive: true }));
  const namespaces = new Set<string>();
  let helm = 'helm';

  before(async () => {
    helm = (await ensurePrograms(['helm'])).get('helm') ?? helm;
    await installOlm(cluster());
    await createDefinitions();
    const samples = join(root, 'examples', 'cluster', 'customresourcedefinition-samples.yaml');
    await kubectl(cluster(), 'apply', '-f', samples);
    await kubectl(cluster(), 'wait', '--for=condition=Established', 'crd', '--all');
  });

  async function createDefinitions(): Promise<void> {
    const definitions = foreign.map((each) => {
      const [group = '', version = '', kind = ''] = each.split(/[/ ]/);
      const plural = `${kind.toLowerCase()}s`;
      const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind, plural },
          versions: [
            { name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } },
          ],
        },
      };
    });
    const stdin = definitions.map((each) => dump(each)).join('---\n');
    const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin });
    expect(code, stderr).to.equal(0);
  }

  /** Namespaces are made beforehand: a dry run makes none for what follows it. */
  async function accept(text: string, refusal?: RegExp): Promise<void> {
    const objects = (loadAll(text) as (Manifest | null)[]).filter((each) => each !== null);
    const all = objects.flatMap((each) => [each, ...(each.items ?? [])]);
    for (const { kind, metadata = {} } of all) {
      const { name = '', namespace = kind === 'Namespace' ? name : '' } = metadata;
      if (namespace === '' || namespaces.has(namespace)) continue;
      namespaces.add(namespace);
      await cluster().kubectl(['create', 'namespace', namespace]);
    }
    const apply = ['apply', '--dry-run=server', '--server-side', '--force-conflicts'];
    const { code, stderr } = await until('the kinds to be served', async () => {
      const args = [...apply, '--validate=strict', '-f', '-'];
      const ended = await cluster().kubectl(args, { stdin: text });
      return ended.stderr.includes('TooManyRequests') ? undefined : ended;
    });
    expect(code, stderr).to.equal(refusal === undefined ? 0 : 1);
    if (refusal !== undefined) expect(stderr).to.match(refusal);
  }

  const shipped = execFileSync('git', ['ls-files', '-z', 'examples', 'manifests'], { cwd: root })
    .toString()
    .split('\0')
    .filter((file) => /\.ya?ml$/.test(file));

  for (const [file, reader] of readOtherwise) {
    it(`has files that are read by ${reader}: ${file.source}`, () => {
      expect(shipped.some((each) => file.test(each))).to.equal(true);
    });
  }

  for (const file of shipped.filter((each) => !readOtherwise.some(([other]) => other.test(each)))) {
    const refusal = refused.get(file);
    it(`${file} is ${refusal === undefined ? 'accepted' : 'refused'}`, () =>
      accept(readFileSync(join(root, file), 'utf8'), refusal));
  }

  const kustomizations = shipped
    .filter((file) => basename(file) === 'kustomization.yaml')
    .map((file) => [dirname(file), readFileSync(join(root, file), 'utf8')] as const);

  for (const [path, text] of kustomizations) {
    if (path.startsWith('manifests/transformers/')) continue;
    const isComponent = text.includes('kind: Component');
    it(`${path} builds what is accepted`, async () => {
      if (!isComponent) return accept(await kubectl(cluster(), 'kustomize', path));
      if (path.startsWith('manifests/components/')) {
        return accept(await kustomize(cluster(), 'base', [basename(path)]));
      }
      const above = mkdtempSync(join(folder, 'component-'));
      writeFileSync(join(above, 'patched.yaml'), dump(repoServer));
      const kustomization = {
        namespace: 'argocd',
        resources: ['patched.yaml'],
        components: [relative(above, join(root, path))],
      };
      writeFileSync(join(above, 'kustomization.yaml'), dump(kustomization));
      return accept(await kubectl(cluster(), 'kustomize', above));
    });
  }

  function render(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(helm, ['template', 'olm-guard', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
    return stdout;
  }
  const inNamespace = '--namespace=olm-guard';
  const values = readdirSync(join(root, 'chart', 'values'));
  for (const args of [[], ...values.map((file) => [`--values=chart/values/${file}`])]) {
    it(`chart ${args.join(' ')} renders what is accepted`, () =>
      accept(render('chart', inNamespace, '--include-crds', ...args)));
  }
  for (const chart of ['old', 'new']) {
    it(`examples/charts/${chart} renders what is accepted`, async () => {
      await accept(readFileSync(join(root, 'examples/charts', chart, 'crds/menus.yaml'), 'utf8'));
      await kubectl(cluster(), 'apply', '-f', `examples/charts/${chart}/crds/menus.yaml`);
      await kubectl(cluster(), 'wait', '--for=condition=Established', 'crd', '--all');
      await accept(render(`examples/charts/${chart}`));
    });
  }
});

/** What of Argo CD's own manifests the component adds to. */
const repoServer = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'argocd-repo-server' },
  spec: {
    selector: { matchLabels: { 'app.kubernetes.io/name': 'argocd-repo-server' } },
    template: {
      metadata: { labels: { 'app.kubernetes.io/name': 'argocd-repo-server' } },
      spec: {
        containers: [{ name: 'argocd-repo-server', image: 'quay.io/argoproj/argocd:v3.2.0' }],
        volumes: [
          { name: 'var-files', emptyDir: {} },
          { name: 'plugins', emptyDir: {} },
        ],
      },
    },
  },
};
