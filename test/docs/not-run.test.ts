/** The last lines of `npm test`: what did not run, and for want of which program. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '..', '..');

function ended(ci: string): { code: number | null; last: string } {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'test/run.ts', 'browser'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: ci, PATH: '/nowhere' } },
  );
  return { code: status, last: stdout.trimEnd().split('\n').slice(-2).join('\n') };
}

describe('npm test without a program', () => {
  const line = 'not run: browser, which needs Chromium (chromium on the PATH)';

  it('says at its end which suite was left out, and which program it needs', () => {
    expect(ended('')).to.deep.equal({ code: 0, last: `0 passed, 0 failed, 1 skipped\n${line}` });
  });

  it('fails in CI, and says the same', () => {
    expect(ended('true')).to.deep.equal({ code: 1, last: `0 passed, 1 failed\n${line}` });
  });
});
