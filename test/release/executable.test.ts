/** What a release offers to those without Node: one file that is olm-guard, and kubectl's plugin. */
import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePrograms } from '../apiserver/binaries.js';

const root = join(import.meta.dirname, '..', '..');
const old = join(root, 'examples', 'cluster');
const removed = join(root, 'examples', 'upgrades', 'field-removed.yaml');

function build(script: string, ...args: string[]): string {
  const program = join(root, 'build', script);
  return execFileSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
}

describe('the executable of a release', function () {
  this.timeout(300_000);
  let folder: string;
  let executable: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-release-'));
    executable = join(folder, 'kubectl-guard');
    build('executable.mjs', executable);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** With nothing on the PATH but its own folder. */
  function run(program: string, ...args: string[]): { code: number | null; stdout: string } {
    const env = { PATH: folder, HOME: folder };
    const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
    return { code: status, stdout };
  }

  it('needs no Node', () => {
    expect(spawnSync('node', ['--version'], { env: { PATH: folder } }).error).to.be.an('error');
    expect(run(executable, '--version').stdout).to.match(/^\S*\d+\.\d+\.\d+/);
  });

  it('judges, with the proof', () => {
    const { code, stdout } = run(executable, 'check', 'crd', old, removed);
    expect(code).to.equal(1);
    expect(stdout).to.include('NoExistingFieldRemoved').and.to.include('loses data');
  });

  it('is a plugin of kubectl', async () => {
    const kubectl = (await ensurePrograms()).get('kubectl') ?? '';
    symlinkSync(kubectl, join(folder, 'kubectl'));
    const { code, stdout } = run(kubectl, 'guard', 'check', 'crd', old, removed);
    expect(code).to.equal(1);
    expect(stdout).to.include('NoExistingFieldRemoved');
  });

  it('stands in the krew manifest with its checksum', () => {
    const archive = 'kubectl-guard-linux-amd64.tar.gz';
    copyFileSync(executable, join(folder, archive));
    const sum = createHash('sha256').update(readFileSync(executable)).digest('hex');
    expect(build('krew.mjs', 'example/olm-guard', folder)).to.include(`sha256: ${sum}`);
  });

  it('lists what it holds as CycloneDX does', () => {
    const bill = JSON.parse(build('sbom.mjs')) as {
      bomFormat: string;
      components: { name: string }[];
    };
    expect(bill.bomFormat).to.equal('CycloneDX');
    const names = bill.components.map(({ name }) => name);
    expect(names).to.include('express').and.to.not.include('mocha');
  });
});
