/** The command itself, as a process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { send } from './gate.js';
import { responseIn, reviewText, withSize } from './reviews.js';
import { until } from './until.js';

const root = join(import.meta.dirname, '..', '..');

interface Serving {
  readonly process: ChildProcess;
  readonly url: string;
  readonly metricsUrl: string;
  readonly log: () => string;
  readonly exited: Promise<number | null>;
}

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

function spawnServe(args: readonly string[]): ChildProcess {
  return spawn(
    process.execPath,
    [
      ...[join(root, 'dist', 'main.js'), 'serve', '--listen', '127.0.0.1:0'],
      ...['--metrics-listen', '127.0.0.1:0', ...args],
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
}

/** Starts the command and waits for its ready line. */
async function serve(args: readonly string[]): Promise<Serving> {
  const child = spawnServe(args);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(() => stdout.includes('\n') || child.exitCode !== null);
  const ready =
    /^olm-guard ready (https:\/\/127\.0\.0\.1:\d+) metrics (http:\/\/127\.0\.0\.1:\d+)\n$/;
  const match = ready.exec(stdout);
  if (match === null) {
    child.kill();
    throw new Error(`not ready: ${stdout}${stderr}`);
  }
  return {
    process: child,
    url: match[1] ?? '',
    metricsUrl: match[2] ?? '',
    log: () => stderr,
    exited,
  };
}

/** Starts the command where it cannot start. */
async function fail(args: readonly string[]): Promise<Ended> {
  const child = spawnServe(args);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stderr };
}

describe('olm-guard serve', () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'olm-guard-serve-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('starts on a folder, answers, logs no contents, and ends with 0 on SIGTERM', async () => {
    const gate = await serve([
      ...['--state', join(root, 'examples', 'cluster'), '--tls-ca-out', path('ca.pem')],
      ...['--shutdown-delay', '0.5'],
    ]);
    const ca = await readFile(path('ca.pem'), 'utf8');
    const agent = new Agent({ keepAlive: true });
    try {
      expect((await fetch(`${gate.metricsUrl}/readyz`)).status).to.equal(200);
      const secret = { description: 'contents-of-the-object' };
      const body = reviewText({
        oldObject: withSize({ type: 'integer', ...secret }),
        object: withSize(undefined),
      });
      const answer = await send(gate.url, ca, body, { agent });
      expect(responseIn(answer.text).allowed).to.equal(false);
      expect(answer.headers['connection']).to.equal('keep-alive');
      await until(() => gate.log().includes('"msg":"finding"'));
      const review = JSON.parse(gate.log().split('\n')[0] ?? '') as Record<string, unknown>;
      expect(review).to.include({
        uid: 'f5a3ea7c-3ab0-4a0e-8d5b-0f6f3c0f2c11',
        resource: 'customresourcedefinitions.apiextensions.k8s.io',
        name: 'widgets.example.com',
        user: 'admin',
        decision: 'denied',
      });
      const finding = JSON.parse(gate.log().split('\n')[1] ?? '') as Record<string, unknown>;
      expect(finding).to.include({ msg: 'finding', user: 'admin', rule: 'NoExistingFieldRemoved' });
      // The folder it starts on holds no objects of the kind, and nothing says who asks.
      expect(review['rules']).to.deep.equal(['NoExistingFieldRemoved', 'StoredObjectsUnchecked']);
      expect(gate.log()).not.to.include('contents-of-the-object');

      gate.process.kill('SIGTERM');
      await until(async () => (await fetch(`${gate.metricsUrl}/readyz`)).status === 503);
      expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
      // Still served while endpoints change, and asked to come back on another connection.
      const late = await send(gate.url, ca, body, { agent });
      expect(late.status).to.equal(200);
      expect(late.headers['connection']).to.equal('close');
      expect(await gate.exited).to.equal(0);
    } finally {
      agent.destroy();
      gate.process.kill('SIGKILL');
    }
  });

  it('says in one line what it does not know where no cluster is named', async () => {
    const gate = await serve([]);
    try {
      await until(() => gate.log().includes('\n'));
      expect(gate.log().trimEnd().split('\n')).to.have.length(1);
      expect(gate.log()).to.include('no cluster is named (--state, --kubeconfig or --in-cluster)');
    } finally {
      gate.process.kill('SIGKILL');
    }
  });

  it('reads its policy', async () => {
    await writeFile(
      path('policy.yaml'),
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nmodes: { crd-upgrade-safety: warn }\n',
    );
    const gate = await serve(['--policy', path('policy.yaml'), '--tls-ca-out', path('ca.pem')]);
    try {
      const ca = await readFile(path('ca.pem'), 'utf8');
      const body = reviewText({
        oldObject: withSize({ type: 'integer' }),
        object: withSize(undefined),
      });
      const { allowed, warnings } = responseIn((await send(gate.url, ca, body, {})).text);
      expect(allowed).to.equal(true);
      expect(warnings?.[0]).to.match(/^NoExistingFieldRemoved/);
    } finally {
      gate.process.kill('SIGKILL');
    }
  });

  const refusals: [name: string, args: () => Promise<string[]> | string[], sentence: RegExp][] = [
    ['no such folder', () => ['--state', '/nowhere'], /\/nowhere.*there is no such file or folder/],
    ['an address that is none', () => ['--listen', 'here'], /"here" is not an address/],
    [
      'a certificate without a key',
      () => ['--tls-cert-file', path('tls.crt')],
      /--tls-cert-file and --tls-private-key-file belong together/,
    ],
    ['no such policy', () => ['--policy', '/nowhere'], /\/nowhere: there is no such file/],
    [
      'a policy with an unknown rule',
      async () => {
        const text =
          'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nmodes:\n  NoScopeChanges: warn\n';
        await writeFile(path('bad.yaml'), text);
        return ['--policy', path('bad.yaml')];
      },
      /bad\.yaml:4:\d+: "NoScopeChanges" is not a check family or rule \(did you mean "NoScopeChange"\?\)/,
    ],
    ['two clusters', () => ['--state', '.', '--in-cluster'], /give one/],
    [
      'a CA file that cannot be written',
      () => ['--tls-ca-out', '/nowhere/ca.pem'],
      /\/nowhere\/ca\.pem: cannot be written/,
    ],
  ];
  for (const [name, args, sentence] of refusals) {
    it(`does not start, and says why in one line: ${name}`, async () => {
      const { code, stderr } = await fail(await args());
      expect(code).to.equal(2);
      expect(stderr).to.match(sentence);
      expect(stderr.trimEnd().split('\n')).to.have.length(1);
    });
  }

  it('does not start where the port is in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const { code, stderr } = await fail(['--listen', `127.0.0.1:${port}`]);
      expect(code).to.equal(2);
      expect(stderr).to.equal(
        `olm-guard: cannot listen on 127.0.0.1:${port}: the port is in use\n`,
      );
    } finally {
      server.close();
    }
  });
});
