/** `npm test -- --changed`: which tests it chooses. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { changedFiles, testsSeeing } from '../changed.js';

const names = ['reads', 'deep', 'plans', 'checks', 'starts', 'none'] as const;
const tests = names.map((name) => `test/cli/${name}.test.ts`);

const files: Record<string, string> = {
  'build/bundle.mjs': "export const programs = ['src/cli/main.ts']; join(root, 'src');",
  'src/cli/main.ts': "import './commands.js';",
  'src/cli/commands.ts': "import('./plan/plan.js'); import('./check.js');",
  'src/cli/plan/plan.ts': "import type { deep } from '../deep.js';",
  'src/cli/check.ts': "new URL('./worker.js', import.meta.url); // ./plan/plan.js",
  'src/cli/worker.ts': '',
  'src/cli/deep.ts': '',
  'src/cli/between.ts': "export { deep } from './deep.js';",
  'test/cli/command.ts': "export const main = join(root, 'dist', 'main.js');",
  'test/cli/reads.test.ts': "readdirSync(join(root, 'docs', name)); run('examples/a/b.yaml');",
  'test/cli/deep.test.ts': "import { deep } from '../../src/cli/between.js';",
  'test/cli/plans.test.ts': "import './command.js'; run(['plan']); // check, docs/page.md",
  'test/cli/checks.test.ts': "import './command.js'; run('olm-guard check crd'); it('may plan');",
  'test/cli/starts.test.ts': "import './command.js';",
  'test/cli/none.test.ts': "join(import.meta.dirname, '..', '..');",
};

describe('npm test -- --changed', () => {
  const root = mkdtempSync(join(tmpdir(), 'olm-guard-changed-'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.email=test@example.com', '-c', 'user.name=test', ...args], {
      ...{ cwd: root, encoding: 'utf8' },
    });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };

  before(() => {
    for (const [file, text] of Object.entries(files)) write(file, text);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message=first');
  });
  after(() => rmSync(root, { recursive: true }));

  const rows: readonly [changed: string, seen: readonly (typeof names)[number][]][] = [
    ['docs/page.md', ['reads']],
    ['examples/a/b.yaml', ['reads']],
    ['examples/a/c.yaml', []],
    ['test/cli/testdata/case.yaml', [...names]],
    ['src/cli/deep.ts', ['deep']],
    ['src/cli/main.ts', ['plans', 'checks', 'starts']],
    ['src/cli/plan/plan.ts', ['plans', 'starts']],
    ['src/cli/worker.ts', ['checks', 'starts']],
    ['test/cli/none.test.ts', ['none']],
    ['package-lock.json', [...names]],
  ];
  for (const [changed, seen] of rows) {
    it(`of ${changed} chooses ${seen.join(', ') || 'nothing'}`, () => {
      expect(testsSeeing([changed], tests, root)).to.deep.equal(
        seen.map((name) => `test/cli/${name}.test.ts`),
      );
    });
  }

  it('compares with where the branch left main: committed, not committed, new and removed', () => {
    git('checkout', '--quiet', '-b', 'mine');
    write('src/cli/deep.ts', '1;');
    rmSync(join(root, 'src/cli/worker.ts'));
    git('commit', '--quiet', '--all', '--message=second');
    git('checkout', '--quiet', 'main');
    write('src/cli/plan/plan.ts', '1;');
    git('commit', '--quiet', '--all', '--message=not mine');
    git('checkout', '--quiet', 'mine');
    write('src/cli/check.ts', '1;');
    write('new folder/ä.md', '');
    expect(changedFiles(root)).to.deep.equal([
      'new folder/ä.md',
      'src/cli/check.ts',
      'src/cli/deep.ts',
      'src/cli/worker.ts',
    ]);
    git('branch', '--quiet', '--move', 'main', 'trunk');
    expect(() => changedFiles(root)).to.throw('the branch main: there is none');
  });
});
