/** The folders in which public operators keep their definitions, made small, through `check crd`. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { run, runHere, type Ended } from './command.js';
import { definitionText, programs, Repository, type Files } from './repository.js';

interface Layout {
  readonly name: string;
  /** The files of the repository, by the text of the definition in them. */
  readonly files: (widgets: string) => Files;
  /** What is named on both sides. */
  readonly path: string;
  /** Where the field stood that NEW leaves out. */
  readonly at: string;
  /** What standard error says. */
  readonly says?: RegExp;
}

const conversion = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  conversion:
    strategy: Webhook
`;
const service = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: webhook\n';
const csv = (version: string): string => `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: widgets.v${version}
spec:
  version: ${version}
`;
const annotations = 'annotations:\n  operators.operatorframework.io.bundle.package.v1: widgets\n';
const kubebuilder = (crd: string): Files => ({
  'config/crd/kustomization.yaml':
    'resources:\n- bases/example.com_widgets.yaml\npatches:\n- path: patches/webhook_in_widgets.yaml\nconfigurations:\n- kustomizeconfig.yaml\n',
  'config/crd/kustomizeconfig.yaml':
    'nameReference:\n- kind: Service\n  version: v1\n  fieldSpecs: []\n',
  'config/crd/bases/example.com_widgets.yaml': crd,
  'config/crd/patches/webhook_in_widgets.yaml': conversion,
});
const bundle = (folder: string, version: string, crd: string): Files => ({
  [`${folder}/manifests/widgets.clusterserviceversion.yaml`]: csv(version),
  [`${folder}/manifests/example.com_widgets.yaml`]: crd,
  [`${folder}/metadata/annotations.yaml`]: annotations,
});
const chart = 'apiVersion: v2\nname: widgets\nversion: 0.1.0\n';
const templated = (crd: string): string =>
  `{{- if .Values.crds.install }}\n${crd.replace('metadata:\n', 'metadata:\n  labels: {{- include "labels" . | nindent 4 }}\n')}{{- end }}\n`;

const layouts: readonly Layout[] = [
  {
    name: 'kubebuilder: config/crd with patches',
    files: kubebuilder,
    path: 'config/crd',
    at: 'config/crd/bases/example.com_widgets.yaml',
    says: /patches are left out/,
  },
  {
    name: 'kubebuilder of old: patchesStrategicMerge, bases with an underscore',
    files: (crd) => ({
      'config/crd/kustomization.yaml':
        'resources:\n- bases/_widgets.yaml\npatchesStrategicMerge:\n- patches/webhook_in_widgets.yaml\n',
      'config/crd/bases/_widgets.yaml': crd,
      'config/crd/patches/webhook_in_widgets.yaml': conversion,
    }),
    path: 'config/crd/',
    at: 'config/crd/bases/_widgets.yaml',
    says: /patches are left out/,
  },
  {
    name: 'an overlay: config/default, which takes in ../crd',
    files: (crd) => ({
      ...kubebuilder(crd),
      'config/default/kustomization.yaml': 'resources:\n- ../crd\n- manager.yaml\n',
      'config/default/manager.yaml': service,
    }),
    path: 'config/default',
    at: 'config/crd/bases/example.com_widgets.yaml',
    says: /patches are left out/,
  },
  {
    name: 'a kustomization without an extension',
    files: (crd) => ({
      'deploy/Kustomization': 'resources:\n- crd.yaml\n',
      'deploy/crd.yaml': crd,
    }),
    path: 'deploy',
    at: 'deploy/crd.yaml',
    says: /patches are left out/,
  },
  {
    name: 'controller-gen without kustomize: config/crd/bases',
    files: (crd) => ({ 'config/crd/bases/example.com_widgets.yaml': crd }),
    path: 'config/crd/bases',
    at: 'config/crd/bases/example.com_widgets.yaml',
  },
  {
    name: "operator-sdk's bundle",
    files: (crd) => bundle('bundle', '0.1.0', crd),
    path: 'bundle',
    at: 'bundle/manifests/example.com_widgets.yaml',
  },
  {
    name: 'community-operators: one bundle per release',
    files: (crd) => ({
      ...bundle('operators/widgets/0.9.0', '0.9.0', definitionText('widgets', { size: false })),
      ...bundle('operators/widgets/0.10.0', '0.10.0', crd),
      'operators/widgets/ci.yaml': 'updateGraph: semver-mode\n',
    }),
    path: 'operators/widgets',
    at: 'operators/widgets/0.10.0/manifests/example.com_widgets.yaml',
    says: /operators\/widgets\/0\.9\.0 \(an older bundle\)/,
  },
  {
    name: 'package manifests: versions beside the package',
    files: (crd) => ({
      'widgets/widgets.package.yaml':
        'packageName: widgets\nchannels:\n- name: a\n  currentCSV: widgets.v1.1.0\n',
      'widgets/1.0.0/widgets.v1.0.0.clusterserviceversion.yaml': csv('1.0.0'),
      'widgets/1.0.0/widgets.crd.yaml': definitionText('widgets', { size: false }),
      'widgets/1.1.0/widgets.v1.1.0.clusterserviceversion.yaml': csv('1.1.0'),
      'widgets/1.1.0/widgets.crd.yaml': crd,
    }),
    path: 'widgets',
    at: 'widgets/1.1.0/widgets.crd.yaml',
    says: /widgets\/1\.0\.0 \(an older bundle\)/,
  },
  {
    name: 'one bundle per distribution, of one version',
    files: (crd) => ({
      ...bundle('bundle/community', '0.1.0', crd),
      ...bundle('bundle/openshift', '0.1.0', crd),
    }),
    path: 'bundle',
    at: 'bundle/community/manifests/example.com_widgets.yaml',
  },
  {
    name: 'a Helm chart with crds/',
    files: (crd) => ({
      'charts/widgets/Chart.yaml': chart,
      'charts/widgets/values.yaml': 'replicas: 1\n',
      'charts/widgets/crds/widgets.yaml': crd,
      'charts/widgets/templates/service.yaml': templated(service),
    }),
    path: 'charts/widgets',
    at: 'charts/widgets/crds/widgets.yaml',
    says: /helm is not installed to render it: only its crds\/ are read$/m,
  },
  {
    name: "a Helm chart whose subchart has the definitions, and one more in the chart's own template",
    files: (crd) => ({
      'chart/Chart.yaml': chart,
      'chart/charts/crds/Chart.yaml': chart,
      'chart/charts/crds/crds/widgets.yaml': crd,
      'chart/templates/more.yaml': templated(definitionText('gadgets')),
    }),
    path: 'chart',
    at: 'chart/charts/crds/crds/widgets.yaml',
    says: /helm is not installed to render it: only its crds\/ are read$/m,
  },
  {
    name: 'a Helm chart with a plain definition among its templates',
    files: (crd) => ({
      'chart/Chart.yaml': chart,
      'chart/templates/crd.yaml': crd,
      'chart/templates/service.yaml': templated(service),
    }),
    path: 'chart',
    at: 'chart/templates/crd.yaml',
    says: /helm is not installed/,
  },
  {
    name: 'a chart among plain manifests',
    files: (crd) => ({
      'deploy/crds/widgets.yaml': crd,
      'deploy/helm/widgets/Chart.yaml': chart,
      'deploy/helm/widgets/templates/crd.yaml': templated(crd),
    }),
    path: 'deploy',
    at: 'deploy/crds/widgets.yaml',
    says: /deploy\/helm\/widgets\/templates \(Helm's templates; name the chart itself\)/,
  },
  {
    name: 'one file with everything',
    files: (crd) => ({ 'bundle.yaml': `${service}${crd}---\n${service}` }),
    path: 'bundle.yaml',
    at: 'bundle.yaml',
  },
  {
    name: 'numbered files of an installation, definitions among roles',
    files: (crd) => ({
      'install/cluster-operator/010-ServiceAccount.yaml': service,
      'install/cluster-operator/040-Crd-widget.yaml': crd,
      'install/cluster-operator/041-Crd-gadget.yaml': definitionText('gadgets'),
    }),
    path: 'install',
    at: 'install/cluster-operator/040-Crd-widget.yaml',
  },
  {
    name: 'what `kubectl get -o yaml` prints',
    files: (crd) => ({
      'crds.yaml': `apiVersion: v1\nkind: List\nitems:\n- ${crd.replace('---\n', '').trimEnd().replaceAll('\n', '\n  ')}\n`,
    }),
    path: 'crds.yaml',
    at: 'crds.yaml',
  },
  {
    name: 'a folder per group, and a second definition that stays',
    files: (crd) => ({
      'package/crds/example.com/widgets.yaml': crd,
      'package/crds/other.io/gadgets.yaml': definitionText('gadgets', { group: 'other.io' }),
      'package/crossplane.yaml': 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\n',
    }),
    path: 'package',
    at: 'package/crds/example.com/widgets.yaml',
  },
  {
    name: 'links into a folder beside',
    files: (crd) => ({
      'config/core/300-resources/widget.yaml': crd,
      'config/300-widget.yaml': '-> core/300-resources/widget.yaml',
      'config/current': '-> core',
    }),
    path: 'config',
    at: 'config/300-widget.yaml',
  },
  {
    name: 'a file under a hidden folder beside',
    files: (crd) => ({
      'manifests/.cache/widgets.yaml': definitionText('widgets', { size: false }),
      'manifests/widgets.yaml': crd,
    }),
    path: 'manifests',
    at: 'manifests/widgets.yaml',
    says: /manifests\/\.cache \(hidden\)/,
  },
  {
    name: 'the whole repository: config, bundle and chart hold the same',
    files: (crd) => ({
      ...kubebuilder(crd),
      ...bundle('bundle', '0.1.0', crd),
      'dist/chart/Chart.yaml': chart,
      'dist/chart/crds/widgets.yaml': crd,
      'dist/chart/templates/service.yaml': templated(service),
      '.github/workflows/ci.yaml': 'on: push\n',
    }),
    path: '.',
    at: 'bundle/manifests/example.com_widgets.yaml',
    says: /dist\/chart\/templates \(Helm's templates/,
  },
];

describe('check crd in a repository as it is', () => {
  let repository: Repository;
  let path: string;
  before(() => {
    path = programs();
  });
  after(() => rmSync(path, { recursive: true }));
  afterEach(() => repository.remove());

  for (const { name, files, path: named, at, says } of layouts) {
    it(name, async () => {
      repository = new Repository(files(definitionText()));
      repository.commit();
      repository.write(files(definitionText('widgets', { size: false })));
      const { code, stdout, stderr } = await run(['check', 'crd', `git:main:${named}`, named], {
        cwd: repository.folder,
        env: { PATH: path },
      });
      expect(stdout, stderr).to.match(/field\/\^\.spec\.size may not be removed/);
      expect(stdout).to.match(
        new RegExp(String.raw`^ +${at.replaceAll('.', String.raw`\.`)}:\d`, 'm'),
      );
      if (says === undefined) expect(stderr).to.equal('');
      else expect(stderr).to.match(says);
      expect(code).to.equal(1);
    });
  }

  /** {@link kubebuilder}'s repository, with the field removed in its folder. */
  function changed(): Repository {
    repository = new Repository(kubebuilder(definitionText()));
    repository.commit();
    repository.write(kubebuilder(definitionText('widgets', { size: false })));
    return repository;
  }

  const bases = 'config/crd/bases';
  const elsewhere: [name: string, folder: string, old: string, fresh: string][] = [
    ['from the top, in a subfolder', 'config', `git:main:${bases}`, 'crd/bases'],
    ['from the working directory', 'config', 'git:main:crd/bases', 'crd/bases'],
    ['by ./', 'config/crd', 'git:main:./bases', 'bases'],
    ['without a path', 'config', 'git:main', 'crd/bases'],
    ['by ../', 'config/crd/patches', 'git:main:../bases', '../bases'],
  ];
  for (const [name, folder, old, fresh] of elsewhere) {
    it(`reads git:REF:path ${name}`, async () => {
      const { code, stdout, stderr } = await runHere(['check', 'crd', old, fresh], {
        cwd: join(changed().folder, folder),
      });
      expect(stdout, stderr).to.include('NoExistingFieldRemoved');
      expect(code).to.equal(1);
    });
  }

  it('takes everything as added where OLD does not exist at the commit, and says so', async () => {
    const { folder } = changed();
    repository?.write({ 'deploy/gadgets.yaml': definitionText('gadgets') });
    // As a person, the hook and the Action name them.
    for (const old of ['git:main:deploy', 'git:HEAD:deploy/', 'git:main...:./deploy']) {
      const check = ['check', 'crd', old, 'deploy', '--unchecked', 'fail'];
      const { code, stdout, stderr } = await runHere(check, { cwd: folder });
      expect(stderr.replace(/.*merge base.*\n/, '')).to.equal('');
      expect(stdout).to.match(
        /^warning: git:\S+deploy\/? does not exist: every definition in NEW counts as added\nCustom.* 0 denied, 1 added,/,
      );
      expect(code).to.equal(0);
    }
  });

  const unknownPaths: readonly (readonly string[])[] = [
    ['git:main:deplyo', 'deploy'],
    ['git:main:config/crd/gadget.yaml', 'deploy/gadgets.yaml'],
    ['git:main:deplyo', 'git:HEAD:config'],
  ];
  for (const [old = '', fresh = ''] of unknownPaths) {
    it(`ends with 2 where no side has the path of OLD: ${old} ${fresh}`, async () => {
      const { folder } = changed();
      repository?.write({ 'deploy/gadgets.yaml': definitionText('gadgets') });
      const { code, stdout, stderr } = await runHere(['check', 'crd', old, fresh], { cwd: folder });
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr.trim().split('\n').at(-1)).to.match(
        /^olm-guard: git:\S+: the path is neither in that commit nor in the working tree: correct it$/,
      );
    });
  }

  it('takes as added what only a later commit has', async () => {
    const { folder } = changed();
    repository?.git('tag', 'before');
    repository?.write({ 'deploy/gadgets.yaml': definitionText('gadgets') });
    repository?.commit('two');
    repository?.git('rm', '-q', '-r', 'deploy');
    const check = ['check', 'crd', 'git:before:deploy', 'git:main:deploy'];
    const { code, stdout } = await runHere(check, { cwd: folder });
    expect(stdout).to.include('git:before:deploy does not exist: ').and.include(' 1 added');
    expect(code).to.equal(0);
  });

  it('finds a definition again whose folder was moved, so that no change hides in it', async () => {
    repository = new Repository({ 'config/crd/widgets.yaml': definitionText() });
    repository.commit();
    repository.git('mv', 'config/crd', 'deploy');
    repository.write({ 'deploy/widgets.yaml': definitionText('widgets', { size: false }) });
    const { code, stdout, stderr } = await runHere(['check', 'crd', 'git:main:deploy', 'deploy'], {
      cwd: repository.folder,
    });
    expect(stdout).to.include('NoExistingFieldRemoved');
    expect(stdout).to.match(/; compared with git:main:config\/crd\/widgets\.yaml\n$/);
    expect(stderr).to.include('is compared with git:main:config/crd/widgets.yaml');
    expect(code).to.equal(1);
  });

  it('finds a definition again that was moved beside others, and takes a copy for another one', async () => {
    repository = new Repository({
      'config/crd/gadgets.yaml': definitionText('gadgets'),
      'old/widgets.yaml': definitionText(),
    });
    repository.commit();
    const smaller = definitionText('widgets', { size: false });
    repository.write({ 'config/crd/widgets.yaml': smaller });
    const check = ['check', 'crd', 'git:main:config/crd', 'config/crd'];
    const copied = await runHere(check, { cwd: repository.folder });
    expect(copied.stdout).to.include('1 added').and.not.include('git:main:old');
    repository.git('rm', '-q', 'old/widgets.yaml');
    const { code, stdout } = await runHere(check, { cwd: repository.folder });
    expect(stdout).to.include('NoExistingFieldRemoved');
    expect(stdout).to.match(/; compared with git:main:config\/crd, git:main:old\/widgets\.yaml\n$/);
    expect(code).to.equal(1);
  });

  it('takes the copy whose file kept its name for the one that was moved, and none for a patch', async () => {
    const full = definitionText('widgets', { size: false });
    repository = new Repository({
      'api/one.yaml': full,
      'api/patch.yaml': full.replace(/^ {2}group: .*\n/m, ''),
      'old/widgets.yaml': definitionText(),
    });
    repository.commit();
    repository.git('mv', 'old', 'deploy');
    repository.write({ 'deploy/widgets.yaml': full });
    const check = ['check', 'crd', 'git:main:deploy', 'deploy'];
    const { code, stdout } = await runHere(check, { cwd: repository.folder });
    expect(stdout).to.include('NoExistingFieldRemoved').and.not.include('patch.yaml');
    expect(stdout).to.include(
      'widgets.example.com differs between git:main:old/widgets.yaml and git:main:api/one.yaml: compared with the first',
    );
    expect(code).to.equal(1);
  });

  it('finds it beside a link that leads nowhere', async () => {
    repository = new Repository({ 'config/crd/widgets.yaml': definitionText() });
    symlinkSync('nowhere.yaml', join(repository.folder, 'link.yaml'));
    repository.commit();
    repository.git('mv', 'config/crd', 'deploy');
    repository.write({ 'deploy/widgets.yaml': definitionText('widgets', { size: false }) });
    const check = ['check', 'crd', 'git:main:deploy', 'deploy'];
    const { stdout } = await runHere(check, { cwd: repository.folder });
    expect(stdout).to.include('NoExistingFieldRemoved').and.not.include('unchecked');
    repository.write({ 'deploy/widgets.yaml': definitionText('gadgets') });
    const added = await runHere(check, { cwd: repository.folder });
    expect(added.stdout).to.include('link.yaml: is a symbolic link to no file');
  });

  it('says in a shallow clone how to get the commit that is missing', async () => {
    const from = changed();
    from.commit('two');
    repository = new Repository();
    repository.git('fetch', '-q', '--depth=1', `file://${from.folder}`, 'main:pull');
    repository.git('checkout', '-q', 'pull');
    from.remove();
    const { code, stderr } = await runHere(['check', 'crd', `git:origin/main:${bases}`, bases], {
      cwd: repository.folder,
    });
    expect(stderr).to.match(
      /^olm-guard: git:origin\/main:\S+: git: origin\/main is not in this clone, which is shallow: check out with fetch-depth: 0, or run git fetch origin main\n$/,
    );
    expect(code).to.equal(2);
  });

  it('says so when there is no such commit', async () => {
    const { code, stderr } = await runHere(['check', 'crd', `git:origin/main:${bases}`, bases], {
      cwd: changed().folder,
    });
    expect(stderr).to.match(/there is no origin\/main in this repository.*git fetch origin main/);
    expect(code).to.equal(2);
  });

  it('says so when there is no commit yet', async () => {
    repository = new Repository();
    const head = `git:HEAD:${bases}`;
    const { code, stderr } = await runHere(['check', 'crd', head, head], {
      cwd: repository.folder,
    });
    expect(stderr).to.include('this repository has no commit yet to compare with');
    expect(code).to.equal(2);
  });

  it('says what to do with a template of Helm', async () => {
    repository = new Repository({ 'a.yaml': templated(definitionText()) });
    const { code, stderr } = await runHere(['check', 'crd', 'a.yaml', 'a.yaml'], {
      cwd: repository.folder,
    });
    expect(stderr).to.equal(
      'olm-guard: a.yaml: is a template of Helm, not a manifest: helm template CHART --include-crds | olm-guard check crd OLD -\n',
    );
    expect(code).to.equal(2);
  });

  it('does not pass over a chart whose definitions only helm can render', async () => {
    repository = new Repository({
      'chart/Chart.yaml': chart,
      'chart/templates/crd.yaml': templated(definitionText()),
    });
    const { code, stderr } = await run(['check', 'crd', 'chart', 'chart'], {
      cwd: repository.folder,
      env: { PATH: path },
    });
    expect(stderr).to.match(/in templates \(templates\/crd\.yaml\), and helm is not installed/);
    expect(code).to.equal(2);
  });

  it('says in the report what only helm can render, and fails for it where that is wanted', async () => {
    repository = new Repository({
      'chart/Chart.yaml': chart,
      'chart/crds/widgets.yaml': definitionText(),
      'chart/templates/more.yaml': templated(definitionText('gadgets')),
    });
    const check = (...more: string[]): ReturnType<typeof run> =>
      run(['check', 'crd', 'chart', 'chart', ...more], {
        cwd: repository.folder,
        env: { PATH: path },
      });
    const said = 'chart: templates/more.yaml may define CustomResourceDefinitions too';
    const text = await check();
    expect(text.stdout).to.include(`unchecked: ${said}`);
    expect(text.code).to.equal(0);
    const json = await check('-o', 'json', '--unchecked', 'fail');
    const github = await check('-o', 'github', '--unchecked', 'fail');
    expect(github.stdout).to.match(/^::error title=unchecked::/m);
    const { unchecked } = JSON.parse(json.stdout) as { unchecked: string[] };
    expect(unchecked).to.have.length(1);
    expect(unchecked[0]).to.include(said);
    expect(json.code).to.equal(2);
    for (const format of ['markdown', 'html', 'junit', 'sarif', 'github']) {
      const { stdout } = await check('-o', format);
      expect(stdout, format).to.include('templates/more.yaml may define');
    }
  });

  it('asks helm with the definitions included, and names their files', async () => {
    repository = new Repository({
      'chart/Chart.yaml': chart,
      'chart/crds/widgets.yaml': definitionText(),
    });
    repository.commit();
    repository.write({ 'chart/crds/widgets.yaml': definitionText('widgets', { size: false }) });
    const helm = programs({
      helm: '#!/bin/sh\n[ "$1 $2 $3 $4" = "template --include-crds -- olm-guard" ] || exit 1\nwhile read -r line; do echo "$line"; done < "$5/Chart.yaml"\necho ---\nIFS=\nwhile read -r line; do echo "$line"; done < "$5/crds/widgets.yaml"\n',
    });
    const { code, stdout, stderr } = await run(['check', 'crd', 'git:main:chart', 'chart'], {
      cwd: repository.folder,
      env: { PATH: helm },
    });
    rmSync(helm, { recursive: true });
    expect(stdout, stderr).to.match(/^ +chart\/crds\/widgets\.yaml:\d/m);
    expect(stdout).to.include('1 denied');
    expect(code).to.equal(1);
  });

  it('names the template that a definition comes from, and no line of it to a server', async () => {
    const template = (text: string): string => `{{- if .Values.crds }}\n${text}{{- end }}\n`;
    repository = new Repository({
      'chart/Chart.yaml': chart,
      'chart/templates/widgets.yaml': template(definitionText()),
    });
    repository.commit();
    const fewer = definitionText('widgets', { size: false });
    repository.write({ 'chart/templates/widgets.yaml': template(fewer) });
    // As helm template prints it: the condition is gone, and the lines are others.
    const helm = programs({
      helm: '#!/bin/sh\nprintf -- "---\\n# Source: widgets/templates/widgets.yaml\\n"\nIFS=\nwhile read -r line; do case "$line" in "{{"*) ;; *) echo "$line" ;; esac; done < "$5/templates/widgets.yaml"\n',
    });
    const check = (...more: string[]): Promise<Ended> =>
      run(['check', 'crd', 'git:main:chart', 'chart', ...more], {
        cwd: repository.folder,
        env: { PATH: helm },
      });
    const { stdout, stderr } = await check();
    expect(stdout, stderr).to.match(/^ +chart\/templates\/widgets\.yaml \(rendered\):\d+:\d/m);
    const github = (await check('-o', 'github')).stdout;
    expect(github).to.match(/^::error file=chart\/templates\/widgets\.yaml,title=/m);
    const { runs } = JSON.parse((await check('-o', 'sarif')).stdout) as {
      runs: { results: { locations: { physicalLocation: object }[] }[] }[];
    };
    rmSync(helm, { recursive: true });
    expect(runs[0]?.results[0]?.locations[0]?.physicalLocation).to.deep.equal({
      artifactLocation: { uri: 'chart/templates/widgets.yaml' },
    });
  });

  const reasons: readonly (readonly [name: string, said: string, reason: string])[] = [
    ['', 'error: no matches', 'no matches'],
    [
      ', with what fetches the dependencies of a chart',
      'Error: An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: a, b',
      'its dependencies (a, b) are not in charts/: helm dependency build fetches them',
    ],
    [", without helm's hint", 'Error: x\n\nUse --debug flag to render out invalid YAML', 'x'],
    [
      ', without what a log quotes',
      'E1127 19:21:00.907168 27426 run.go:72] "command failed" err=<\n\tconfig: `\n\tname: a\n\t`: must specify --enable-helm\n >',
      'must specify --enable-helm',
    ],
  ];
  for (const [name, said, reason] of reasons) {
    it(`ends with 2 and the reason when a program that is there cannot render${name}`, async () => {
      const printing = `cat >&2 <<'END'\n${said}\nEND\n`;
      const broken = programs({ kubectl: `#!/bin/sh\n${printing}exit 1\n` });
      const { code, stderr } = await run(['check', 'crd', 'git:main:config/crd', 'config/crd'], {
        cwd: changed().folder,
        env: { PATH: `${broken}:${process.env['PATH'] ?? ''}` },
      });
      rmSync(broken, { recursive: true });
      expect(stderr).to.include(
        `config/crd: kubectl cannot render it: ${reason}; mend it, or render it yourself`,
      );
      expect(code).to.equal(2);
    });
  }

  it('refuses two definitions of one name that differ', async () => {
    repository = new Repository({
      'a/one.yaml': definitionText(),
      'a/two.yaml': definitionText('widgets', { size: false }),
    });
    const { code, stderr } = await runHere(['check', 'crd', 'a', 'a'], { cwd: repository.folder });
    expect(stderr).to.match(/a second time, with another spec; the first is at a\/one\.yaml:\d+/);
    expect(code).to.equal(2);
  });

  describe('catalog diff', () => {
    const catalog = (head: string): string =>
      [
        { schema: 'olm.package', name: 'widgets', defaultChannel: 'stable' },
        { schema: 'olm.channel', package: 'widgets', name: 'stable', entries: [{ name: head }] },
        {
          schema: 'olm.bundle',
          package: 'widgets',
          name: head,
          image: 'quay.io/example/widgets:1',
          properties: [
            { type: 'olm.package', value: { packageName: 'widgets', version: head.slice(9) } },
          ],
        },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n');

    it('reads git:REF:path, and leaves out what .indexignore names', async () => {
      repository = new Repository({
        'catalog/widgets/catalog.json': catalog('widgets.v1.0.0'),
        'catalog/.indexignore': 'notes.yaml\n',
        'catalog/notes.yaml': 'a: b\n',
      });
      repository.commit();
      repository.write({ 'catalog/widgets/catalog.json': catalog('widgets.v1.1.0') });
      const { code, stdout, stderr } = await runHere(
        ['catalog', 'diff', 'git:main:catalog', 'catalog', '-o', 'json'],
        { cwd: repository.folder },
      );
      expect(stderr).to.equal('');
      const { counts } = JSON.parse(stdout) as { counts: Record<string, number> };
      expect(counts).to.include({ changed: 1, added: 0 });
      expect(code).to.equal(1);
    });

    it('takes every package as added where the old catalog does not exist', async () => {
      repository = new Repository({ 'catalog/widgets/catalog.json': catalog('widgets.v1.0.0') });
      repository.commit();
      const { code, stdout, stderr } = await runHere(
        ['catalog', 'diff', 'git:main:catalogs', 'catalog', '-o', 'json'],
        { cwd: repository.folder },
      );
      expect(stderr).to.match(/nothing was compared: git:main:catalogs: .*counts as added/);
      const { counts } = JSON.parse(stdout) as { counts: Record<string, number> };
      expect(counts).to.include({ changed: 0, added: 1 });
      expect(code).to.equal(0);
    });
  });
});
