/** `olm-guard mcp` as an agent sees it: through the client of the protocol's own SDK, and raw lines. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { operations } from '../../src/checks/operations/table.js';
import { rules } from '../../src/policy/rules/registry.js';
import { NamedSources } from '../../src/cli/mcp/named-sources.js';
import { readRegularFile } from '../../src/text/documents/regular-file.js';
import { root, run } from './command.js';
import { exampleDefinition } from '../../src/upgrade/rules/crd/example-definition.js';

const installed = 'examples/cluster/customresourcedefinition-samples.yaml';
const removed = 'examples/upgrades/field-removed.yaml';

const hello = { capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
const range = { dialect: 'blang', constraint: '>1.0.0' };

interface Told {
  readonly isError?: boolean;
  readonly text: string;
}

describe('mcp', () => {
  let folder: string;
  let client: Client;

  const connect = async (args: readonly string[], cwd = root): Promise<Client> => {
    const connected = new Client({ name: 'test', version: '1.0.0' });
    const command = {
      command: process.execPath,
      args: [join(root, 'dist/main.js'), 'mcp', ...args],
    };
    await connected.connect(new StdioClientTransport({ ...command, cwd, stderr: 'ignore' }));
    return connected;
  };

  const call = async (name: string, input: object, asked = client): Promise<Told> => {
    const result = await asked.callTool({ name, arguments: { ...input } });
    const [first] = result.content as { type: string; text: string }[];
    return { isError: result.isError === true, text: first?.text ?? '' };
  };

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'olm-guard-mcp-')));
    client = await connect(['examples', installed]);
  });
  after(async () => {
    await client.close();
    rmSync(folder, { recursive: true });
  });

  it('has a tool for each operation, with the schema of its input', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(operations.map(({ name }) => name));
    for (const [index, { inputSchema, annotations }] of tools.entries()) {
      expect(inputSchema).to.deep.equal(operations[index]?.input);
      expect(annotations?.readOnlyHint).to.equal(true);
    }
  });

  it('answers as the operation does, with files in place of documents', async () => {
    const { text } = await call('crd', {
      old: { $document: installed },
      new: { $document: removed },
      fixes: false,
    });
    const [old, next] = [installed, removed].map((file) =>
      load(readFileSync(join(root, file), 'utf8')),
    );
    const question = { operation: 'crd', input: { old, new: next, fixes: false } };
    const { stdout } = await run(['preflight'], { stdin: JSON.stringify(question) });
    const { verdict, output } = JSON.parse(stdout) as { verdict: object; output: object };
    expect(verdict).to.have.property('allowed', false);
    expect(JSON.parse(text)).to.deep.equal({ verdict, output });
  });

  it('reads nothing that was not named, through links neither', async () => {
    const other = join(folder, 'secret.yaml');
    const shown = join(folder, 'shown');
    cpSync(join(root, 'examples/cluster'), shown, { recursive: true });
    writeFileSync(other, 'kind: Secret\nmetadata: { name: secret }\n');
    symlinkSync(other, join(shown, 'link.yaml'));
    const own = await connect([shown], folder);
    try {
      const paths = [
        other,
        `${shown}/../secret.yaml`,
        `${shown}/link.yaml`,
        'secret.yaml',
        'git:HEAD:',
        '-',
      ];
      for (const path of paths) {
        const { isError, text } = await call('definition', { new: { $document: path } }, own);
        expect(isError, path).to.equal(true);
        expect(text, path)
          .to.include('was not named on the command line')
          .and.not.include('Secret');
      }
      const whole = await call('definition', { new: { $documents: shown } }, own);
      expect(whole.text).to.not.include('kind: Secret');
    } finally {
      await own.close();
    }
  });

  it('reads commits that were named, and nothing beside the path in them', async () => {
    const git = (...args: string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
      });
    cpSync(join(root, installed), join(folder, 'crds/samples.yaml'));
    git('init', '-q');
    git('add', 'crds');
    git('commit', '-qm', 'one');
    const own = await connect(['git:HEAD:crds'], folder);
    try {
      const definition = (path: string): Promise<Told> =>
        call('definition', { new: { $document: path } }, own);
      expect((await definition('git:HEAD:crds/samples.yaml')).text).to.include('"allowed":true');
      for (const path of [
        'git:HEAD:',
        'git:HEAD:crds/../secret.yaml',
        'git:HEAD~1:crds',
        'git:HEAD:crdsx',
      ]) {
        expect((await definition(path)).text, path).to.include('was not named');
      }
    } finally {
      await own.close();
    }
  });

  for (const [what, path] of [
    ['a NUL', 'examples/a\0b.yaml'],
    ['a NUL in a commit', 'git:HEAD:a\0b'],
    ['a NUL in the name of a commit', 'git:a\0b:c'],
    ['a lone surrogate', 'examples/\ud800.yaml'],
    ['more characters than a path has', `examples/${'a'.repeat(300_000)}`],
    ['more of them in a commit', `git:HEAD:examples/${'a'.repeat(300_000)}`],
    ['many folders', `examples/${'a/'.repeat(150_000)}`],
    ['nothing', ''],
  ] as const) {
    for (const key of ['$document', '$documents', '$files']) {
      it(`refuses a path of ${what} in ${key}`, async () => {
        const own = await connect(['examples', 'git:HEAD:examples', 'git:HEAD:']);
        try {
          const { isError, text } = await call('definition', { new: { [key]: path } }, own);
          expect(isError).to.equal(true);
          expect(text).not.to.match(/null bytes|ERR_|argument|E2BIG|\bat \w+ \(/);
          expect((await call('range', range, own)).isError).to.equal(false);
        } finally {
          await own.close();
        }
      });
    }
  }

  it('reads nothing outside through a link that is changed after it was looked at', async () => {
    const inside = join(folder, 'swapped');
    const outside = join(folder, 'beside');
    for (const each of [inside, outside]) mkdirSync(each);
    const kind = (name: string): string => `kind: ${name}\nmetadata: { name: a }\n`;
    writeFileSync(join(outside, 'a.yaml'), kind('Secret'));
    writeFileSync(join(inside, 'real.yaml'), kind('Known'));
    const link = join(inside, 'a.yaml');
    symlinkSync(join(outside, 'a.yaml'), link);
    const within = realpathSync(inside);
    const refusal = await readRegularFile(link, undefined, within).catch(String);
    expect(refusal).to.include('leads out of the folder');
    // A folder on the way is one as well.
    symlinkSync(outside, join(inside, 'folder'));
    const below = readRegularFile(join(inside, 'folder/a.yaml'), undefined, within);
    expect(await below.catch(String)).to.include('leads out of the folder');
    symlinkSync('real.yaml', join(inside, 'same.yaml'));
    const read = await readRegularFile(join(inside, 'same.yaml'), undefined, within);
    expect(read.toString()).to.include('Known');
    // And so whichever way it leads at which moment.
    const sources = new NamedSources([inside]);
    let isOut = true;
    const swapped = setInterval(() => {
      isOut = !isOut;
      rmSync(link, { force: true });
      symlinkSync(isOut ? join(outside, 'a.yaml') : 'real.yaml', link);
    }, 0);
    try {
      for (let count = 0; count < 200; count++) {
        const answer = await sources.fillIn({ new: { $document: link } }).catch(String);
        expect(JSON.stringify(answer)).not.to.include('Secret');
      }
    } finally {
      clearInterval(swapped);
    }
  });

  const refused: [name: string, tool: string, input: object, words: RegExp][] = [
    [
      'an operation that is none',
      'crds',
      {},
      /there is no operation "crds" \(did you mean "crd"\?\)/,
    ],
    [
      'a misspelt field',
      'version',
      { a: '1.0.0', b: '1.0.0', c: '1' },
      /has an unknown field \\"c\\"/,
    ],
    [
      'a file with several objects',
      'definition',
      { crd: { $document: 'examples/cluster' } },
      /has \d+ objects, not one; it has /,
    ],
    [
      'a name that is not there',
      'definition',
      { crd: { $document: 'examples/cluster', name: 'x' } },
      /has 0 objects named "x"/,
    ],
  ];
  for (const [name, tool, input, words] of refused) {
    it(`tells what is wrong: ${name}`, async () => {
      const { isError, text } = await call(tool, input);
      expect(isError).to.equal(true);
      expect(text).to.match(words);
    });
  }

  it('takes "-" for standard input, which holds the questions, where a file has that name', async () => {
    const inside = join(folder, 'inside');
    mkdirSync(inside);
    writeFileSync(join(inside, 'a.yaml'), 'kind: A\n');
    writeFileSync(join(inside, '-'), 'kind: A\n');
    const own = await connect(['.'], inside);
    try {
      const { text } = await call('definition', { new: { $document: '-' } }, own);
      expect(text).to.include('was not named');
    } finally {
      await own.close();
    }
  });

  it('reads nothing of a commit that only the working directory adds to the path', async () => {
    const top = join(folder, 'two');
    for (const [path, name] of [
      ['crds/samples.yaml', 'named'],
      ['team/crds/other.yaml', 'unnamed'],
    ] as const) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), `kind: Secret\nmetadata: { name: ${name} }\n`);
    }
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...author, 'commit', '-qm', 'one'],
    ]) {
      execFileSync('git', args, { cwd: top });
    }
    const own = await connect(['git:HEAD:crds'], join(top, 'team'));
    try {
      const ask = { new: { $document: 'git:HEAD:crds/other.yaml', name: 'any' } };
      const { text } = await call('definition', ask, own);
      expect(text).to.include('was not named').and.not.include('unnamed');
    } finally {
      await own.close();
    }
  });

  it('says how to pass a file in place of the document', async () => {
    const { isError, text } = await call('crd', { old: 'old.yaml', new: 'new.yaml' });
    expect(isError).to.equal(true);
    expect(text).to.include('{"$document": "PATH"}');
  });

  it('reads questions that nest as deep as JSON may here', async () => {
    let nested: unknown[] = [];
    for (let depth = 0; depth < 3000; depth++) nested = [nested];
    const { isError, text } = await call('definition', { new: nested });
    expect(isError).to.equal(true);
    expect(text).to.include('must be object');
  });

  it('bounds its answers, and says what it left out', async () => {
    const properties = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`field${index}`, { type: 'string' }]),
      );
    const definition = (count: number): object =>
      exampleDefinition({ type: 'object', properties: properties(count) });
    const { text } = await call('crd', { old: definition(2000), new: definition(1) });
    expect(text.length).to.be.at.most(32_000);
    const told = JSON.parse(text) as {
      verdict: { allowed: boolean; findings: { severity: string }[] };
      leftOut: { findings: number };
    };
    expect(told.verdict.allowed).to.equal(false);
    expect(told.verdict.findings[0]?.severity).to.equal('error');
    expect(told.leftOut.findings).to.be.above(100);
  });

  it('has each rule and page as a resource', async () => {
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).to.include.members(rules.map(({ id }) => `olm-guard://rules/${id}`));
    for (const [uri, words] of [
      ['olm-guard://rules/NoExistingFieldRemoved', 'why'],
      ['olm-guard://docs/architecture.md', '# Architecture'],
    ] as const) {
      expect(uris).to.include(uri);
      const [page] = (await client.readResource({ uri })).contents;
      expect(page).to.have.property('text').that.includes(words);
    }
  });

  for (const source of ['no-such-folder', '-', 'git:HEAD:no-such-folder']) {
    it(`does not start with a source that cannot be read: ${source}`, async () => {
      const { code, stdout, stderr } = await run(['mcp', source]);
      expect(code).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr.trimEnd().split('\n')).to.have.length(1);
    });
  }

  it('answers what was asked before the input ends, but not what was cancelled', async () => {
    const lines = [
      { id: 1, method: 'initialize', params: { ...hello, protocolVersion: '2025-06-18' } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'range', arguments: range } },
      { id: 3, method: 'tools/call', params: { name: 'range', arguments: range } },
      { method: 'notifications/cancelled', params: { requestId: 3 } },
    ].map((each) => JSON.stringify({ jsonrpc: '2.0', ...each }));
    const { code, stdout, stderr } = await run(['mcp'], { stdin: `${lines.join('\n')}\n` });
    expect(code, stderr).to.equal(0);
    const answers = stdout.trimEnd().split('\n');
    expect(answers.map((line) => (JSON.parse(line) as { id: number }).id)).to.include.members([
      1, 2,
    ]);
  });

  it('answers lines that are no messages, and goes on', async () => {
    const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
    const stdin = ['nope', '[]', `"${'a'.repeat(33 << 20)}"`, '{"jsonrpc":"1.0"}', ping].join('\n');
    const { code, stdout, stderr } = await run(['mcp'], { stdin: `${stdin}\n` });
    expect(code).to.equal(0);
    expect(stderr).to.equal('');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number });
    expect(lines.slice(0, 4).every((line) => 'error' in line)).to.equal(true);
    expect(lines[4]).to.deep.equal({ jsonrpc: '2.0', id: 7, result: {} });
    expect(stdout).to.include('is longer than 33554432 bytes');
  });
});
