/** The Dockerfile's steps in an empty folder, for where no container engine is at hand. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { send } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';

const root = join(import.meta.dirname, '..', '..');

interface Step {
  readonly instruction: string;
  readonly text: string;
}

function steps(): Step[] {
  return readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, instruction, text] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      return instruction === undefined || text === undefined ? [] : [{ instruction, text }];
    });
}

describe('Dockerfile', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-image-'));
  after(() => rmSync(folder, { recursive: true }));
  const stage = { build: join(folder, 'build'), image: join(folder, 'image') };
  let current = '';
  let directory = '/';
  let entrypoint: string[] = [];
  let user = '';
  /** Writes down what npm would have the shell run, and runs it. */
  const shell = join(folder, 'shell.sh');
  const scripts = join(folder, 'scripts');
  before(() => {
    writeFileSync(scripts, '');
    writeFileSync(shell, `#!/bin/sh\necho "$2" >> ${scripts}\nexec sh "$@"\n`, { mode: 0o755 });
  });

  /** A path of the image as it is in this test's folder. */
  const inStage = (path: string): string =>
    join(current, path.startsWith('/') ? path : join(directory, path));

  function follow({ instruction, text }: Step): void {
    switch (instruction) {
      case 'FROM':
        current = / AS build$/.test(text) ? stage.build : stage.image;
        return;
      case 'WORKDIR':
        directory = text;
        mkdirSync(inStage(text), { recursive: true });
        return;
      case 'COPY': {
        const [from, ...paths] = text.startsWith('--from=build')
          ? [stage.build, ...text.split(' ').slice(1)]
          : [root, ...text.split(' ')];
        const target = paths.pop() ?? '';
        for (const path of paths) {
          const source = join(from, path);
          expect(existsSync(source), `COPY ${path}`).to.equal(true);
          const into = target.endsWith('/') ? join(target, path.split('/').at(-1) ?? '') : target;
          mkdirSync(dirname(inStage(into)), { recursive: true });
          cpSync(source, inStage(into), { recursive: true, verbatimSymlinks: true });
        }
        return;
      }
      case 'RUN': {
        const { status, stderr } = spawnSync('sh', ['-c', text], {
          cwd: inStage('.'),
          encoding: 'utf8',
          env: { ...process.env, npm_config_script_shell: shell },
        });
        expect(status, `${text}\n${stderr}`).to.equal(0);
        return;
      }
      case 'USER':
        user = text;
        return;
      case 'ENTRYPOINT':
        entrypoint = JSON.parse(text) as string[];
        return;
      case 'ARG':
      case 'ENV':
      case 'EXPOSE':
      case 'CMD':
        return;
      default:
        throw new Error(`the test does not know ${instruction}`);
    }
  }

  it('begins with images that a release can name by digest, and with no other', () => {
    const all = steps();
    const argumentsOf = all
      .filter(({ instruction }) => instruction === 'ARG')
      .map(({ text }) => text.split('=')[0]);
    const bases = all.filter(({ instruction }) => instruction === 'FROM');
    expect(bases.map(({ text }) => /^\$\{(\w+)\}(?: AS build)?$/.exec(text)?.[1])).to.deep.equal(
      argumentsOf,
    );
    const others = all.filter(({ text }) => /--from=(?!build )/.test(text));
    expect(others).to.deep.equal([]);
    // A frontend is an image too.
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).not.to.match(/^#\s*syntax=/m);
  });

  it('makes an image that runs, as nobody, without compilers', () => {
    for (const step of steps()) follow(step);
    expect(user).to.match(/^[1-9]\d*:[1-9]\d*$/);
    const [program = '', main = ''] = entrypoint;
    expect(program).to.equal('node');
    const ask = (...args: string[]) =>
      spawnSync(process.execPath, [inStage(main), ...args], {
        cwd: stage.image,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
        input: '{"id": 1, "operation": "version", "input": {"version": "1.2.3"}}\n',
      });
    expect(ask('--help').stdout).to.include('serve').and.include('sidecar');
    expect(ask('preflight').stdout).to.match(/^\{"id":1,"operation":"version","verdict"/);
    const build = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: { build: string };
    };
    expect(readFileSync(scripts, 'utf8')).to.equal(`${build.scripts.build}\n`);
    for (const absent of ['typescript', 'mocha', 'eslint']) {
      expect(existsSync(inStage(`node_modules/${absent}`)), absent).to.equal(false);
    }
    const notices = readFileSync(inStage('/app/dist/third-party.txt'), 'utf8');
    expect(notices).to.match(/^express \d\S* \(MIT\)$/m);
  });

  /** Node's own sandbox: nothing may be written, and no program started. */
  const confined = (...args: string[]): string[] => [
    process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission',
    ...[`--allow-fs-read=${stage.image}/*`, '--allow-worker', inStage(entrypoint[1] ?? '')],
    ...['serve', '--listen=127.0.0.1:0', '--metrics-listen=127.0.0.1:0', ...args],
  ];

  it('judges where nothing may be written and no program started', async () => {
    const shipped = readFileSync(join(root, 'manifests', 'base', 'policy.yaml'));
    writeFileSync(inStage('/app/policy.yaml'), shipped);
    const gate = spawn(process.execPath, confined(`--policy=${inStage('/app/policy.yaml')}`), {
      cwd: stage.image,
      env: { NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    gate.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      const [line] = (await Promise.race([once(gate.stdout, 'data'), once(gate, 'exit')])) as [
        unknown,
      ];
      const [, url = ''] = /^olm-guard ready (\S+)/.exec(String(line)) ?? [];
      expect(url, said).not.to.equal('');
      const review = reviewText({
        oldObject: withSize({ type: 'integer' }),
        object: withSize(undefined),
      });
      const { text } = await send(url, '', review, { rejectUnauthorized: false });
      // Proven in a thread.
      expect(responseIn(text)).to.include({ allowed: false });
      expect(text).to.include('can lose data');
      expect(said).not.to.include('ERR_ACCESS_DENIED');
    } finally {
      gate.kill('SIGTERM');
    }
    const writing = spawnSync(
      process.execPath,
      confined(`--tls-ca-out=${join(stage.image, 'ca.crt')}`),
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(writing.status, 'the sandbox lets nothing be written').to.be.above(0);
  });
});
