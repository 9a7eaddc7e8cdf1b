/** What a pull request gets out of the machine that checks it: nothing, whatever command reads it. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { isCutOff } from '../../src/text/documents/program.js';
import { formats } from '../../src/report/render.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { root, run, runHere, type Ended } from '../cli/command.js';
import { definitionText, Repository } from '../cli/repository.js';
import { hostileRepositories, packed, type HostileRepository } from './foreign-repositories.js';

const secrets = {
  environment: 'ghs_QUhDPLANTEDinTHEenvironment7391',
  home: 'aws_WkpxPLANTEDinTHEhome5520418',
  beside: 'beside_TmVqPLANTEDbesideIT8842017',
  git: 'extraheader_UnRlPLANTEDinGIT6630192',
  service: 'service_Vm1QPLANTEDbehindLOOPBACK447',
};

/** Pieces of a secret as a report may have them: as it is, and in base64 from any byte on. */
function* piecesOf(secret: string): Generator<string> {
  const whole = [0, 1, 2].map((from) => Buffer.from(secret.slice(from)).toString('base64'));
  for (const text of [secret, ...whole.map((each) => each.slice(0, -4))]) {
    for (let at = 0; at + 12 <= text.length; at++) yield text.slice(at, at + 12);
  }
}

describe('repositories whose author wants something of the machine', () => {
  let around: string;
  let home: string;
  let server: Server;
  let url: string;
  let requests: string[];
  let path: string;
  let pathWithoutNamespaces: string;
  let repository: Repository;
  const before_: NodeJS.ProcessEnv = {};

  before(async () => {
    const found = await ensurePrograms(['kubectl', 'helm']);
    around = mkdtempSync(join(tmpdir(), 'olm-guard-around-'));
    home = join(around, 'home');
    server = createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.end(`secret: ${secrets.service}\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bin = join(around, 'bin');
    mkdirSync(bin);
    for (const [name, file] of found) symlinkSync(file, join(bin, name));
    for (const name of ['git', 'sh', 'cat']) {
      const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
      symlinkSync(stdout.trim(), join(bin, name));
    }
    pathWithoutNamespaces = bin;
    path = [bin, process.env['PATH'] ?? ''].join(delimiter);
    write(around, {
      'beside/secret.yaml': `secret: ${secrets.beside}\n`,
      'beside/secret.json': `{"secret": "${secrets.beside}", "type": "string"}\n`,
      'beside/base/kustomization.yaml': 'resources: [w.yaml]\n',
      'beside/base/w.yaml': `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: b }\nspec: { color: ${secrets.beside} }\n`,
      'home/credentials': `secret: ${secrets.home}\nname: ${secrets.home}\nversion: 1.0.0\n`,
    });
    for (const [name, value] of Object.entries({
      ...{ HOME: home, PATH: path, GH_TOKEN: secrets.environment },
      ...{ HELM_PLUGINS: join(around, 'plugins'), GIT_EXTERNAL_DIFF: join(around, 'run.sh') },
      ...{ KUSTOMIZE_PLUGIN_HOME: join(around, 'plugins'), KUBECONFIG: join(home, 'credentials') },
    })) {
      before_[name] = process.env[name];
      process.env[name] = value;
    }
  });
  beforeEach(() => {
    requests = [];
    repository = new Repository();
  });
  afterEach(() => {
    repository.remove();
    // Of a test that has changed it.
    process.env['PATH'] = path;
  });
  after(() => {
    for (const [name, value] of Object.entries(before_)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    server.close();
    rmSync(around, { recursive: true });
  });

  const write = (folder: string, files: HostileRepository['files']): void => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(folder, filled(name));
      const text = typeof content === 'string' ? filled(content) : packed(content, filled);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      if (typeof text === 'string' && text.startsWith('-> ')) symlinkSync(text.slice(3), file);
      else writeFileSync(file, text, { mode: 0o755 });
    }
  };
  const filled = (text: string): string =>
    text
      .replaceAll('URL', url)
      .replaceAll('HOST', url.slice('http://'.length))
      .replaceAll('BESIDE', join(around, 'beside'))
      .replaceAll('HOME', home);

  /** What is there before is OLD. */
  function plant({ files }: Pick<HostileRepository, 'files'>): void {
    repository.write({ 'crd/crd.yaml': definition(), 'own.yaml': '# nothing\n' });
    repository.commit();
    repository.git('config', 'http.https://github.com/.extraheader', secrets.git);
    repository.git('config', 'core.fsmonitor', join(around, 'beside', 'run.sh'));
    write(repository.folder, files);
  }
  const definition = (): string =>
    definitionText().replace(
      '                type: string',
      '                type: string\n                enum: [z]',
    );

  const demandNothing = (said: string, of: string): void => {
    for (const [place, secret] of Object.entries(secrets)) {
      for (const piece of piecesOf(secret)) {
        expect(said.includes(piece), `${of} tells what is in ${place}: ${said}`).to.equal(false);
      }
    }
    expect(requests, `${of} asks the service of the machine`).to.deep.equal([]);
    expect(existsSync(join(around, 'beside', 'ran')), `${of} runs a program`).to.equal(false);
  };

  const commandsFor = (folder: string, format: string): string[][] => [
    ['check', 'objects', '.', '-o', format],
    ['check', 'crd', 'crd', folder, '-o', format],
    ['check', 'crd', `git:main:${folder}`, 'crd', '-o', format],
    ['check', 'chart', folder, folder, '-o', format],
    ['check', 'bundle', folder, '-o', format],
    ['plan', 'crd', folder, '-o', formatOfPlan(format)],
    ['export', 'vap', folder],
  ];
  const formatOfPlan = (format: string): string =>
    ['text', 'markdown', 'html', 'json'].includes(format) ? format : 'text';
  const printed = [...formats];

  for (const [index, hostile] of hostileRepositories.entries()) {
    const folder = hostile.folder ?? ('ch/Chart.yaml' in hostile.files ? 'ch' : 'k');
    const format = printed[index % printed.length] ?? 'text';
    it(`get nothing: ${hostile.name} (${format})`, async () => {
      plant(hostile);
      // A system without network namespaces has nothing but what is refused.
      process.env['PATH'] = pathWithoutNamespaces;
      for (const command of commandsFor(folder, format)) {
        const { stdout, stderr } = await runHere(command, { cwd: repository.folder });
        demandNothing(`${stdout}\n${stderr}`, command.join(' '));
      }
      repository.commit();
      process.env['PATH'] = path;
      for (const command of commandsFor(folder, 'json').slice(0, 3)) {
        const { stdout, stderr } = await runHere(command, { cwd: repository.folder });
        demandNothing(`${stdout}\n${stderr}`, `${command.join(' ')} with namespaces`);
      }
    });
  }

  /** All of them beside each other. */
  function plantAll(): string[] {
    const folders = hostileRepositories.map(({ files }, index) => {
      write(join(repository.folder, 'all', String(index)), files);
      return `all/${index}`;
    });
    plant({ files: {} });
    repository.commit();
    return folders;
  }

  for (const format of formats) {
    it(`get nothing together, in the format ${format}`, async () => {
      plantAll();
      const command = ['check', 'objects', '.', '--crds', 'crd', '-o', format];
      const { stdout, stderr } = await runHere(command, { cwd: repository.folder });
      demandNothing(`${stdout}\n${stderr}`, command.join(' '));
    });
  }

  const environment = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: path });

  it('get nothing out of the Action', () => {
    const folders = plantAll();
    const summary = join(around, 'summary.md');
    const { stdout, stderr } = spawnSync('bash', [join(root, 'action', 'check.sh')], {
      cwd: repository.folder,
      encoding: 'utf8',
      env: {
        ...environment(),
        OLM_GUARD: `${process.execPath} ${join(root, 'dist', 'main.js')}`,
        CHECK_OLD: 'main',
        CHECK_PATHS: folders
          .slice(0, 6)
          .map((each) => `${each}/ch`)
          .join('\n'),
        CHECK_OBJECTS: 'all',
        CHECK_CRDS: 'crd',
        GITHUB_STEP_SUMMARY: summary,
      },
    });
    const written = existsSync(summary) ? readFileSync(summary, 'utf8') : '';
    expect(stderr).to.include('which is no file of the repository');
    demandNothing(`${stdout}\n${stderr}\n${written}`, 'check.sh');
  });

  it('get nothing out of lsp and mcp', async () => {
    const [folder = ''] = plantAll();
    const opened = {
      uri: `file://${repository.folder}/${folder}/ch/templates/crd.yaml`,
      ...{ languageId: 'yaml', version: 1, text: definitionText('widgets', { size: false }) },
    };
    const rpc = (method: string, params: object, id?: number): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const framed = (text: string): string => `Content-Length: ${text.length}\r\n\r\n${text}`;
    const lsp = [
      rpc('initialize', { processId: null, rootUri: null, capabilities: {} }, 1),
      rpc('initialized', {}),
      rpc('textDocument/didOpen', { textDocument: opened }),
      rpc('shutdown', {}, 2),
      rpc('exit', {}),
    ];
    const policy = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nold: all/0/ch\n';
    writeFileSync(join(repository.folder, '.olm-guard.yaml'), policy);
    const options = { cwd: repository.folder, env: environment() };
    const edited = await run(['lsp'], { ...options, stdin: lsp.map(framed).join('') });
    demandNothing(edited.stdout + edited.stderr, 'lsp');
    const input = { old: { $file: 'crd/crd.yaml' }, new: { $file: 'all/0/ch/leak' } };
    const mcp = [
      rpc(
        'initialize',
        {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        },
        1,
      ),
      rpc('tools/call', { name: 'crd-upgrade', arguments: input }, 2),
    ];
    const answered = await run(['mcp', '.'], { ...options, stdin: `${mcp.join('\n')}\n` });
    demandNothing(answered.stdout + answered.stderr, 'mcp');
  });

  it('do not make the policy name what is elsewhere', async () => {
    plant({ files: { l: '-> BESIDE', 'k/crd.yaml': definition() } });
    for (const [field, place] of [
      ['old', '../beside'],
      ['old', join(around, 'beside')],
      ['old', 'l/base'],
      ['paths', '[../beside]'],
      ['paths', '[l]'],
    ] as const) {
      const policy = `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n${field}: ${place}\n`;
      writeFileSync(join(repository.folder, '.olm-guard.yaml'), policy);
      const named = field === 'old' ? ['k'] : [];
      const { code, stdout, stderr } = await runHere(['check', 'crd', ...named], {
        cwd: repository.folder,
      });
      expect({ code, stdout }, place).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(/\.olm-guard\.yaml: names \S+, outside of the repository; /);
      demandNothing(stderr, place);
    }
  });

  it('have charts rendered without a schema that refers elsewhere, which is said', async () => {
    plant({
      files: {
        'ch/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
        'ch/values.schema.json': '{"$ref": "URL/schema"}',
        'ch/templates/crd.yaml': definition(),
      },
    });
    for (const command of [
      ['check', 'crd', 'crd', 'ch'],
      ['check', 'chart', 'ch', 'ch'],
    ]) {
      const { code, stderr } = await runHere(command, { cwd: repository.folder });
      expect(stderr).to.match(/ch: its values are not validated, for values\.schema\.json refers/);
      expect(code).to.equal(0);
    }
  });

  it('refuse pipes by name, and what is too large', async () => {
    plant({ files: { 'ch/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n' } });
    spawnSync('mkfifo', [join(repository.folder, 'ch', 'pipe')]);
    const pipe = await runHere(['check', 'crd', 'crd', 'ch'], { cwd: repository.folder });
    expect(pipe.stderr).to.match(/^olm-guard: ch: holds pipe, which is no file of the repository/);
    rmSync(join(repository.folder, 'ch', 'pipe'));
    spawnSync('truncate', ['-s', '300M', join(repository.folder, 'ch', 'large')]);
    const large = await runHere(['check', 'crd', 'crd', 'ch'], { cwd: repository.folder });
    expect(large.stderr).to.match(/^olm-guard: ch\/large: is \d+ bytes or more; at most/);
    expect([pipe.code, large.code]).to.deep.equal([2, 2]);
  });

  it('refuse links that lead back, however often helm would follow them', async () => {
    plant({
      files: {
        'ch/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
        'ch/back': '-> .',
        'ch2/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, index): [string, string][] => [
            [`ch2/${index}/a`, `-> ../${index + 1}`],
            [`ch2/${index}/b`, `-> ../${index + 1}`],
          ]).flat(),
        ),
        'ch2/30/file': '',
      },
    });
    const back = await runHere(['check', 'crd', 'crd', 'ch'], { cwd: repository.folder });
    expect(back.stderr).to.match(/holds the link back to a folder around it: it is not rendered/);
    const many = await runHere(['check', 'crd', 'crd', 'ch2'], { cwd: repository.folder });
    expect(many.stderr).to.match(/holds more than 20000 files, counted by the links to them/);
  });

  it('are read in no repository too, without links out of what is named', async () => {
    const loose = join(around, 'loose');
    write(loose, {
      'ch/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'ch/leak': '-> HOME/credentials',
      'base/kustomization.yaml': 'resources: [w.yaml]\n',
      'base/w.yaml': '-> HOME/credentials',
      'over/kustomization.yaml': 'resources: [../base]\n',
      'good/kustomization.yaml': 'resources: [../crd]\n',
      'crd/kustomization.yaml': 'resources: [crd.yaml]\n',
      'crd/crd.yaml': definition(),
    });
    const check = (name: string): Promise<Ended> =>
      runHere(['check', 'crd', 'crd', name], { cwd: loose });
    for (const name of ['ch', 'over']) {
      const { code, stdout, stderr } = await check(name);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      demandNothing(stderr, name);
    }
    expect((await check('good')).code).to.equal(0);
  });

  it('have a network only where it is asked for', async () => {
    plant({
      files: {
        'k/kustomization.yaml': 'resources: [crd.yaml, URL/w.yaml]\n',
        'k/crd.yaml': definition(),
      },
    });
    const command = ['check', 'crd', 'crd', 'k'];
    const cut = await runHere(command, { cwd: repository.folder });
    expect(cut.stderr).to.match(/refers to http:\S+, which is not fetched without --network/);
    expect(requests).to.deep.equal([]);
    await runHere([...command, '--network'], { cwd: repository.folder });
    expect(requests).to.include('GET /w.yaml');
  });

  it('have no network where the system allows a namespace without one', async () => {
    const script = join(around, 'bin', 'kustomize');
    const port = url.split(':').at(-1) ?? '';
    writeFileSync(
      script,
      `#!/usr/bin/env bash\nexec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3 >/dev/null\necho "home: $HOME" >&2; env >&2; exit 1\n`,
    );
    chmodSync(script, 0o755);
    const { runProgram } = await import('../../src/text/documents/program.js');
    const answer = await runProgram('kustomize', [], { maxBytes: 1000, milliseconds: 60_000 });
    rmSync(script);
    expect(requests.length === 0).to.equal(await isCutOff());
    requests = [];
    demandNothing(answer?.said ?? '', 'the environment');
    const names = (answer?.said ?? '').match(/^\w+(?==)/gm) ?? [];
    const own = ['_', 'SHLVL', 'PWD', 'OLDPWD'];
    const given = names.filter((name) => !own.includes(name));
    expect(given).to.have.members([
      ...['PATH', 'HOME', 'TMPDIR', 'USERPROFILE', 'LOCALAPPDATA', 'TEMP', 'TMP'],
      ...(process.env['LANG'] === undefined ? [] : ['LANG']),
    ]);
  });
});
