/** What bash would offer, by its own program. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { run } from './command.js';

describe('completion', () => {
  let script: string;
  before(async () => {
    const { code, stdout, stderr } = await run(['completion', 'bash']);
    expect(code, stderr).to.equal(0);
    script = stdout;
  });

  const rows: [typed: string[], offered: string[]][] = [
    [['ch'], ['check']],
    [
      ['check', 'c'],
      ['chart', 'crd'],
    ],
    [['check', 'crd', 'a', 'b', '--prof'], ['--profile']],
    [
      ['check', 'crd', '--profile', ''],
      ['olm-v1', 'crdify', 'olm-v1.10', 'proof'],
    ],
    [['check', 'crd', 'a', 'b', '-o', 's'], ['sarif']],
    [['catalog', 'va'], ['validate']],
    [['completion', 'x'], []],
  ];
  for (const [typed, offered] of rows) {
    it(`olm-guard ${typed.join(' ')}`, () => {
      const words = ['olm-guard', ...typed].map((word) => `'${word}'`).join(' ');
      const asked = `${script}\nCOMP_WORDS=(${words})\nCOMP_CWORD=${typed.length}\n_olm_guard\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`;
      const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: asked, encoding: 'utf8' });
      expect(stderr).to.equal('');
      expect(stdout.split('\n').filter((word) => word !== '')).to.deep.equal(offered);
    });
  }

  it('has the same words for fish, and zsh by way of bash', async () => {
    const fish = await run(['completion', 'fish']);
    expect(fish.stdout).to.include(
      "complete -c olm-guard -n '__fish_seen_subcommand_from check; and __fish_seen_subcommand_from crd' -l profile -x -a 'olm-v1 crdify olm-v1.10 proof'",
    );
    const zsh = await run(['completion', 'zsh']);
    expect(zsh.stdout).to.equal(`autoload -U +X bashcompinit && bashcompinit\n${script}`);
  });

  it('lists the supported shells', async () => {
    const { code, stderr } = await run(['completion', 'tcsh']);
    expect(stderr).to.match(/bash, zsh, fish, kubectl/);
    expect(code).to.equal(2);
  });
});
