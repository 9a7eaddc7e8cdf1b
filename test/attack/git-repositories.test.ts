/** Repositories that somebody planted: nothing that they name is run, and no name is another's. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run, type Ended } from '../cli/command.js';
import { definitionText, Repository } from '../cli/repository.js';

const place = 'config/crd/widgets.yaml';
const small = definitionText('widgets', { size: false });

describe('planted git repositories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-planted-'));
  const canary = join(folder, 'canary');
  const program = join(folder, 'program');
  const made: Repository[] = [];

  before(() => {
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${canary}'\nexit 1\n`, { mode: 0o755 });
    for (const name of ['git', 'kubectl', 'git-remote-own']) cpSync(program, join(folder, name));
  });
  afterEach(() => {
    const ran = existsSync(canary);
    rmSync(canary, { force: true });
    for (const each of made.splice(0)) each.remove();
    expect(ran, 'something of the repository was run').to.equal(false);
  });
  after(() => rmSync(folder, { recursive: true }));

  function honest(): Repository {
    const repository = new Repository({ [place]: definitionText() });
    made.push(repository);
    repository.commit();
    repository.git('update-ref', 'refs/remotes/origin/main', 'main');
    repository.write({ [place]: small });
    return repository;
  }

  const check = (cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
    run(['check', 'crd', ...args], { cwd, env });

  /** Every setting that names a program. */
  const settings: Readonly<Record<string, string>> = {
    'alias.rev-parse': `!${program}`,
    'core.alternateRefsCommand': program,
    'core.askPass': program,
    'core.editor': program,
    'core.fsmonitor': program,
    'core.gitProxy': program,
    'core.hooksPath': folder,
    'core.pager': program,
    'core.sshCommand': program,
    'credential.helper': program,
    'diff.external': program,
    'diff.planted.command': program,
    'diff.planted.textconv': program,
    'filter.planted.clean': program,
    'filter.planted.process': program,
    'filter.planted.smudge': program,
    'gpg.program': program,
    'log.showSignature': 'true',
    'pager.cat-file': program,
    'pager.for-each-ref': program,
    'pager.ls-tree': program,
    'pager.merge-base': program,
    'pager.rev-list': program,
    'pager.rev-parse': program,
    'protocol.allow': 'always',
    'protocol.ext.allow': 'always',
    'protocol.file.allow': 'always',
    'protocol.own.allow': 'always',
    'uploadpack.packObjectsHook': program,
  };

  /** One that lacks its blobs and trees, and has them fetched by a program. */
  function withTrap(repository: Repository, url: string): void {
    for (const [name, value] of Object.entries(settings)) repository.git('config', name, value);
    repository.git('config', 'core.repositoryFormatVersion', '1');
    repository.git('config', 'extensions.partialClone', 'origin');
    repository.git('config', 'remote.origin.url', url);
    repository.git('config', 'remote.origin.promisor', 'true');
    repository.git('config', 'remote.origin.partialclonefilter', 'blob:none');
    repository.write({ '.gitattributes': '* filter=planted diff=planted\n' });
    const hooks = join(repository.folder, '.git', 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const name of ['reference-transaction', 'post-checkout', 'post-index-change']) {
      writeFileSync(join(hooks, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    }
  }

  function loose(repository: Repository, revision: string): string {
    const hash = repository.git('rev-parse', revision).trim();
    return join(repository.folder, '.git', 'objects', hash.slice(0, 2), hash.slice(2));
  }

  const transports = [
    `ext::sh -c ${program}`,
    'own::anything',
    `ssh://${folder}/planted`,
    `file://${folder}/planted`,
    'https://127.0.0.1:1/planted',
  ];

  it('run no program that the configuration, attributes or hooks name', async () => {
    const repository = honest();
    withTrap(repository, `ext::sh -c ${program}`);
    const path = `${process.env['PATH'] ?? ''}`;
    const { code, stdout } = await check(repository.folder, ['config/crd'], { PATH: path });
    expect(stdout).to.include('NoExistingFieldRemoved');
    expect(code).to.equal(1);
  });

  for (const url of transports) {
    for (const missing of ['main^{tree}', `main:${place}`]) {
      it(`fetch nothing by ${url.replace(folder, '')} where ${missing} is missing`, async () => {
        const repository = honest();
        withTrap(repository, url);
        rmSync(loose(repository, missing));
        for (const old of ['git:main:config/crd', 'git:main...:config/crd']) {
          const { code, stdout, stderr } = await check(repository.folder, [old, 'config/crd'], {
            PATH: `${process.env['PATH'] ?? ''}:${folder}`,
          });
          expect(stderr, old).to.match(/^olm-guard: git:main\S*: git: [^\n]+\n$/);
          expect({ code, stdout }, old).to.deep.equal({ code: 2, stdout: '' });
        }
      });
    }
  }

  it('say that contents are missing in a partial clone', async () => {
    const from = honest();
    from.git('config', 'uploadpack.allowFilter', 'true');
    const clone = new Repository();
    made.push(clone);
    clone.git('remote', 'add', 'origin', `file://${from.folder}`);
    clone.git('fetch', '-q', '--filter=blob:none', 'origin');
    clone.write({ [place]: small });
    const { code, stderr } = await check(clone.folder, ['config/crd']);
    expect(stderr).to.include(
      'git: its contents are not in this clone, which is partial: clone without --filter',
    );
    expect(code).to.equal(2);
  });

  /** The folder of a bare repository, as a branch can hold one. */
  function plantBare(inside: string, settingsOf: Readonly<Record<string, string>>): void {
    const bare = new Repository({ [place]: small });
    made.push(bare);
    bare.commit();
    bare.git('update-ref', 'refs/remotes/origin/main', 'main');
    withTrap(bare, `ext::sh -c ${program}`);
    for (const [name, value] of Object.entries(settingsOf)) bare.git('config', name, value);
    rmSync(loose(bare, 'main^{tree}'));
    for (const name of readdirSync(join(bare.folder, '.git'))) {
      cpSync(join(bare.folder, '.git', name), join(inside, name), { recursive: true });
    }
  }

  for (const [what, settingsOf] of [
    ['bare', { 'core.bare': 'true' }],
    ['that says it is not bare', { 'core.bare': 'false' }],
    ['with a working tree elsewhere', { 'core.bare': 'false', 'core.worktree': folder }],
  ] as const) {
    it(`count as folders: a repository ${what}, in a branch`, async () => {
      const repository = honest();
      const cwd = join(repository.folder, 'planted');
      mkdirSync(cwd);
      plantBare(cwd, settingsOf);
      cpSync(join(repository.folder, place), join(cwd, 'widgets.yaml'));
      const honestOld = ['git:origin/main:config/crd', '.'];
      const { code, stdout } = await check(cwd, honestOld);
      expect(stdout, 'compared with the repository around it').to.include('NoExistingFieldRemoved');
      expect(code).to.equal(1);
    });

    it(`are not read without one around them: a repository ${what}`, async () => {
      const cwd = mkdtempSync(join(tmpdir(), 'olm-guard-bare-'));
      plantBare(cwd, settingsOf);
      writeFileSync(join(cwd, 'widgets.yaml'), small);
      for (const args of [['.'], ['git:main:', '.'], ['main:config', '.']]) {
        const { code, stdout, stderr } = await check(cwd, args);
        expect(stderr).to.match(
          args[0] === 'main:config' ? /no such file or folder\n$/ : /a bare one is not read/,
        );
        expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      }
      rmSync(cwd, { recursive: true });
    });
  }

  it('run nothing by a .git file that leads to one', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'olm-guard-led-'));
    mkdirSync(join(cwd, 'bare'));
    plantBare(join(cwd, 'bare'), { 'core.bare': 'false', 'core.worktree': cwd });
    writeFileSync(join(cwd, '.git'), 'gitdir: ./bare\n');
    writeFileSync(join(cwd, 'widgets.yaml'), small);
    const { code, stdout } = await check(cwd, ['git:main:', '.']);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    rmSync(cwd, { recursive: true });
  });

  it('run no git and no kubectl of the folder, wherever it stands on PATH', async () => {
    const repository = honest();
    repository.write({ 'config/crd/kustomization.yaml': 'resources: [widgets.yaml]\n' });
    repository.commit();
    const bin = join(repository.folder, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['git', 'kubectl', 'kustomize']) {
      cpSync(program, join(repository.folder, name));
      cpSync(program, join(bin, name));
    }
    const PATH = [bin, '.', '', 'node_modules/.bin', process.env['PATH'] ?? ''].join(':');
    const { code } = await check(repository.folder, ['git:origin/main:config/crd', 'config/crd'], {
      PATH,
    });
    expect(code).to.equal(1);
    const alone = await check(repository.folder, ['config/crd'], { PATH: `${bin}:.` });
    expect(alone.stderr).to.include('PATH has no git outside of this repository');
    expect(alone.code).to.equal(2);
  });

  it('do not become another one by the environment of a hook', async () => {
    const [repository, other] = [honest(), honest()];
    other.write({ [place]: small });
    other.commit();
    other.git('update-ref', 'refs/remotes/origin/main', 'main');
    const git = join(other.folder, '.git');
    const { code, stdout } = await check(repository.folder, ['config/crd'], {
      GIT_DIR: git,
      GIT_WORK_TREE: other.folder,
      GIT_INDEX_FILE: join(git, 'index'),
      GIT_OBJECT_DIRECTORY: join(git, 'objects'),
      GIT_PREFIX: 'config/',
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program}'`,
    });
    expect(stdout).to.include('NoExistingFieldRemoved');
    expect(code).to.equal(1);
  });

  it('show no other objects than those of the hash, by replacements', async () => {
    const repository = honest();
    const blob = repository.git('hash-object', '-w', place).trim();
    repository.git('replace', repository.git('rev-parse', `main:${place}`).trim(), blob);
    expect((await check(repository.folder, ['config/crd'])).code).to.equal(1);
  });

  it('of somebody else are refused, with what to do', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    const repository = honest();
    spawnSync('chown', ['-R', '65534', repository.folder]);
    chmodSync(repository.folder, 0o777);
    const { code, stdout, stderr } = await check(repository.folder, ['config/crd']);
    expect(stderr).to.match(
      /dubious ownership.*; if you trust its owner, add it to safe\.directory/,
    );
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, '.gitconfig'), `[safe]\n\tdirectory = ${repository.folder}\n`);
    const trusted = await check(repository.folder, ['config/crd'], { HOME: home });
    expect(trusted.code, trusted.stderr).to.equal(1);
  });

  describe('with a name that stands for something else', () => {
    /** What `name` would be replaced by: a commit that has nothing to break. */
    function replaced(reference: string): Repository {
      const repository = honest();
      repository.git('checkout', '-q', '-b', 'aside');
      repository.commit('small');
      repository.git('update-ref', reference, 'aside');
      repository.git('checkout', '-q', 'main');
      repository.write({ [place]: small });
      return repository;
    }

    const refused = (answer: Ended, ...says: readonly string[]): void => {
      for (const each of says) expect(answer.stderr).to.include(each);
      expect(answer.code).to.equal(2);
      expect(answer.stdout).to.equal('');
    };

    const both = 'refs/tags/origin/main and refs/remotes/origin/main: write the one that is meant';
    it('a tag called origin/main', async () => {
      const repository = replaced('refs/tags/origin/main');
      refused(await check(repository.folder, ['config/crd']), both);
      refused(await check(repository.folder, ['git:origin/main:config/crd', 'config/crd']), both);
      const full = ['git:refs/remotes/origin/main:config/crd', 'config/crd'];
      expect((await check(repository.folder, full)).code).to.equal(1);
      const policy = ['--policy', 'git:origin/main:.olm-guard.yaml'];
      refused(await check(repository.folder, [...full, ...policy]), both);
      repository.write({
        '.olm-guard.yaml':
          'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nold: git:origin/main\n',
      });
      refused(await check(repository.folder, ['config/crd']), both, '.olm-guard.yaml:3:1');
    });

    it('a tag called origin/main where the branch is not fetched', async () => {
      const repository = replaced('refs/tags/origin/main');
      repository.git('update-ref', '-d', 'refs/remotes/origin/main');
      const says = 'origin/main is refs/tags/origin/main here, and no branch of origin';
      refused(await check(repository.folder, ['config/crd']), says);
      const tag = ['git:refs/tags/origin/main:config/crd', 'config/crd'];
      expect((await check(repository.folder, tag)).code).to.equal(0);
    });

    for (const [reference, name] of [
      ['refs/heads/origin/main', 'origin/main'],
      ['refs/tags/main', 'main'],
      ['refs/remotes/main', 'main'],
      ['refs/remotes/main/HEAD', 'main'],
      ['refs/tags/refs/remotes/origin/main', 'refs/remotes/origin/main'],
      ['refs/heads/refs/remotes/origin/main', 'refs/remotes/origin/main'],
      ['refs/tags/main', 'main~0'],
      ['refs/tags/main', 'main...'],
      ['refs/tags/main', 'main@{0}'],
    ] as const) {
      it(`${reference} beside ${name}`, async () => {
        const repository = replaced(reference);
        const answer = await check(repository.folder, [`git:${name}:config/crd`, 'config/crd']);
        refused(answer, reference, ' stands for ', 'write the one that is meant in full');
      });
    }

    it('a tag called like the short hash of a commit', async () => {
      const repository = honest();
      const short = repository.git('rev-parse', '--short', 'main').trim();
      repository.git('tag', short, 'main');
      for (const name of [short, `${short}^0`, `v1-2-g${short}`]) {
        if (name.startsWith('v')) repository.git('tag', name, 'main');
        const asked = [`git:${name}:config/crd`, 'config/crd'];
        refused(await check(repository.folder, asked), 'and a commit: write');
      }
    });

    it('a tag called HEAD, which stands for nothing else', async () => {
      const repository = replaced('refs/tags/HEAD');
      const answer = await check(repository.folder, ['git:HEAD:config/crd', 'config/crd']);
      expect(answer.code).to.equal(1);
    });

    for (const name of ['--all', '-h', '--output=x', '-...']) {
      it(`an option: ${name}`, async () => {
        const { folder: cwd } = honest();
        const asked = [`git:${name}:config/crd`, 'config/crd'];
        refused(await check(cwd, asked), 'looks like an option');
        expect((await check(cwd, [`${name}:config/crd`, 'config/crd'])).code).to.equal(2);
      });
    }
  });
});
