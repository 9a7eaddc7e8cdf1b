/** How often `check objects` and `check crd` start a program to render what a repository holds. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run, type Ended } from './command.js';
import { definitionText, programs, Repository, type Files } from './repository.js';

const widget = (name: string, size: number | string = 1): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: ${name} }\nspec: { size: ${size} }\n`;

const files: Files = {
  'crds/widgets.yaml': definitionText(),
  'base/kustomization.yaml': 'resources: [w.yaml]\n',
  'base/w.yaml': widget('base'),
  'other/kustomization.yaml': 'resources: [w.yaml]\n',
  'other/w.yaml': widget('other'),
  'apps/a/kustomization.yaml': 'resources: [../../base, w.yaml]\n',
  'apps/a/w.yaml': widget('a'),
  'apps/b/kustomization.yaml': 'resources: [../../base, w.yaml]\n',
  'apps/b/w.yaml': widget('b'),
  'apps/c/kustomization.yaml': 'resources: [../link, w.yaml]\n',
  'apps/c/w.yaml': widget('c'),
  'apps/link': '-> ../other',
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'size: 1\n',
  'chart/templates/w.yaml': widget('chart'),
};
/** Kustomizations that no other one takes in, and charts. */
const all = ['apps/a', 'apps/b', 'apps/c', 'chart'];

describe('renderings of a repository', () => {
  let repository: Repository;
  let around: string;
  let path: string;

  /** Prints the manifest of the folder that it renders, and keeps what it renders. */
  const fake = (version: string, folder: string): string => `#!/bin/sh
case "$*" in version*) echo ${version}; exit;; esac
echo "\${0##*/} $*" >> ${join(around, 'log')}
for last; do :; done
/bin/cat "$last"/${folder}w.yaml
`;
  const install = (names: readonly string[], version = '1'): void => {
    for (const name of names) {
      const script = fake(version, name === 'helm' ? 'templates/' : '');
      writeFileSync(join(path, name), script, { mode: 0o755 });
    }
  };
  beforeEach(() => {
    around = mkdtempSync(join(tmpdir(), 'olm-guard-renderings-'));
    path = programs();
    install(['kustomize', 'helm']);
    repository = new Repository(files);
    repository.commit();
  });
  afterEach(() => {
    repository.remove();
    for (const each of [around, path]) rmSync(each, { recursive: true });
  });

  const rendered = (): string[] => {
    const log = join(around, 'log');
    const lines = readdirSync(around).includes('log') ? readFileSync(log, 'utf8').split('\n') : [];
    rmSync(log, { force: true });
    return lines.filter(Boolean).map((line) => line.replace(/ .*\/repository\//, ' '));
  };
  const check = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    run(args, {
      cwd: repository.folder,
      env: { PATH: path, OLM_GUARD_CACHE: join(around, 'cache'), ...env },
    });
  const objects = ['check', 'objects', '.', '-o', 'json'];
  const names = (folders: readonly string[]): string[] =>
    folders.map((each) => `${each === 'chart' ? 'helm' : 'kustomize'} ${each}`).sort();

  it('are remembered: a second run of the same starts nothing, and says the same', async () => {
    const first = await check(objects);
    expect(rendered().sort()).to.deep.equal(names(all));
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stdout).to.include('"Widget c"').and.include('"Widget chart"');
    const second = await check(objects);
    expect(rendered()).to.deep.equal([]);
    expect(second).to.deep.equal(first);
  });

  const changes: Readonly<Record<string, [change: () => unknown, again: readonly string[]]>> = {
    'a manifest': [() => repository.write({ 'apps/a/w.yaml': widget('a', 2) }), ['apps/a']],
    'a kustomization': [
      () => repository.write({ 'apps/a/kustomization.yaml': 'resources: [w.yaml]\n' }),
      ['apps/a'],
    ],
    'what several take in': [
      () => repository.write({ 'base/w.yaml': widget('base', 2) }),
      ['apps/a', 'apps/b'],
    ],
    'where a link leads': [
      () => repository.write({ 'apps/link': '-> ../base' }),
      ['apps/c', 'other'],
    ],
    'a template': [
      () => repository.write({ 'chart/templates/w.yaml': widget('chart', 2) }),
      ['chart'],
    ],
    'values of a chart': [() => repository.write({ 'chart/values.yaml': 'size: 2\n' }), ['chart']],
    'nothing that is rendered': [() => repository.write({ 'notes.yaml': 'a: 1\n' }), []],
    'the program': [() => install(['kustomize'], '2'), ['apps/a', 'apps/b', 'apps/c']],
    'what is remembered': [
      () => {
        const folder = join(around, 'cache', 'rendered');
        for (const name of readdirSync(folder))
          writeFileSync(join(folder, name), widget('planted'));
      },
      all,
    ],
  };
  for (const [what, [change, again]] of Object.entries(changes)) {
    it(`are made again by whom it concerns after a change of ${what}`, async () => {
      await check(objects);
      rendered();
      change();
      const { stdout } = await check(objects);
      expect(rendered().sort()).to.deep.equal(names(again));
      expect(stdout).not.to.include('planted');
    });
  }

  const forgetful: Readonly<Record<string, NodeJS.ProcessEnv>> = {
    'where nothing is to be kept': { OLM_GUARD_CACHE: '' },
    'on CI, where a pull request may have left them': {
      ...{ CI: 'true', OLM_GUARD_CACHE: undefined },
      XDG_CACHE_HOME: tmpdir(),
    },
  };
  for (const [where, env] of Object.entries(forgetful)) {
    it(`are made again in each run ${where}`, async () => {
      await check(objects, env);
      await check(objects, env);
      expect(rendered().sort()).to.deep.equal(names([...all, ...all]));
    });
  }

  it('are made again where the network may have given something else', async () => {
    await check([...objects, '--network']);
    await check([...objects, '--network']);
    expect(rendered()).to.have.lengthOf(2 * all.length);
  });

  it('are made once for both sides of a comparison where nothing differs', async () => {
    repository.write({ 'apps/a/w.yaml': definitionText() });
    repository.commit('two');
    const env = { OLM_GUARD_CACHE: '' };
    expect((await check(['check', 'crd', 'git:HEAD:apps/a', 'apps/a'], env)).code).to.equal(0);
    expect(rendered()).to.have.lengthOf(1);
    repository.write({ 'apps/a/w.yaml': definitionText('widgets', { size: false }) });
    expect((await check(['check', 'crd', 'git:HEAD:apps/a', 'apps/a'], env)).code).to.equal(1);
    expect(rendered()).to.have.lengthOf(2);
  });

  it('read the files of a commit by few processes, however many there are', async () => {
    const names = ['w', ...Array.from({ length: 20 }, (_, index) => `w${index}`)];
    repository.write({
      ...Object.fromEntries(names.map((each) => [`many/${each}.yaml`, definitionText()])),
      'many/kustomization.yaml': `resources: [${names.map((each) => `${each}.yaml`).join(', ')}]\n`,
    });
    repository.commit('many');
    const git = readlinkSync(join(path, 'git'));
    rmSync(join(path, 'git'));
    const script = `#!/bin/sh\necho "git $*" >> ${join(around, 'log')}\nexec ${git} "$@"\n`;
    writeFileSync(join(path, 'git'), script, { mode: 0o755 });
    const { code, stderr } = await check(['check', 'crd', 'git:HEAD:many', 'many']);
    expect(code, stderr).to.equal(0);
    const reads = rendered().filter((line) => line.includes('cat-file'));
    expect(reads).to.have.lengthOf.within(1, 4);
  });

  it('are made of files that their key has, and of none that others take in', async () => {
    const seen = join(around, 'seen');
    const script = fake('1', '').replace('/bin/cat', `(cd "$last/.." && echo *) >> ${seen}\n$&`);
    writeFileSync(join(path, 'kustomize'), script, { mode: 0o755 });
    expect((await check(objects)).code).to.equal(0);
    const apps = readFileSync(seen, 'utf8').trimEnd().split('\n');
    expect(apps.sort()).to.deep.equal(['a', 'b', 'c link']);
  });

  it('are made by the lighter program where both are installed', async () => {
    install(['kubectl']);
    await check(objects);
    expect(rendered().filter((line) => line.startsWith('kubectl'))).to.deep.equal([]);
    rmSync(join(path, 'kustomize'));
    await check(objects);
    expect(rendered().sort()).to.deep.equal(all.slice(0, 3).map((each) => `kubectl ${each}`));
  });

  const without: Readonly<Record<string, Files>> = {
    'none is in the repository': { 'crds/widgets.yaml': '' },
    'only targets of patches name the kind': {
      'crds/widgets.yaml': '',
      'apps/a/kustomization.yaml':
        'resources: [w.yaml]\npatches:\n- target: { kind: CustomResourceDefinition }\n  patch: "[]"\n',
    },
    'nothing takes in the folder that holds one': {},
  };
  for (const [where, written] of Object.entries(without)) {
    it(`are not begun where ${where}`, async () => {
      repository.write(written);
      const { code, stderr } = await check(['check', 'objects', 'apps']);
      expect([code, rendered()]).to.deep.equal([2, []]);
      expect(stderr).to.include('no CustomResourceDefinition is in apps; name them: --crds NEW');
    });
  }

  const within: Readonly<Record<string, Files>> = {
    'a kustomization takes one in': {
      'apps/a/kustomization.yaml': 'resources: [../../crds, w.yaml]\n',
      'crds/kustomization.yaml': 'resources: [widgets.yaml]\n',
    },
    'what a kustomization takes in may apply others': {
      'base/w.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { path: crds } }\n',
    },
    'a chart has another one in an archive': {
      'apps/d/Chart.yaml': files['chart/Chart.yaml'] ?? '',
      'apps/d/charts/e.tgz': 'packed',
    },
  };
  for (const [where, written] of Object.entries(within)) {
    it(`are begun where ${where}`, async () => {
      repository.write(written);
      await check(['check', 'objects', 'apps']);
      expect(rendered()).to.include('kustomize apps/a');
    });
  }
});
