/** Files that are none, wherever a command takes one: refused in a sentence, never waited for. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, start, type Ended } from '../cli/command.js';

const crds = join(root, 'examples', 'cluster');
const catalog = join(root, 'examples', 'catalogs', 'before');
const secret = 'aws_secret_access_key = AKIAEXAMPLE';

describe('files that are none', () => {
  let folder: string;
  let server: Server;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-files-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('pipe', join(folder, 'to-pipe'));
    symlinkSync('loop', join(folder, 'loop'));
    server = createServer().listen(join(folder, 'socket'));
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home', 'secret.yaml'), `${secret}\n`);
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  /** Ends what hangs, so that it fails here and holds up nothing else. */
  async function run(args: readonly string[]): Promise<Ended> {
    const started = start(args, { cwd: folder });
    started.process.stdin?.end();
    const timer = setTimeout(() => started.process.kill('SIGKILL'), 60_000);
    const code = await started.ended;
    clearTimeout(timer);
    return { code, stdout: started.stdout(), stderr: started.stderr() };
  }

  const places: readonly (readonly string[])[] = [
    ['check', 'crd', 'X', crds],
    ['check', 'crd', crds, 'X'],
    ['check', 'crd', crds, crds, '--policy', 'X'],
    ['check', 'crd', crds, crds, '--state', 'X'],
    ['check', 'crd', crds, join(root, 'examples/upgrades/field-removed.yaml'), '--objects', 'X'],
    ['check', 'crd', crds, join(root, 'examples/upgrades/field-removed.yaml'), '--fix', 'X'],
    ['check', 'crd', 'cluster:', crds, '--kubeconfig', 'X'],
    ['check', 'bundle', 'X'],
    ['check', 'bundle', join(root, 'examples/bundles/reports.v1.1.0'), '--against', 'X'],
    ['check', 'operatorgroup', 'X'],
    ['scan', '--state', 'X'],
    ['scan', '--state', crds, '--catalog', 'X'],
    ['catalog', 'validate', 'X'],
    ['catalog', 'validate', '--from', 'https://127.0.0.1:1', '--ca-file', 'X'],
    ['catalog', 'list', 'X'],
    ['catalog', 'show', 'reports', 'X'],
    ['catalog', 'path', 'reports', '--catalog', 'X'],
    ['catalog', 'graph', 'reports', '--catalog', 'X'],
    ['catalog', 'graph', 'reports', '--catalog', catalog, '--bundles', 'X'],
    ['catalog', 'graph', 'reports', '--catalog', catalog, '--file', 'X'],
    ['catalog', 'diff', 'X', catalog],
    ['catalog', 'diff', catalog, 'X'],
    ['catalog', 'diff', catalog, catalog, '--bundles', 'X'],
    ['resolve', '-n', 'ns', '--state', 'X', '--catalog', catalog],
    ['resolve', '-n', 'ns', '--state', crds, '--catalog', 'X'],
    ['explain', 'NoScopeChange@^.spec', 'X', crds],
    ['preflight', '--input', 'X'],
    ['serve', '--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--policy', 'X'],
    ['serve', '--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--state', 'X'],
    ['serve', '--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--catalog', 'X'],
    ['serve', '--listen', '127.0.0.1:0', '--tls-cert-file', 'X', '--tls-private-key-file', 'X'],
    ['serve', '--listen', '127.0.0.1:0', '--tls-ca-out', 'X'],
    ['serve', '--listen', '127.0.0.1:0', '--client-ca-file', 'X'],
    ['sidecar', '--listen', '127.0.0.1:0', '--token-file', 'X'],
  ];
  for (const place of places) {
    const name = place.map((part) => part.replace(root, '').replace('127.0.0.1:0', ':0')).join(' ');
    it(name, async () => {
      for (const file of ['to-pipe', '/dev/zero']) {
        const { code, stdout, stderr } = await run(
          place.map((part) => (part === 'X' ? file : part)),
        );
        expect(stderr, file).to.match(
          /(?:is a (?:pipe|device); |is a symbolic link, which is not)/,
        );
        expect(stderr.trimEnd().split('\n').at(-1), file).to.include(file);
        expect(stdout, file).to.equal(place.includes('--fix') ? stdout : '');
        expect(code, file).to.equal(2);
      }
    });
  }

  it('names other files that are not regular', async () => {
    const { stderr: socket } = await run(['check', 'crd', 'socket', crds]);
    expect(socket).to.equal('olm-guard: socket: is a socket; name a file\n');
    const { stderr: loop } = await run(['check', 'crd', 'loop', crds]);
    expect(loop).to.equal('olm-guard: loop: is a symbolic link that leads back to itself\n');
  });

  /** A folder as somebody else's branch has it. */
  function checkout(name: string, links: Readonly<Record<string, string>>): string {
    const made = join(folder, name);
    mkdirSync(made);
    writeFileSync(join(made, 'a.yaml'), readFileSync(join(catalog, 'reports.yaml')));
    for (const [link, target] of Object.entries(links)) symlinkSync(target, join(made, link));
    return made;
  }

  it('reads nothing outside of a folder, and says nothing of what is there', async () => {
    const made = checkout('out', { 'x.yaml': '../home/secret.yaml' });
    for (const args of [
      ['catalog', 'validate', made],
      ['check', 'crd', made, crds],
      ['check', 'bundle', made],
      ['check', 'crd', crds, crds, '--state', made],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect(stderr).to.match(/x\.yaml: is a symbolic link that leads out of the folder/);
      expect(stdout + stderr).not.to.include('AKIA');
      expect(code).to.equal(2);
    }
  });

  it('comes to an end among links that lead back', async () => {
    const made = checkout('round', { b: '.', c: '..', d: '../round' });
    const { code, stderr } = await run(['scan', '--state', made]);
    expect(stderr).to.match(/skipped: .*c \(a link to a folder outside\)/);
    expect(code).to.equal(2);
    const { stderr: validate } = await run(['catalog', 'validate', made]);
    expect(validate).to.match(/is a symbolic link to a folder, which is not followed/);
  });

  it('does not quote what it cannot parse', async () => {
    writeFileSync(join(folder, 'kubeconfig'), `clusters: !<${secret}> [*nobody\n`);
    const args = ['check', 'crd', 'cluster:', crds, '--kubeconfig', 'kubeconfig'];
    const { code, stderr } = await run(args);
    expect(stderr).to.match(/is not a kubeconfig that can be read/);
    expect(stderr).not.to.include('AKIA');
    expect(code).to.equal(2);
  });
});
