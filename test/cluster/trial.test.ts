/** docs/operations.md, "Try it beside an API server", followed: the gate as a process of one's own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { freePorts, until } from '../apiserver/processes.js';
import { root, webhooksOf } from './installed-gate.js';
import { definitions } from './widgets.js';

const [, section = ''] = readFileSync(join(root, 'docs', 'operations.md'), 'utf8').split(
  '## Try it beside an API server',
);
const [serve = '', register = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, script = '']) => script,
);

describe('the gate as a process beside an API server', () => {
  const cluster = useCluster();
  let gate: ChildProcess | undefined;
  let port = 0;
  let kubectl = '';

  before(async () => {
    [port = 0] = await freePorts(1);
    kubectl = (await ensurePrograms()).get('kubectl') ?? 'kubectl';
  });
  after(() => gate?.kill());

  /** With the programs of this checkout, at a port that is free. */
  function shell(script: string): ChildProcess {
    const functions = [
      `olm-guard() { exec ${process.execPath} ${join(root, 'dist', 'main.js')} "$@" --metrics-listen 127.0.0.1:0; }`,
      `kubectl() { ${kubectl} "$@"; }`,
    ];
    const text = [...functions, script.replaceAll('8443', String(port))].join('\n');
    const env = { ...process.env, KUBECONFIG: cluster().kubeconfigPath, HOME: cluster().folder };
    return spawn('bash', ['-c', text], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  it('serves with a certificate of its own, and is believed once it is registered', async () => {
    let said = '';
    gate = shell(serve);
    for (const stream of [gate.stdout, gate.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the gate to be ready', () =>
      said.includes('olm-guard ready') ? true : undefined,
    );
    const registering = shell(register);
    const code = await new Promise((resolve) => registering.on('close', resolve));
    expect(code).to.equal(0);
    await until('caBundle to be filled in', async () => {
      const [webhook] = await webhooksOf(cluster());
      return webhook?.clientConfig.caBundle === undefined ? undefined : true;
    });
    const apply = (file: string) => cluster().kubectl(['apply', '-f', file], { cwd: root });
    await apply('examples/cluster/customresourcedefinition-samples.yaml');
    const stderr = await until('a breaking change to be denied', async () => {
      const answer = await apply('examples/upgrades/field-removed.yaml');
      if (answer.code !== 0) return answer.stderr;
      await apply('examples/cluster/customresourcedefinition-samples.yaml');
      return undefined;
    });
    expect(stderr).to.include('denied the request');

    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, first = ''] = /^\$ (kubectl apply .*)\n(.*applied)\n\$ kubectl/m.exec(readme) ?? [];
    await cluster().request('DELETE', `${definitions}/samples.test.example.com`);
    const applied = await until('the definition to be gone and made anew', async () => {
      const { code, stdout, stderr } = await cluster().kubectl(first.split(' ').slice(1), {
        cwd: root,
      });
      return code === 0 ? `${stdout}${stderr}` : undefined;
    });
    expect(readme, 'without a warning').to.include(`$ ${first}\n${applied}$ kubectl`);
    const [, denied = ''] = /^\$ (kubectl .*field-removed\.yaml)$/m.exec(readme) ?? [];
    const printed = readme.slice(readme.indexOf(denied) + denied.length + 1).split('```')[0];
    const answer = await cluster().kubectl(denied.split(' ').slice(1), { cwd: root });
    expect(answer.stderr.trimEnd(), 'as README.md shows it').to.equal(printed?.trimEnd());
  });
});

describe('npm run cluster -- --olm', () => {
  let server: ChildProcess | undefined;
  after(async () => {
    server?.kill('SIGINT');
    if (server?.exitCode === null) await once(server, 'exit');
  });

  it('prints the commands that fill it, and they work', async () => {
    let said = '';
    server = spawn(process.execPath, ['--import', 'tsx', 'test/apiserver/run.ts', '--olm'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the API server to be there', () => {
      if (server?.exitCode !== null) throw new Error(said);
      return said.includes('Ctrl-C ends it') ? true : undefined;
    });
    const [, kubeconfig = ''] = /^ {2}export KUBECONFIG=(.+)$/m.exec(said) ?? [];
    const [, kubectl = ''] = /^ {2}alias kubectl=(.+)$/m.exec(said) ?? [];
    const applies = [...said.matchAll(/^ {2}kubectl (apply .+)$/gm)].map(([, args = '']) => args);
    expect(applies).to.include('apply -f examples/cluster').and.have.length(3);
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    for (const args of applies) {
      const options = { cwd: root, env, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(kubectl, args.split(' '), options);
      expect(status, stderr).to.equal(0);
    }
    const [, log = ''] = /^Its audit log \(writes only\) is (.+)\.$/m.exec(said) ?? [];
    expect(readFileSync(log, 'utf8')).to.match(
      /"verb":"(create|patch)".*samples\.test\.example\.com/,
    );
    const scan = [join(root, 'dist', 'main.js'), 'scan', `--kubeconfig=${kubeconfig}`];
    const { stdout } = spawnSync(process.execPath, scan, { encoding: 'utf8' });
    expect(stdout).to.match(/^SEVERITY +RULE +OBJECT/);
  });
});
