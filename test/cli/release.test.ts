/** `old: release` and `git:merge-base:`, and what is said where there is neither. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runHere } from './command.js';
import { definitionText, Repository } from './repository.js';

const place = 'config/crd/widgets.yaml';
const policy = 'old: release\npaths: [config/crd]\n';
const policyHead = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
const small = definitionText('widgets', { size: false });

describe('old: release', () => {
  let repository: Repository;
  let cwd: string;
  const known = { ...process.env };
  beforeEach(() => {
    for (const name of [
      'GITHUB_BASE_REF',
      'GITHUB_EVENT_NAME',
      'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
    ]) {
      delete process.env[name];
    }
    repository = new Repository({ '.olm-guard.yaml': policy, [place]: definitionText() });
    repository.commit();
    cwd = repository.folder;
  });
  afterEach(() => {
    Object.assign(process.env, known);
    repository.remove();
  });

  it('is the newest release by semver that HEAD contains, and is named', async () => {
    for (const tag of ['v1.9.0', 'v1.10.0', 'v1.11.0-rc.1', 'nightly', '2.0']) {
      repository.git('tag', tag);
    }
    repository.git('checkout', '-q', '-b', 'next');
    repository.write({ [place]: small });
    repository.commit();
    repository.git('tag', 'v2.0.0');
    repository.git('checkout', '-q', 'main');
    repository.write({ [place]: small });
    const { code, stdout } = await runHere(['check', 'crd'], { cwd });
    expect(stdout).to.match(/; compared with git:refs\/tags\/v1\.10\.0:\.\/config\/crd\n$/);
    expect(code).to.equal(1);
    repository.git('checkout', '-q', '-f', 'next');
    expect((await runHere(['check', 'crd'], { cwd })).stdout).to.include('refs/tags/v2.0.0:');
  });

  it('is what explain compares with, where neither side is named', async () => {
    repository.git('tag', 'v1.0.0');
    repository.write({ [place]: small });
    const { code, stdout, stderr } = await runHere(
      ['explain', 'NoExistingFieldRemoved@^.spec.size'],
      { cwd },
    );
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^widgets\.example\.com v1 \^\.spec\.size$/m);
  });

  it('may be tagged as release-1.2.0 or release/v1.3.0', async () => {
    for (const [tag, name] of [
      ['release-1.2.0', 'release-1.2.0'],
      ['release/v1.3.0', 'release/v1.3.0'],
      ['release-2.0-branch', 'release/v1.3.0'],
    ] as const) {
      repository.git('tag', tag);
      const { stdout } = await runHere(['check', 'crd'], { cwd });
      expect(stdout).to.include(`; compared with git:refs/tags/${name}:./config/crd\n`);
    }
  });

  it('is compared with the path of NEW, be it of a commit, and --old names a commit alone', async () => {
    repository.git('tag', 'v1.0.0');
    repository.write({ [place]: small });
    repository.commit();
    const told = async (...argv: string[]): Promise<string> => {
      const { stdout, stderr } = await runHere(['check', 'crd', ...argv], { cwd });
      return stdout + stderr;
    };
    const ofHead = await told('git:HEAD:config/crd');
    expect(ofHead)
      .to.include('1 denied')
      .and.include('compared with git:refs/tags/v1.0.0:config/crd');
    expect(await told('--old', 'v1.0.0', 'config/crd')).to.include('(did you mean "git:v1.0.0"?)');
  });

  it('is none that a pull request tags on its own commits', async () => {
    repository.git('tag', 'v1.0.0');
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.write({ [place]: small });
    repository.commit();
    repository.git('tag', 'v99.0.0');
    process.env['GITHUB_BASE_REF'] = 'main';
    const { code, stdout } = await runHere(['check', 'crd'], { cwd });
    repository.git('tag', '-d', 'v1.0.0');
    const { stderr } = await runHere(['check', 'crd'], { cwd });
    delete process.env['GITHUB_BASE_REF'];
    expect(stdout).to.include('compared with git:refs/tags/v1.0.0:');
    expect(code).to.equal(1);
    expect(stderr).to.include('the target of the pull request contains no tag');
  });

  it('names the start of the branch, once, where that lacks the policy, and not OLD', async () => {
    repository.git('rm', '-q', '.olm-guard.yaml');
    repository.commit();
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const start = repository.git('rev-parse', '--short=12', 'HEAD').trim();
    repository.git('tag', 'v1.0.0');
    repository.write({
      '.olm-guard.yaml': `${policyHead}old: git:main\npaths: [config/crd, ${place}]\n`,
    });
    repository.commit();
    const { stdout } = await runHere(['check', 'crd', '--old', 'git:v1.0.0'], { cwd });
    expect(stdout).to.include(
      `.olm-guard.yaml decides, and ${start}, where the branch began, does not have it`,
    );
    const { stderr } = await runHere(['check', 'crd', '--old', 'git:merge-base'], { cwd });
    expect(stderr.match(/compared with \S+, where HEAD left/g)).to.have.length(1);
  });

  it('is taken from --old too, which wins over the policy', async () => {
    repository.write({ '.olm-guard.yaml': 'old: git:nowhere\npaths: [config/crd]\n' });
    repository.git('tag', 'v1.0.0');
    repository.write({ [place]: small });
    for (const named of [[], ['config/crd']]) {
      const { code, stdout } = await runHere(['check', 'crd', ...named, '--old', 'release'], {
        cwd,
      });
      expect(stdout).to.include('compared with git:refs/tags/v1.0.0:');
      expect(code).to.equal(1);
    }
    const twice = ['check', 'crd', 'git:main:config/crd', 'config/crd', '--old', 'release'];
    const { code, stderr } = await runHere(twice, { cwd });
    expect({ code, stderr }).to.deep.include({ code: 2 });
    expect(stderr).to.include('OLD is named twice, as git:main:config/crd and as --old release');
  });

  it('compares all definitions of the repository where the policy names no paths', async () => {
    repository.write({ '.olm-guard.yaml': 'old: release\n' });
    repository.git('tag', 'v1.0.0');
    repository.write({ [place]: small });
    const { code, stdout } = await runHere(['check', 'crd'], { cwd: join(cwd, 'config') });
    expect(stdout).to.include('compared with git:refs/tags/v1.0.0:./crd');
    expect(code).to.equal(1);
  });

  it('is not mistaken for a branch of that name', async () => {
    repository.git('tag', 'v1.0.0');
    repository.write({ [place]: small });
    repository.commit();
    repository.git('branch', 'v1.0.0');
    expect((await runHere(['check', 'crd'], { cwd })).code).to.equal(1);
  });

  const refusals: readonly [name: string, prepare: () => void, says: string][] = [
    [
      'no tags',
      () => undefined,
      'git: this clone has no tags: run git fetch --tags; before the first release name OLD, such as git:origin/main',
    ],
    [
      'no tag that is a version',
      () => {
        repository.git('tag', 'nightly');
        repository.git('tag', 'v1.0.0-rc.1');
        repository.git('update-ref', 'refs/tags/-v1.0.0', 'HEAD');
        repository.git('update-ref', 'refs/tags/--output=x', 'HEAD');
      },
      'git: no tag that HEAD contains is a release such as v1.2.3, only --output=x, -v1.0.0, nightly, v1.0.0-rc.1: tag one, or name the commit (git:TAG) as OLD',
    ],
    [
      'tags of other branches only',
      () => {
        repository.git('checkout', '-q', '-b', 'next');
        repository.commit('two');
        repository.git('tag', 'v1.0.0');
        repository.git('checkout', '-q', 'main');
      },
      'git: HEAD contains no tag, only other branches have some: name OLD, such as git:v1.2.3',
    ],
  ];
  for (const [name, prepare, says] of refusals) {
    it(`says what to do about ${name}`, async () => {
      prepare();
      const { code, stderr } = await runHere(['check', 'crd'], { cwd });
      expect(code).to.equal(2);
      expect(stderr).to.include(`.olm-guard.yaml:1:1: release: ${says}`);
    });
  }

  it('says what to do about a shallow clone', async () => {
    repository.git('tag', 'v1.0.0');
    repository.commit('two');
    const clone = mkdtempSync(join(tmpdir(), 'olm-guard-shallow-'));
    try {
      repository.git('clone', '-q', '--depth', '1', `file://${cwd}`, join(clone, 'it'));
      const { code, stderr } = await runHere(['check', 'crd'], { cwd: join(clone, 'it') });
      expect(code).to.equal(2);
      expect(stderr).to.include(
        'git: this clone is shallow, so its releases are not known: check out with fetch-depth: 0, or run git fetch --unshallow --tags',
      );
    } finally {
      rmSync(clone, { recursive: true });
    }
  });

  it('says that a tag looks like an option', async () => {
    repository.git('update-ref', 'refs/tags/--output=x', 'HEAD');
    const named = ['check', 'crd', 'git:--output=x:config/crd', 'config/crd'];
    const { code, stderr } = await runHere(named, { cwd });
    expect(code).to.equal(2);
    expect(stderr).to.include('looks like an option; write refs/tags/--output=x if it is a tag');
    const full = ['check', 'crd', 'git:refs/tags/--output=x:config/crd', 'config/crd'];
    expect((await runHere(full, { cwd })).code).to.equal(0);
  });

  it('holds the policy against where the branch began, not against the release', async () => {
    repository.git('tag', 'v1.0.0');
    repository.write({
      '.olm-guard.yaml': `${policy}promises:\n  - { versions: [v1], mode: warn }\n`,
    });
    repository.commit();
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.git('checkout', '-q', '-b', 'change');
    repository.write({ [place]: small });
    expect((await runHere(['check', 'crd'], { cwd })).stdout).not.to.include('decides, and');
    repository.write({
      '.olm-guard.yaml': `${policy}promises:\n  - { versions: [v1], mode: audit }\n`,
    });
    expect((await runHere(['check', 'crd'], { cwd })).stdout).to.include(
      '.olm-guard.yaml decides, and differs from that in',
    );
  });

  describe('git:merge-base:', () => {
    const check = (...args: string[]) => runHere(['check', 'crd', ...args], { cwd });

    it('is the commit where the branch began', async () => {
      repository.git('checkout', '-q', '-b', 'change');
      repository.write({ [place]: small });
      repository.commit();
      repository.git('checkout', '-q', 'main');
      repository.write({ [place]: definitionText().replace('type: integer', 'type: string') });
      repository.commit();
      repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
      const start = repository.git('rev-parse', 'HEAD~1').trim();
      repository.git('checkout', '-q', 'change');
      const { code, stdout, stderr } = await check('git:merge-base:config/crd', 'config/crd');
      expect(stderr).to.include(`compared with ${start}, where HEAD left refs/remotes/origin/main`);
      expect(stdout).to.include(`compared with git:${start}:config/crd`);
      expect(code).to.equal(1);
      expect((await check('--old', 'git:merge-base')).stdout).to.include(
        `git:${start}:./config/crd`,
      );
      const shown = ['check', 'crd', 'git:HEAD:config/crd', 'git:merge-base:config/crd'];
      expect((await runHere(shown, { cwd })).code).to.equal(0);
    });

    it('takes the target of the pull request', async () => {
      repository.git('update-ref', 'refs/remotes/origin/release-1.2', 'HEAD');
      repository.write({ [place]: small });
      repository.commit();
      repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
      expect((await check('git:merge-base:config/crd', 'config/crd')).code).to.equal(0);
      process.env['GITHUB_BASE_REF'] = 'release-1.2';
      expect((await check('git:merge-base:config/crd', 'config/crd')).code).to.equal(1);
      delete process.env['GITHUB_BASE_REF'];
      process.env['GITHUB_EVENT_NAME'] = 'merge_group';
      process.env['GITHUB_REF_NAME'] = 'gh-readonly-queue/release-1.2/pr-7-0123abcd';
      const queued = await check('git:merge-base:config/crd', 'config/crd');
      delete process.env['GITHUB_EVENT_NAME'];
      delete process.env['GITHUB_REF_NAME'];
      expect(queued.code).to.equal(1);
      process.env['GITHUB_BASE_REF'] = 'gone';
      const { code, stderr } = await check('git:merge-base:config/crd', 'config/crd');
      expect(code).to.equal(2);
      expect(stderr).to.include(
        'there is no origin/gone here that HEAD could have left: run git fetch origin gone, or write git:BRANCH...:PATH',
      );
      delete process.env['GITHUB_BASE_REF'];
    });
  });
});
