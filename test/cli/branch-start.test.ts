/** What a branch is compared with: the commit where HEAD left it, whatever it has gained since. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, run, type Ended } from './command.js';
import { definitionText, Repository, type Files } from './repository.js';

const place = 'config/crd/widgets.yaml';
const large: Files = { [place]: definitionText() };
const small: Files = { [place]: definitionText('widgets', { size: false }) };
const policy = (old: string): Files => ({
  '.olm-guard.yaml': `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nold: ${old}\n`,
});

describe('a branch that is behind main', () => {
  const made: Repository[] = [];
  afterEach(() => {
    for (const each of made.splice(0)) each.remove();
  });

  function repositoryOf(files: Files): Repository {
    const repository = new Repository(files);
    made.push(repository);
    return repository;
  }

  /** `pull` started at the first commit, and main has gained a field since. */
  function behind(): Repository & { start?: string } {
    const repository = repositoryOf(small);
    repository.commit('start');
    repository.git('checkout', '-q', '-b', 'pull');
    repository.write({ 'README.md': 'ours' });
    repository.commit('ours');
    repository.git('checkout', '-q', 'main');
    repository.write(large);
    repository.commit('gains a field');
    repository.git('update-ref', 'refs/remotes/origin/main', 'main');
    repository.git('checkout', '-q', 'pull');
    return repository;
  }

  const check = (repository: Repository, ...args: readonly string[]): Promise<Ended> =>
    run(['check', 'crd', ...args], { cwd: repository.folder });
  const hash = (repository: Repository, name: string): string =>
    repository.git('rev-parse', name).trim();

  for (const [how, args, old] of [
    ['where nothing else is said', ['config/crd'], undefined],
    ['by old: of a remote branch', ['config/crd'], 'git:origin/main'],
    ['by old: of a remote branch in full', ['config/crd'], 'git:refs/remotes/origin/main'],
    ['by old: of a local branch', ['config/crd'], 'git:main'],
    ['by old: of a path in a branch', ['config/crd'], 'git:main:config/crd'],
    ['by BRANCH... on the command line', ['git:main...:config/crd', 'config/crd'], undefined],
    ['from standard input', ['git:main...:config/crd', '-'], undefined],
  ] as const) {
    it(`is compared with what it started from, ${how}`, async () => {
      const repository = behind();
      if (old !== undefined) repository.write(policy(old));
      const { code, stdout, stderr } = await run(['check', 'crd', ...args], {
        cwd: repository.folder,
        stdin: definitionText('widgets', { size: false }),
      });
      const start = hash(repository, 'main~1');
      expect(stderr).to.match(
        new RegExp(`main has moved on: compared with ${start}, the merge base of HEAD and .*main`),
      );
      expect(stdout).to.match(new RegExp(`; compared with git:${start}:config/crd\n$`));
      expect(code).to.equal(0);
    });
  }

  it('is denied for its own removals', async () => {
    const repository = behind();
    const changed = definitionText('widgets', { size: false }).replace(
      'type: string',
      'type: integer',
    );
    repository.write({ [place]: changed });
    const { code, stdout } = await check(repository, 'config/crd', '-o', 'json');
    const told = JSON.parse(stdout) as { comparedWith: string[]; results: object[] };
    expect(told.comparedWith).to.deep.equal([`git:${hash(repository, 'main~1')}:config/crd`]);
    expect(JSON.stringify(told.results)).to.include('color').and.not.include('size');
    expect(code).to.equal(1);
  });

  for (const [what, named] of [
    ['a branch as it is on the command line', 'git:main:config/crd'],
    ['a commit of it', 'git:main^0:config/crd'],
  ] as const) {
    it(`is compared with ${what}, where that is named`, async () => {
      const repository = behind();
      const { code, stderr } = await check(repository, named, 'config/crd');
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    });
  }

  it('is compared with a tag or a hash that old: names, though HEAD left it too', async () => {
    const repository = behind();
    repository.git('tag', 'v1', 'main');
    repository.git('tag', '-a', '-m', 'v2', 'v2', 'main');
    for (const old of ['v1', 'v2', 'main~0', hash(repository, 'main')]) {
      repository.write(policy(`git:${old}`));
      expect((await check(repository, 'config/crd')).code, old).to.equal(1);
    }
  });

  it('is named by the branch alone where HEAD has all of it', async () => {
    const repository = behind();
    repository.git('merge', '-q', 'main');
    const { stdout, stderr } = await check(repository, 'config/crd');
    expect(stdout).to.match(/; compared with git:origin\/main:config\/crd\n$/);
    expect(stderr).to.equal('');
  });

  it('is compared with the branch that is being merged while the merge is not done', async () => {
    const repository = behind();
    repository.git('merge', '-q', '--no-commit', '--no-ff', 'main');
    repository.write(small);
    const { code, stderr } = await check(repository, 'config/crd');
    expect(stderr).to.equal('');
    expect(code, 'the merge would take the field away').to.equal(1);
  });

  it('is compared with the branch as it is where there are several merge bases', async () => {
    const repository = behind();
    repository.git('checkout', '-q', '-b', 'crossed', 'main');
    repository.git('merge', '-q', '-m', 'one', 'pull');
    repository.git('checkout', '-q', 'pull');
    repository.git('merge', '-q', '-m', 'two', hash(repository, 'main'));
    repository.git('update-ref', 'refs/remotes/origin/main', 'crossed');
    repository.write(small);
    const { code, stderr } = await check(repository, 'config/crd');
    expect(stderr).to.include('HEAD and origin/main have 2 merge bases: compared with origin/main');
    expect(code).to.equal(1);
  });

  it('cannot start from a branch that it has no commit in common with', async () => {
    const repository = behind();
    repository.git('checkout', '-q', '--orphan', 'other');
    repository.commit('other');
    const { code, stdout, stderr } = await check(repository, 'config/crd');
    expect(stderr).to.include(
      'git:origin/main:config/crd: git: HEAD and origin/main have no commit in common; name the one to compare with',
    );
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
  });

  it('says in a shallow clone what to do, where the merge base is not in it', async () => {
    const from = behind();
    for (const depth of [1, 2]) {
      const clone = repositoryOf({});
      const fetch = ['fetch', '-q', `--depth=${depth}`, `file://${from.folder}`];
      clone.git(...fetch, 'main:refs/remotes/origin/main', 'pull:pull');
      clone.git('checkout', '-q', 'pull');
      const { code, stdout, stderr } = await check(clone, 'config/crd');
      if (depth === 2) {
        expect({ code, stderr: /merge base of HEAD/.test(stderr) }).to.deep.equal({
          ...{ code: 0, stderr: true },
        });
        continue;
      }
      expect(stderr).to.include(
        'git: this clone is shallow and does not reach the merge base of HEAD and origin/main: check out with fetch-depth: 0, or run git fetch --unshallow',
      );
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    }
  });

  it('takes no older merge base where a shallow clone hides the nearer one', async () => {
    const repository = repositoryOf(small);
    repository.commit('start');
    repository.write(large);
    repository.commit('gains a field');
    repository.git('checkout', '-q', '-b', 'pull', 'main~1');
    repository.write({ 'README.md': 'ours' });
    repository.commit('ours');
    repository.git('merge', '-q', '-m', 'takes main in', 'main');
    repository.write(small);
    repository.commit('takes the field away');
    repository.git('checkout', '-q', 'main');
    repository.write({ 'NEWS.md': 'more' });
    repository.commit('more');
    repository.git('update-ref', 'refs/remotes/origin/main', 'main');
    repository.git('checkout', '-q', 'pull');
    expect((await check(repository, 'config/crd')).code, 'with its history').to.equal(1);
    // As a clone is that ends at main's last commit, and at nothing else.
    writeFileSync(join(repository.folder, '.git', 'shallow'), `${hash(repository, 'main')}\n`);
    const { code, stderr } = await check(repository, 'config/crd');
    expect(stderr).to.include('check out with fetch-depth: 0');
    expect(code).to.equal(2);
  });

  it('is judged by the policy that decides, and told of no change that main made to it', async () => {
    const repository = behind();
    repository.write(policy('git:origin/main'));
    repository.commit('with a policy');
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '-m', 'merge', 'pull');
    repository.write(policy('git:origin/main # more'));
    repository.commit('another policy');
    repository.git('update-ref', 'refs/remotes/origin/main', 'main');
    repository.git('checkout', '-q', 'pull');
    const { stderr } = await check(repository, 'config/crd');
    expect(stderr)
      .to.include('using the policy .olm-guard.yaml')
      .and.not.include('differs from that in');
  });

  describe('in the Action', () => {
    function action(repository: Repository, old: string, env: NodeJS.ProcessEnv = {}) {
      return spawnSync('bash', [join(root, 'action', 'check.sh')], {
        cwd: repository.folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          OLM_GUARD: `${process.execPath} ${join(root, 'dist', 'main.js')}`,
          CHECK_OLD: old,
          CHECK_PATHS: 'config/crd',
          ...env,
        },
      });
    }

    for (const old of ['main', 'origin/main', 'refs/remotes/origin/main', 'main...']) {
      it(`is compared with what it started from, with old: ${old}`, () => {
        const { status, stderr } = action(behind(), old);
        expect(stderr).to.include('main has moved on: compared with');
        expect(status).to.equal(0);
      });
    }

    it('is compared with a tag as it is', () => {
      const repository = behind();
      repository.git('tag', 'v1', 'main');
      expect(action(repository, 'v1').status).to.equal(1);
    });
  });

  describe('in a hook of git', () => {
    it('is compared from the folder that the hook runs in, whatever git sets for it', () => {
      const repository = behind();
      const other = repositoryOf(large);
      other.commit();
      other.git('update-ref', 'refs/remotes/origin/main', 'main');
      const command = `"${process.execPath}" "${join(root, 'dist', 'main.js')}"`;
      const hooks = mkdtempSync(join(tmpdir(), 'olm-guard-hooks-'));
      // One in the folder of the commit, and one in another repository.
      const elsewhere = `(cd "${other.folder}" && ${command} check crd config/crd -o json)`;
      writeFileSync(
        join(hooks, 'pre-commit'),
        `#!/bin/sh\n${command} check crd config/crd >&2 || exit\n${elsewhere} >&2\n`,
        { mode: 0o755 },
      );
      const linked = join(hooks, 'worktree');
      repository.git('worktree', 'add', '-q', linked, '-b', 'linked', 'pull');
      for (const folder of [repository.folder, linked]) {
        const commit = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit'];
        const argv = ['-c', `core.hooksPath=${hooks}`, ...commit, '--allow-empty', '-m', 'x'];
        const { status, stderr } = spawnSync('git', argv, { cwd: folder, encoding: 'utf8' });
        expect(stderr).to.include('the merge base of HEAD and origin/main');
        expect(stderr).to.include('"git:origin/main:config/crd"');
        expect(status, stderr).to.equal(0);
      }
      rmSync(hooks, { recursive: true });
    });
  });
});
