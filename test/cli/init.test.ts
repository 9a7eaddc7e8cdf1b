/** `olm-guard init`: what it writes for a repository, and that `check crd` works at once. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseDocuments } from '../../src/text/documents/index.js';
import { runHere } from './command.js';
import { definitionText, Repository } from './repository.js';

describe('init', () => {
  let repository: Repository;
  const policy = (): string => readFileSync(join(repository.folder, '.olm-guard.yaml'), 'utf8');
  const init = (cwd = repository.folder) => runHere(['init'], { cwd });
  beforeEach(() => {
    repository = new Repository({
      'config/crd/bases/widgets.yaml': definitionText(),
      'config/crd/bases/gadgets.yaml': definitionText('gadgets').replace(
        'name: v1',
        'name: v1alpha1',
      ),
      'bundle/manifests/widgets.yaml': definitionText(),
      'chart/templates/broken.yaml': 'kind: CustomResourceDefinition\n{{ if }}\n',
      'README.md': '# CustomResourceDefinition',
    });
    repository.commit();
  });
  afterEach(() => repository.remove());

  it('writes definitions, their stability and the releases, and check crd works', async () => {
    repository.git('tag', 'v1.2.0');
    const { code, stdout, stderr } = await init(join(repository.folder, 'config'));
    expect(code).to.equal(0);
    expect(stdout).to.equal(policy());
    expect(stderr).to.include(
      'wrote ../.olm-guard.yaml; compare now: olm-guard check crd; in pull requests: ',
    );
    expect(policy())
      .to.include(
        '# What is compared with: the newest release that the branch contains, now v1.2.0.\nold: release\n',
      )
      .and.include('paths:\n  - "config/crd/bases"\n#')
      .and.include(
        '  # v1alpha1: alpha, changes are only noted\n  - { versions: ["v*alpha*"], mode: audit }\n',
      )
      .and.include('  # v1: what breaks objects is denied, as without an entry.')
      .and.not.include('bundle')
      .and.not.include('beta');
    const first = await runHere(['check', 'crd'], { cwd: repository.folder });
    expect(first.code, first.stderr).to.equal(0);
    repository.write({
      'config/crd/bases/widgets.yaml': definitionText('widgets', { size: false }),
    });
    expect((await runHere(['check', 'crd'], { cwd: repository.folder })).code).to.equal(1);
  });

  it('says that nothing is denied where every version is alpha', async () => {
    const text = definitionText().replace('name: v1', 'name: v1alpha1');
    const copy = 'bundle/manifests/widgets.yaml';
    repository.write({ 'config/crd/bases/widgets.yaml': text, [copy]: text });
    await init();
    expect(policy()).to.include('only noted, also those that break objects: without the next line');
  });

  it('compares with the start of the branch where releases are tagged on others', async () => {
    repository.git('tag', 'v1.2.0');
    repository.git('checkout', '-q', '-b', 'release-1.9');
    repository.write({ 'README.md': 'of 1.9' });
    repository.commit();
    repository.git('tag', 'v1.9.0');
    repository.git('checkout', '-q', '-');
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    await init();
    expect(policy()).to.include(
      'where the branch began; "release" would be v1.2.0, as v1.9.0 is on another branch.\nold: git:merge-base\n',
    );
  });

  it('names a file that the kustomization of its folder leaves out', async () => {
    const kustomization = 'resources: [gadgets.yaml]\n';
    repository.write({ 'config/crd/bases/kustomization.yaml': kustomization });
    repository.commit();
    await init();
    expect(policy()).to.include(
      'paths:\n  - "config/crd/bases"\n  - "config/crd/bases/widgets.yaml"\n#',
    );
    const { code, stderr } = await runHere(['check', 'crd'], { cwd: repository.folder });
    expect(code, stderr).to.equal(0);
  });

  it('takes of a folder with copies only what no other folder has, and no file that is left out', async () => {
    repository.write({
      'config/crd/widgets.yaml': definitionText('widgets', { size: false }),
      'config/crd/kustomization.yaml': 'resources: [bases/widgets.yaml, bases/gadgets.yaml]\n',
      'bundle/manifests/gizmos.yaml': definitionText('gizmos'),
    });
    repository.commit();
    await init();
    expect(policy()).to.include(
      'paths:\n  - "config/crd/bases"\n  - "bundle/manifests/gizmos.yaml"\n#',
    );
    const { stdout } = await runHere(['check', 'crd'], { cwd: repository.folder });
    expect(stdout).to.include('CustomResourceDefinitions: 3 allowed');
  });

  it('takes files of one definition before one that is put together from them', async () => {
    repository.write({
      'crds.yaml': `${definitionText()}---\n${definitionText('gadgets')}`,
    });
    repository.commit();
    await init();
    expect(policy()).to.include('paths:\n  - "config/crd/bases"\n#');
  });

  it('leaves out definitions that only samples and tests have, and denies no more than no policy', async () => {
    repository.write({
      'samples/gizmos.yaml': definitionText('gizmos'),
      'test/e2e/crds.yaml': definitionText('doodads'),
      'e2e-tests/crds.yaml': definitionText('doodads'),
      'cmd/_testdata/crds.yaml': definitionText('doodads'),
    });
    repository.commit();
    await init();
    expect(policy())
      .to.include('paths:\n  - "config/crd/bases"\n#')
      .and.match(
        /\n# Left out, as samples or tests: [^\n]*samples\/gizmos.yaml[^\n]*\. Add what users install\.\n/,
      )
      .and.not.match(/- .*(?:gizmos|doodads|samples|test)/);
    const widgets = definitionText().replace(
      'type: integer',
      'default: 3\n                type: integer',
    );
    expect(widgets).to.include('default: 3');
    repository.write({ 'config/crd/bases/widgets.yaml': widgets });
    const { code, stdout, stderr } = await runHere(['check', 'crd'], { cwd: repository.folder });
    expect(stdout, stderr).to.include('DefaultAdded');
    expect(code).to.equal(0);
  });

  it('takes an example that holds released definitions, and says what it leaves out', async () => {
    repository.write({
      'deploy/examples/crds.yaml': `${definitionText()}---\n${definitionText('gizmos')}`,
      'deploy/examples/other.yaml': definitionText('doodads'),
      'test/crds.yaml': `${definitionText()}---\n${definitionText('gears')}`,
    });
    repository.commit();
    await init();
    expect(policy())
      .to.include('paths:\n  - "config/crd/bases"\n  - "deploy/examples/crds.yaml"\n#')
      .and.match(/# Left out, as samples or tests: (?:deploy\/examples\/other|test\/crds)\.yaml, /)
      .and.match(/gizmos/)
      .and.not.match(/gears|doodads/);
    expect((await runHere(['check', 'crd'], { cwd: repository.folder })).code).to.equal(0);
  });

  it('names the file where a folder has a name twice and no other has it, and reads no link', async () => {
    const gizmos = (more: string): string =>
      definitionText('gizmos').replace('type: integer', more);
    repository.write({
      'payload/gizmos-Default.yaml': gizmos('type: integer'),
      'payload/gizmos-TechPreview.yaml': gizmos('type: string'),
      'other/doodads.yaml': definitionText('doodads'),
    });
    symlinkSync(
      '../../../other/doodads.yaml',
      join(repository.folder, 'config/crd/bases/doodads.yaml'),
    );
    repository.commit();
    await init();
    expect(policy())
      .to.include('  - "other"\n')
      .and.include('  - "payload/gizmos-Default.yaml"\n')
      .and.include('  - "config/crd/bases/widgets.yaml"\n');
    const { code, stderr } = await runHere(['check', 'crd'], { cwd: repository.folder });
    expect(code, stderr).to.equal(0);
  });

  it('passes by a folder that has each release, where the same name stands twice', async () => {
    repository.write({
      'releases/v1.yaml': definitionText(),
      'releases/v2.yaml': definitionText('widgets', { size: false }),
    });
    repository.commit();
    await init();
    expect(policy()).to.include('paths:\n  - "config/crd/bases"\n#');
    expect((await runHere(['check', 'crd'], { cwd: repository.folder })).code).to.equal(0);
  });

  it('names the kustomization that gives definitions a converter', async () => {
    const patch = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {conversion: {strategy: Webhook}}\n`;
    const kustomization = (patches: string): string =>
      `resources: [bases/widgets.yaml, bases/gadgets.yaml]\npatches:\n${patches}`;
    repository.write({
      'config/crd/patches/webhook.yaml': patch,
      'config/crd/kustomization.yaml': kustomization('- path: patches/webhook.yaml\n'),
    });
    await init();
    expect(policy()).to.include('paths:\n  - "config/crd"\n#');
    rmSync(join(repository.folder, '.olm-guard.yaml'));
    repository.write({
      'config/crd/kustomization.yaml': kustomization('# - path: patches/webhook.yaml\n'),
    });
    await init();
    expect(policy()).to.include('paths:\n  - "config/crd/bases"\n#');
  });

  it('leaves patches out, as check crd of the folder around them does, which says so', async () => {
    const metadata = 'metadata: {name: widgets.example.com, annotations: {a: b}}\n';
    const head = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n${metadata}`;
    const conversion = 'spec: {conversion: {strategy: None}}\n';
    repository.write({
      'config/crd/patches/ca.yaml': head,
      'config/crd/patches/webhook.yaml': head + conversion,
    });
    repository.commit();
    await init();
    expect(policy()).to.include('paths:\n  - "config/crd/bases"\n#');
    const check = (next: string) =>
      runHere(['check', 'crd', 'git:HEAD:config', next], { cwd: repository.folder });
    const { code, stderr } = await check('config');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(
      'skipped: config/crd/patches/ca.yaml (a patch: it has no versions), config/crd/patches/webhook.yaml (a patch',
    );
    repository.write({
      'config/crd/kustomization.yaml':
        'resources: [bases/widgets.yaml]\npatches:\n- path: patches/ca.yaml\n# - path: patches/webhook.yaml\n',
    });
    expect((await check('config')).stderr).to.include(
      'config/crd/kustomization.yaml: its patches of definitions are left out; name the folder config/crd to have it rendered',
    );
    // Named itself it is no patch, and what has a group is a definition that lacks something.
    expect((await check('config/crd/patches/ca.yaml')).stderr).to.include('$.spec: is missing');
    repository.write({ 'config/crd/patches/webhook.yaml': `${head}spec: {group: example.com}\n` });
    expect((await check('config')).code).to.equal(2);
  });

  it('sees definitions in JSON too', async () => {
    const crd = JSON.stringify(parseDocuments(definitionText('gizmos'))[0]?.value);
    repository.write({ 'api/gizmos.json': crd, 'package-lock.json': '{"lockfileVersion": 3}' });
    repository.commit();
    await init();
    expect(policy()).to.include('gizmos.example.com').and.include('  - "api"\n');
    repository.write({ 'api/gizmos.json': crd.replace(/"size":\{[^}]*\}/, '') });
    expect((await runHere(['check', 'crd'], { cwd: repository.folder })).code).to.equal(1);
  });

  it('freezes a release branch for alpha versions too', async () => {
    await init();
    repository.commit();
    repository.git('tag', 'v1.2.0');
    repository.write({
      'config/crd/bases/gadgets.yaml': definitionText('gadgets', { size: false }).replace(
        'name: v1',
        'name: v1alpha1',
      ),
    });
    const check = () => runHere(['check', 'crd'], { cwd: repository.folder });
    const noted = await check();
    expect(noted.code, noted.stderr).to.equal(0);
    expect(noted.stdout).to.include('(versions v*alpha*): audit');
    repository.git('checkout', '-q', '-b', 'release-1.2');
    // As the last line says.
    const frozen = '  - { branches: ["release-*"], mode: frozen }';
    writeFileSync(
      join(repository.folder, '.olm-guard.yaml'),
      policy().replace('promises:\n', `promises:\n${frozen}\n`),
    );
    expect(policy()).to.include(`  # ${frozen.trim()} # first in the list`);
    const denied = await check();
    expect(denied.code, denied.stderr).to.equal(1);
    expect(denied.stdout).to.include('(branches release-*): frozen');
  });

  it('works without a release, with a remote and without one', async () => {
    await init();
    expect(policy()).to.include('\nold: git:HEAD\n');
    expect((await runHere(['check', 'crd'], { cwd: repository.folder })).code).to.equal(0);
    rmSync(join(repository.folder, '.olm-guard.yaml'));
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.write({ 'crdify.yaml': 'validations: []\n' });
    await init();
    expect(policy())
      .to.include('\nold: git:merge-base\n')
      .and.include('# crdify.yaml beside this file');
    const { code, stderr } = await runHere(['check', 'crd'], { cwd: repository.folder });
    expect(code, stderr).to.equal(0);
  });

  it('lets no name of a definition or version write a line of the policy', async () => {
    const hostile = definitionText()
      .replace('name: widgets.example.com', 'name: "widgets.example.com\\nmodes: {}\\e[31m"')
      .replace('name: v1', 'name: "v1alpha1\\nenforce: stuck\\n#"');
    repository.write({ 'config/crd/bases/widgets.yaml': hostile });
    const { code, stdout } = await init();
    expect(code).to.equal(0);
    expect(policy()).to.include('widgets.example.com\\nmodes').and.include('v1alpha1\\nenforce');
    expect(policy()).not.to.match(/^(?:modes|enforce):/m);
    expect(stdout + policy()).not.to.include('\u001b');
  });

  it('overwrites nothing, and writes nothing in part', async () => {
    for (const name of ['.olm-guard.yaml', '.olm-guard.yml']) {
      repository.write({ [name]: 'old: git:main\n' });
      const { code, stdout, stderr } = await init(join(repository.folder, 'config'));
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(`../${name}: is there already: nothing was written`);
      expect(readFileSync(join(repository.folder, name), 'utf8')).to.equal('old: git:main\n');
      rmSync(join(repository.folder, name));
    }
    repository.write({ '.olm-guard.yaml': '-> nowhere.yaml' });
    expect((await init()).code).to.equal(2);
    expect(existsSync(join(repository.folder, 'nowhere.yaml'))).to.equal(false);
    expect(readdirSync(repository.folder).filter((name) => name.endsWith('.tmp'))).to.deep.equal(
      [],
    );
  });

  it('says where there is nothing to write about', async () => {
    repository.git('rm', '-q', '-r', 'config', 'bundle');
    const { code, stderr } = await init();
    expect(code).to.equal(2);
    expect(stderr).to.include('no file of this repository has a CustomResourceDefinition');
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-init-'));
    const outside = await init(folder);
    rmSync(folder, { recursive: true });
    expect(outside.code).to.equal(2);
    expect(outside.stderr).to.include('there is no Git repository here');
  });
});
