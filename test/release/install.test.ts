/** olm-guard as a new user gets it from a commit: by npm for the whole machine, and by pre-commit. */
import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const examples = join(root, 'examples');

describe('olm-guard installed from a commit', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-install-'));
  const source = join(folder, 'source');
  after(() => rmSync(folder, { recursive: true }));

  function run(program: string, args: readonly string[], cwd = folder) {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      timeout: 300_000,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        npm_config_prefix: join(folder, 'global'),
        PRE_COMMIT_HOME: join(folder, 'pre-commit'),
        GIT_AUTHOR_NAME: 'test',
        GIT_AUTHOR_EMAIL: 'test@example.com',
        GIT_COMMITTER_NAME: 'test',
        GIT_COMMITTER_EMAIL: 'test@example.com',
      },
    });
    return { code: status, stdout, output: `${stdout}${stderr}` };
  }

  function commitAll(repository: string): string {
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'all'],
    ]) {
      const { code, output } = run('git', args, repository);
      expect(code, output).to.equal(0);
    }
    return run('git', ['rev-parse', 'HEAD'], repository).stdout.trim();
  }

  let commit = '';
  before(() => {
    // As it is here, and not as it was committed last.
    const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    // The sources of tests are no part of a build.
    for (const file of files.split('\0').filter((each) => each !== '' && !each.startsWith('test/')))
      cpSync(join(root, file), join(source, file), { force: true });
    commit = commitAll(source);
  });

  it('runs after npm install --global', () => {
    const put = run('npm', ['install', '--global', `git+file://${source}#${commit}`]);
    expect(put.code, put.output).to.equal(0);
    const { code, output } = run(join(folder, 'global', 'bin', 'olm-guard'), [
      ...['check', 'crd', join(examples, 'cluster')],
      join(examples, 'upgrades', 'field-removed.yaml'),
    ]);
    expect(code, output).to.equal(1);
    expect(output).to.include('NoExistingFieldRemoved');
  });

  it('by pre-commit, which lets a commit pass or not', function () {
    if (spawnSync('pre-commit', ['--version']).status !== 0) {
      console.log('      skipped: needs pre-commit on the PATH (pip install pre-commit)');
      this.skip();
    }
    const user = join(folder, 'user');
    cpSync(join(examples, 'cluster'), join(user, 'config', 'crd'), { recursive: true });
    commitAll(user);
    cpSync(join(examples, 'objects'), join(user, 'apps'), { recursive: true });
    const manifests = join(user, 'apps', 'samples.yaml');
    const text = readFileSync(manifests, 'utf8');
    writeFileSync(manifests, text.replace('mode: fastest', 'mode: fast'));
    const hooks = [{ id: 'olm-guard' }, { id: 'olm-guard-objects' }];
    const repos = [{ repo: `file://${source}`, rev: commit, hooks }];
    writeFileSync(join(user, '.pre-commit-config.yaml'), JSON.stringify({ repos }));
    run('git', ['add', '-A'], user);
    // The second run finds what the first has installed.
    const hook = ['run', '--all-files'];
    const honest = run('pre-commit', hook, user);
    expect(honest.code, honest.output).to.equal(0);
    expect(honest.output.match(/Passed/g)).to.have.length(hooks.length);
    writeFileSync(manifests, text);
    const unfit = run('pre-commit', hook, user);
    expect(unfit.code, unfit.output).to.equal(1);
    expect(unfit.output).to.match(/hook id: olm-guard-objects[^]*apps\/samples\.yaml:16:3/);
    rmSync(join(user, 'apps'), { recursive: true });
    rmSync(join(user, 'config', 'crd'), { recursive: true });
    cpSync(
      join(examples, 'upgrades', 'field-removed.yaml'),
      join(user, 'config', 'crd', 'new.yaml'),
    );
    run('git', ['add', '-A'], user);
    const breaking = run('pre-commit', hook, user);
    expect(breaking.code, breaking.output).to.equal(1);
    expect(breaking.output).to.include('NoExistingFieldRemoved');
  });
});
