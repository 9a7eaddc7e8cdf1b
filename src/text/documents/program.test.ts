import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from './program.js';
import { topOfRepository } from './top-of-repository.js';

describe('documents: programs', () => {
  let before: string;
  let folder: string;
  const limits = { maxBytes: 1000, milliseconds: 60_000 };

  beforeEach(() => {
    before = process.cwd();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'olm-guard-program-')));
    for (const each of ['repository/.git', 'repository/bin', 'repository/sub', 'outside']) {
      mkdirSync(join(folder, each), { recursive: true });
    }
    process.chdir(join(folder, 'repository', 'sub'));
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  function script(place: string, text: string): void {
    writeFileSync(join(folder, place), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  const path = (...folders: readonly string[]): NodeJS.ProcessEnv => ({
    PATH: [...folders, '/usr/bin', '/bin'].join(delimiter),
  });

  it('are looked for outside of the repository around the working directory', async () => {
    script('repository/bin/tool', 'echo planted');
    script('repository/sub/tool', 'echo planted');
    const inside = join(folder, 'repository', 'bin');
    const folders = ['.', '', '../bin', inside, join(folder, 'to-bin')];
    symlinkSync(inside, join(folder, 'to-bin'));
    symlinkSync(join(inside, 'tool'), join(folder, 'outside', 'tool'));
    expect(await runProgram('tool', [], { ...limits, env: path(...folders) })).to.equal(undefined);
    const linked = { ...limits, env: path(join(folder, 'outside')) };
    expect(await runProgram('tool', [], linked)).to.equal(undefined);
  });

  it('do not run a program from there either', async () => {
    script('repository/bin/inner', 'echo planted');
    script('outside/tool', 'inner || echo honest');
    const env = path(join(folder, 'repository', 'bin'), join(folder, 'outside'));
    const answer = await runProgram('tool', [], { ...limits, env });
    expect(answer?.output.toString()).to.equal('honest\n');
  });

  it('may take so much memory, where Linux holds them to it, and are known to have wanted more', async function () {
    if (process.platform !== 'linux') this.skip();
    script('outside/tool', 'ulimit -v; echo "$1"');
    const limited = { ...limits, env: path(join(folder, 'outside')), maxMemory: 64 * 1024 ** 2 };
    const answer = await runProgram('tool', ['$(echo no shell)'], limited);
    expect(answer?.output.toString()).to.equal('65536\n$(echo no shell)\n');
    expect(answer).to.not.have.property('past');
    const stack = 'x'.repeat(20_000);
    script(
      'outside/go',
      `echo "fatal error: runtime: cannot allocate memory\n${stack}" >&2; exit 2`,
    );
    expect(await runProgram('go', [], limited)).to.include({ code: 2, past: 'memory' });
  });

  it('are quoted by whole lines, however much they say', async () => {
    const line = 'echo /a/path/of/a/module/that/is/long/file.go:1:2: message >&2';
    script('outside/tool', `for i in $(seq 1000); do ${line}; done`);
    const answer = await runProgram('tool', [], { ...limits, env: path(join(folder, 'outside')) });
    expect(answer?.said.length).to.be.within(9000, 10_000);
    expect(answer?.said).to.match(/^\/a\/path\/of/);
  });

  it('get arguments, input and environment as they are given', async () => {
    script('outside/tool', 'echo "$1 $GIVEN"; cat');
    const env = { ...path(join(folder, 'outside')), GIVEN: 'given' };
    const answer = await runProgram('tool', ['$(echo no shell)'], { ...limits, env, input: 'in' });
    expect(answer?.output.toString()).to.equal('$(echo no shell) given\nin');
    expect(answer?.code).to.equal(0);
  });

  it('are ended past a bound, whatever of theirs still holds the output open', async () => {
    script('outside/loud', 'cat /dev/zero & cat /dev/zero');
    script('outside/slow', 'sleep 9 & sleep 9');
    const env = path(join(folder, 'outside'));
    const loud = await runProgram('loud', [], { ...limits, env });
    expect(loud?.past).to.equal('size');
    expect(loud?.output.length).to.equal(0);
    const slow = await runProgram('slow', [], { ...limits, env, milliseconds: 50 });
    expect(slow?.past).to.equal('time');
  });

  it('know the top of a repository by its .git, a folder or a file', () => {
    expect(topOfRepository(process.cwd())).to.equal(join(folder, 'repository'));
    writeFileSync(join(folder, 'repository', 'sub', '.git'), 'gitdir: elsewhere\n');
    expect(topOfRepository(process.cwd())).to.equal(join(folder, 'repository', 'sub'));
    expect(topOfRepository(join(folder, 'outside'))).to.equal(undefined);
  });
});
