/** `--help` of every command shows an example, which runs as written, and what exit codes mean. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Command } from 'commander';
import { commandsFor } from '../../src/cli/commands.js';
import { help } from '../../src/cli/examples.js';
import { root, run } from './command.js';

/** Asked of a cluster, never done, or written where control planes read. */
const servers = new Set([
  'serve',
  'sidecar',
  'init',
  'lsp',
  'mcp',
  'demo',
  'doctor',
  'migrate plan',
  'migrate run',
  'migrate verify',
  'roundtrip',
  'export static',
  'vap sync',
]);

describe('--help', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-help-'));
    const main = join(root, 'dist', 'main.js');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
    writeFileSync(join(folder, 'olm-guard'), script, { mode: 0o755 });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is the same by the command help', async () => {
    const { stdout } = await run(['help', 'check', 'crd']);
    expect(stdout).to.equal((await run(['check', 'crd', '--help'])).stdout);
  });

  it('lists every command', async () => {
    const leaves = (command: Command, path: string): string[] =>
      command.commands.length === 0
        ? [path]
        : command.commands.flatMap((each) => leaves(each, `${path} ${each.name()}`));
    const all = (await commandsFor(undefined)).flatMap((each) => leaves(each, each.name()));
    expect([...help.keys()].sort()).to.deep.equal(all.sort());
  });

  for (const path of ['', 'check', 'catalog', 'migrate']) {
    it(`${path === '' ? 'olm-guard' : path} shows what its commands are for`, async () => {
      const { code, stdout } = await run([...path.split(' ').filter(Boolean), '--help']);
      expect(code).to.equal(0);
      expect(stdout).to.match(/^Exit code: 0 .*\b2 /m);
      const [, below = ''] = stdout.split('\nExamples:\n');
      const lines = below.split('\n\n')[0]?.split('\n') ?? [];
      expect(lines.length).to.be.within(2, 5);
      const all = [...help].filter(([name]) => name.startsWith(path));
      for (const line of lines) {
        expect(all.map(([, { examples }]) => `  olm-guard ${examples[0]}`)).to.include(line);
      }
    });
  }

  for (const [path, { examples }] of help) {
    it(path, async () => {
      const { code, stdout } = await run([...path.split(' '), '--help']);
      expect(code).to.equal(0);
      expect(stdout).to.match(/^Exit code: 0 .*\b2 /m);
      for (const example of examples) {
        expect(stdout).to.include(`  olm-guard ${example}\n`);
        if (servers.has(path)) continue;
        const ran = spawnSync('sh', ['-c', `olm-guard ${example}`], {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
        });
        expect(ran.status, ran.stderr).to.be.oneOf([0, 1]);
        expect(ran.stdout).not.to.equal('');
      }
    });
  }
});
