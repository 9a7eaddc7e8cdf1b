/** The pods of examples/sidecar: their commands, probes and volumes, run as processes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { load, loadAll } from 'js-yaml';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { PodProcesses, type ConfigMaps, type PodSpec } from '../apiserver/pod-processes.js';
import { until } from '../apiserver/processes.js';
import type { Ended } from '../cli/command.js';
import { kubeconfigOf, kubectl, root } from './installed-gate.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: PodSpec & { readonly template?: { readonly spec: PodSpec } };
}

const account = 'system:serviceaccount:operators:preflight';
const example = (...path: string[]): string => join(root, 'examples', 'sidecar', ...path);
const installed = readFileSync(example('ci', 'definitions', 'old.yaml'), 'utf8');
const described = readFileSync(example('ci', 'definitions', 'new.yaml'), 'utf8');
const breaking = installed.replace(/ +pages:\n.*\n.*\n/, '');

describe('examples/sidecar', function () {
  this.timeout(180_000);
  const cluster = useCluster({ users: [{ name: account }] });
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-sidecar-pods-'));
  after(() => rmSync(folder, { recursive: true }));

  /** With kubectl, as the images have it. */
  let path: string;
  before(async () => {
    const program = (await ensurePrograms(['kubectl'])).get('kubectl') ?? '';
    path = [dirname(program), process.env['PATH']].join(delimiter);
  });

  async function build(path: string): Promise<Manifest[]> {
    return loadAll(await kubectl(cluster(), 'kustomize', path)) as Manifest[];
  }
  const dataOf = (manifests: readonly Manifest[]): Map<string, Readonly<Record<string, string>>> =>
    new Map(
      manifests.flatMap(({ kind, metadata, data = {} }) =>
        kind === 'ConfigMap' ? [[metadata.name, data] as const] : [],
      ),
    );
  /** The same volumes, with these files in place of those of one. */
  function withFiles(maps: ConfigMaps, name: RegExp, files: Record<string, string>): ConfigMaps {
    return new Map([...maps].map(([key, data]) => [key, name.test(key) ? files : data]));
  }

  async function runLast(
    spec: PodSpec | undefined,
    configMaps: ConfigMaps,
    env: Record<string, string> = {},
  ): Promise<Ended> {
    expect(spec).to.not.equal(undefined);
    const pod = await PodProcesses.start(spec as PodSpec, { configMaps, env });
    try {
      const container = spec?.containers.at(-1);
      if (container === undefined) throw new Error('the pod has no container');
      return await pod.run(container);
    } finally {
      expect(await pod.stop()).to.deep.equal([0]);
    }
  }

  describe('ci', () => {
    const tabbed = JSON.stringify(load(installed), null, '\t');
    const rows: [name: string, files: Record<string, string>, code: number, says: RegExp][] = [
      ['what it ships', {}, 0, /"allowed":true/],
      ['a field that goes', { 'new.yaml': breaking }, 1, /"allowed":false.*NoExistingFieldRemoved/],
      ['JSON', { 'old.yaml': JSON.stringify(load(installed)) }, 0, /"allowed":true/],
      ['indented JSON', { 'old.yaml': tabbed, 'new.yaml': tabbed }, 0, /"allowed":true/],
      ['a first separator', { 'new.yaml': `# generated\n---\n${installed}` }, 0, /"allowed":true/],
      ['no last newline', { 'old.yaml': installed.trimEnd() }, 0, /"allowed":true/],
      ['two definitions', { 'new.yaml': `${installed}---\n${installed}` }, 2, /E_YAML/],
      ['no YAML', { 'new.yaml': 'a: [' }, 2, /E_YAML/],
      ['no definition', { 'new.yaml': 'kind: Pod\napiVersion: v1\n' }, 2, /E_INPUT.*is a Pod/],
      ['an empty file', { 'new.yaml': '' }, 2, /E_INPUT/],
    ];
    for (const [name, files, code, says] of rows) {
      it(`ends with ${code}: ${name}`, async () => {
        const manifests = await build(example('ci'));
        const pod = manifests.find(({ kind }) => kind === 'Pod');
        const shipped = { 'old.yaml': installed, 'new.yaml': described };
        const maps = withFiles(dataOf(manifests), /^definitions-/, { ...shipped, ...files });
        const ended = await runLast(pod?.spec, maps);
        expect(ended.stdout + ended.stderr).to.match(says);
        expect(ended.code, ended.stderr).to.equal(code);
      });
    }

    it('takes a policy as docs/sidecar.md says', async () => {
      const page = readFileSync(join(root, 'docs', 'sidecar.md'), 'utf8');
      const [, block = ''] = /^```yaml\n(resources:\n[^]*?)^```/m.exec(page) ?? [];
      const above = join(folder, 'with-policy');
      mkdirSync(above);
      const here = relative(above, example('ci'));
      writeFileSync(join(above, 'kustomization.yaml'), block.replace('examples/sidecar/ci', here));
      const policy = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nenforce: all\n';
      writeFileSync(join(above, 'policy.yaml'), policy);
      const manifests = await build(above);
      const pod = manifests.find(({ kind }) => kind === 'Pod');
      const ended = await runLast(pod?.spec, dataOf(manifests));
      expect(ended.stdout, ended.stderr).to.match(/"allowed":false.*ChangeValidator/);
      expect(ended.code).to.equal(1);
    });

    it('ends with 2 without the sidecar, without a file, and without arguments', async () => {
      const manifests = await build(example('ci'));
      const { spec = { containers: [] } } = manifests.find(({ kind }) => kind === 'Pod') ?? {};
      const configMaps = dataOf(manifests);
      const alone = await PodProcesses.start({ ...spec, initContainers: [] }, { configMaps });
      const [job] = spec.containers;
      if (job === undefined) throw new Error('the pod has no container');
      const [bash = '', script = ''] = job.command ?? [];
      const asked = [
        [undefined, /nothing answers at http:\/\/127/],
        [[bash, script, 'nowhere.yaml', 'nowhere.yaml'], /nowhere\.yaml: there is no such file/],
        [[bash, script], /usage: check-crd\.sh OLD NEW/],
      ] as const;
      for (const [command, says] of asked) {
        const { code, stderr } = await alone.run(job, command && [...command]);
        expect(stderr).to.match(says);
        expect(code).to.equal(2);
      }
      await alone.stop();
    });
  });

  describe('argocd/presync', () => {
    let manifests: Manifest[];
    before(async () => {
      manifests = await build(example('argocd', 'presync'));
      await kubectl(cluster(), 'create', 'namespace', 'operators');
      await kubectl(cluster(), 'apply', '-k', example('argocd', 'presync'));
    });

    /** The Job with these definitions, under its own rights. */
    async function sync(definitions?: string): Promise<Ended> {
      const job = manifests.find(({ kind }) => kind === 'Job');
      const shipped = dataOf(manifests);
      const maps =
        definitions === undefined
          ? shipped
          : withFiles(shipped, /-definitions$/, { 'reports.yaml': definitions });
      const env = { PATH: path, KUBECONFIG: kubeconfigOf(cluster(), account) };
      return until('its rights', async () => {
        const ended = await runLast(job?.spec?.template?.spec, maps, env);
        return ended.stderr.includes('Forbidden') ? undefined : ended;
      });
    }

    it('has no resource that comes later than its hooks', () => {
      for (const { kind, metadata } of manifests) {
        const { annotations = {} } = metadata;
        expect(annotations['argocd.argoproj.io/hook'], metadata.name).to.equal('PreSync');
        const wave = kind === 'Job' ? undefined : '-1';
        expect(annotations['argocd.argoproj.io/sync-wave'], metadata.name).to.equal(wave);
      }
    });

    it('lets pass what is new and what harms nothing, and ends the sync over what breaks', async () => {
      const first = await sync();
      expect(first.stdout, first.stderr).to.equal('reports.yaml: added\n');
      expect(first.code).to.equal(0);
      const { code, stderr } = await cluster().kubectl(['apply', '-f', '-'], { stdin: installed });
      expect(code, stderr).to.equal(0);
      await kubectl(cluster(), 'wait', '--for=condition=Established', 'crd/reports.example.com');
      const compatible = await sync();
      expect(compatible.stdout, compatible.stderr).to.equal('reports.yaml: allowed\n');
      expect(compatible.code).to.equal(0);
      const denied = await sync(breaking);
      expect(denied.stdout, denied.stderr).to.match(
        /^reports\.yaml: denied .*NoExistingFieldRemoved/,
      );
      expect(denied.code).to.equal(1);
      const unread = await sync('a: [');
      expect(unread.code).to.equal(2);
    });
  });

  describe('argocd', () => {
    let pod: PodProcesses;
    let spec: PodSpec;
    const work = join(folder, 'application');
    before(async () => {
      const patch = load(readFileSync(example('argocd', 'repo-server.yaml'), 'utf8')) as Manifest;
      spec = patch.spec?.template?.spec ?? { containers: [] };
      const read = (file: string): string => readFileSync(example('argocd', file), 'utf8');
      const data = { 'plugin.yaml': read('plugin.yaml'), 'generate.sh': read('generate.sh') };
      const programs = join(folder, 'programs');
      mkdirSync(programs);
      mkdirSync(work);
      const kustomize = '#!/bin/sh\nshift\nexec kubectl kustomize "$@"\n';
      writeFileSync(join(programs, 'kustomize'), kustomize, { mode: 0o755 });
      pod = await PodProcesses.start(spec, {
        configMaps: new Map([['check-definitions', data]]),
        env: { PATH: `${programs}${delimiter}${path}` },
        cwd: work,
      });
    });
    after(async () => {
      expect(await pod.stop()).to.deep.equal([0]);
    });

    async function render(definition: string): Promise<Ended> {
      const resource = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n';
      writeFileSync(join(work, 'settings.yaml'), resource);
      writeFileSync(join(work, 'crd.yaml'), definition);
      writeFileSync(join(work, 'kustomization.yaml'), 'resources: [settings.yaml, crd.yaml]\n');
      const container = spec.containers.find(({ name }) => name === 'check-definitions');
      if (container === undefined) throw new Error('the patch has no plugin');
      const plugin = load(readFileSync(example('argocd', 'plugin.yaml'), 'utf8')) as {
        readonly spec: { readonly generate: { readonly command: string[] } };
      };
      return pod.run(container, plugin.spec.generate.command);
    }

    it('keeps its probe true', async () => {
      const [guard] = spec.containers;
      if (guard === undefined) throw new Error('the patch has no container');
      expect(await pod.probe(guard, guard.livenessProbe)).to.equal(0);
    });

    it('renders what API servers take', async () => {
      const { code, stdout, stderr } = await render(installed);
      expect(code, stderr).to.equal(0);
      expect((loadAll(stdout) as Manifest[]).map(({ kind }) => kind)).to.have.members([
        'ConfigMap',
        'CustomResourceDefinition',
      ]);
    });

    it('renders nothing where API servers would refuse a definition, and says why', async () => {
      const refused = installed.replace(
        'type: integer',
        'type: integer\n                  default: a',
      );
      const { code, stdout, stderr } = await render(refused);
      expect(stdout).to.equal('');
      expect(stderr).to.include('default');
      expect(code).to.equal(1);
    });
  });
});
