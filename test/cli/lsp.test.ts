/** `olm-guard lsp` as an editor sees it: through a client of the protocol over standard input and output. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
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
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type CodeLens,
  type Diagnostic,
  type Hover,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { root, run, start } from './command.js';

const definition = readFileSync(
  join(root, 'examples/cluster/customresourcedefinition-samples.yaml'),
  'utf8',
);
const breaking = readFileSync(join(root, 'examples/upgrades/required-added.yaml'), 'utf8');
const removing = readFileSync(join(root, 'examples/upgrades/field-removed.yaml'), 'utf8');

describe('lsp', () => {
  let folder: string;
  let server: ChildProcess;
  let client: ProtocolConnection;
  const published: PublishDiagnosticsParams[] = [];
  const heard: (() => void)[] = [];

  const uriOf = (file: string): string => pathToFileURL(join(folder, file)).href;

  /** What is said of this version of a text. */
  const diagnosticsOf = async (file: string, version: number): Promise<Diagnostic[]> => {
    for (;;) {
      const found = published.find((each) => each.uri === uriOf(file) && each.version === version);
      if (found !== undefined) return found.diagnostics;
      await new Promise<void>((resolve) => heard.push(resolve));
    }
  };
  const open = async (file: string, text: string): Promise<Diagnostic[]> => {
    const textDocument = { uri: uriOf(file), languageId: 'yaml', version: 1, text };
    await client.sendNotification('textDocument/didOpen', { textDocument });
    return diagnosticsOf(file, 1);
  };
  const change = async (file: string, version: number, text: string): Promise<Diagnostic[]> => {
    const textDocument = { uri: uriOf(file), version };
    await client.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ text }],
    });
    return diagnosticsOf(file, version);
  };
  const actionsAt = (file: string, { range }: Diagnostic): Promise<CodeAction[]> =>
    client.sendRequest('textDocument/codeAction', {
      textDocument: { uri: uriOf(file) },
      range,
      context: { diagnostics: [] },
    });

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'olm-guard-lsp-')));
    mkdirSync(join(folder, 'crds'));
    writeFileSync(join(folder, 'crds/samples.yaml'), definition);
    writeFileSync(
      join(folder, '.olm-guard.yaml'),
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nold: git:HEAD\n',
    );
    const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: folder });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'one');
    server = spawn(process.execPath, [join(root, 'dist/main.js'), 'lsp', '--stdio'], {
      cwd: tmpdir(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    if (server.stdout === null || server.stdin === null) throw new Error('no pipes');
    client = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    client.onNotification('textDocument/publishDiagnostics', (told: PublishDiagnosticsParams) => {
      published.push(told);
      heard.splice(0).forEach((resolve) => resolve());
    });
    client.listen();
    await client.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: {},
      workspaceFolders: null,
    });
    await client.sendNotification('initialized', {});
  });

  after(async () => {
    await client.sendRequest('shutdown');
    const ended = once(server, 'exit');
    await client.sendNotification('exit');
    const [code] = (await ended) as [number];
    client.dispose();
    rmSync(folder, { recursive: true });
    expect(code).to.equal(0);
  });

  it('says nothing of a definition that did not change', async () => {
    expect(await open('crds/samples.yaml', definition)).to.deep.equal([]);
  });

  it('names what breaks at its line, with the rule on hover', async () => {
    const found = await change('crds/samples.yaml', 2, breaking);
    const [error] = found.filter(({ severity }) => severity === 1);
    expect(error).to.have.property('source', 'olm-guard');
    expect(breaking.split('\n')[error?.range.start.line ?? 0]).to.match(
      /required|pollInterval|spec/,
    );
    const hover = await client.sendRequest<Hover>('textDocument/hover', {
      textDocument: { uri: uriOf('crds/samples.yaml') },
      position: error?.range.start,
    });
    expect(JSON.stringify(hover.contents)).to.include(`${error?.code}`).and.include('why');
  });

  it('offers a change after which nothing is denied, and an exemption that wants a reason', async () => {
    const found = await change('crds/samples.yaml', 3, removing);
    const [error] = found.filter(({ severity }) => severity === 1);
    if (error === undefined) throw new Error('a removed field is an error');
    const actions = await actionsAt('crds/samples.yaml', error);
    const fixed = (action: CodeAction | undefined): string => {
      const edits = action?.edit?.changes?.[uriOf('crds/samples.yaml')] ?? [];
      return TextDocument.applyEdits(TextDocument.create('file:///a', 'yaml', 1, removing), edits);
    };
    const fix = actions.find(({ title }) => !title.startsWith('Exempt'));
    const exemption = actions.find(({ title }) => title.startsWith('Exempt'));
    const mended = await change('crds/samples.yaml', 4, fixed(fix));
    expect(mended.filter(({ severity }) => severity === 1)).to.deep.equal([]);
    const unreasoned = await change('crds/samples.yaml', 5, fixed(exemption));
    expect(JSON.stringify(unreasoned)).to.include('olm-guard:exempt RULE: REASON');
    const reasoned = fixed(exemption).replace(/(olm-guard:exempt .*: )$/m, '$1nobody uses it');
    const exempted = await change('crds/samples.yaml', 6, reasoned);
    expect(exempted.map(({ code }) => code)).not.to.include(error.code);
  });

  it('judges objects under the definitions of the repository', async () => {
    const object = (spec: string): string =>
      `apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata:\n  name: a\nspec:\n  ${spec}\n`;
    const found = await open('sample.yaml', object('pollInterval: 5'));
    expect(found.map(({ range }) => range.start.line)).to.include(5);
    expect(found[0]).to.have.property('severity', 1);
    const variable = await change('sample.yaml', 2, object('replicas: "${REPLICAS}"'));
    expect(variable.map(({ severity }) => severity)).not.to.include(1);
    expect(JSON.stringify(variable)).to.include(
      'Sample a spec.replicas: not judged: it holds a variable',
    );
  });

  it('offers each change of an object that ends a finding', async () => {
    const text =
      'apiVersion: test.example.com/v1alpha1\nkind: Sample\nmetadata: { name: a }\nspec:\n  replica: 2 # two\n  pollInterval: 5\n';
    const found = await open('mended.yaml', text);
    expect(found).to.have.length(2);
    let mended = text;
    for (const each of found.toSorted((a, b) => b.range.start.line - a.range.start.line)) {
      const [action, ...others] = await actionsAt('mended.yaml', each);
      expect(others).to.deep.equal([]);
      const edits = action?.edit?.changes?.[uriOf('mended.yaml')] ?? [];
      mended = TextDocument.applyEdits(TextDocument.create('file:///a', 'yaml', 1, mended), edits);
    }
    expect(mended).to.equal(
      text.replace('replica:', 'replicas:').replace('Interval: 5', "Interval: '5'"),
    );
    expect(await change('mended.yaml', 2, mended)).to.deep.equal([]);
  });

  it('judges them beside files that cannot be read', async () => {
    symlinkSync('gone', join(folder, 'dangling.yaml'));
    symlinkSync('/dev/zero', join(folder, 'endless.json'));
    const textDocument = { uri: uriOf('sample.yaml') };
    await client.sendNotification('textDocument/didSave', { textDocument });
    const object =
      'apiVersion: test.example.com/v1alpha1\nkind: Sample\nspec: { pollInterval: 5 }\n';
    const found = await open('beside.yaml', object);
    expect(found.map(({ code }) => code)).to.include('ObjectRefused');
  });

  it('says so where a definition is compared with nothing', async () => {
    const found = await open('crds/new.yaml', definition.replaceAll('samples', 'others'));
    expect(found.map(({ severity, message }) => [severity, message])).to.deep.include([
      3,
      'others.test.example.com is compared with nothing: git:HEAD:crds/new.yaml does not have it',
    ]);
  });

  it('asks the minors of Kubernetes that the policy names', async () => {
    const policy = join(folder, '.olm-guard.yaml');
    const before = readFileSync(policy, 'utf8');
    const textDocument = { uri: uriOf('crds/samples.yaml') };
    const text = definition.replace(
      /( +)(type: object\n)/,
      `$1$2$1x-kubernetes-validations: [{ rule: "isIP('10.0.0.1')" }]\n`,
    );
    const severityUnder = async (kubernetes: string, version: number): Promise<unknown> => {
      writeFileSync(policy, `${before}kubernetes: '${kubernetes}'\n`);
      await client.sendNotification('textDocument/didSave', { textDocument });
      const found = await change('crds/samples.yaml', version, text);
      return found.find(({ message }) => JSON.stringify(message).includes('isIP'))?.severity;
    };
    expect(await severityUnder('1.29', 20)).to.equal(1);
    expect(await severityUnder('1.35', 21)).to.equal(undefined);
    writeFileSync(policy, before);
    await client.sendNotification('textDocument/didSave', { textDocument });
  });

  it('leaves its standard input to the editor, whatever the policy compares with', async () => {
    const policy = join(folder, '.olm-guard.yaml');
    const before = readFileSync(policy, 'utf8');
    const save = (text: string): Promise<void> => {
      writeFileSync(policy, text);
      const textDocument = { uri: uriOf('crds/samples.yaml') };
      return client.sendNotification('textDocument/didSave', { textDocument });
    };
    await save(before.replace('git:HEAD', "'-'"));
    const found = await open('crds/piped.yaml', removing);
    await save(before);
    expect(found[0]?.message).to.include('standard input');
  });

  it('reads the policy as it is typed', async () => {
    const found = await open(
      '.olm-guard.yaml',
      'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nprofil: proof\n',
    );
    expect(found).to.have.length(1);
    expect(found[0]?.range.start.line).to.equal(2);
    expect(found[0]?.message).to.include('profile');
  });

  it('judges a definition with braces in a description', async () => {
    const text = removing.replace(/( *)type: object\n/, '$&$1description: "{{ .x }}"\n');
    expect(text).to.include('{{');
    const found = await open('crds/braces.yaml', text.replaceAll('samples', 'braced'));
    expect(JSON.stringify(found)).to.include('is compared with nothing');
  });

  it('says of a template with a definition that it was not judged', async () => {
    const found = await open('template.yaml', `{{- if .Values.crds }}\n${definition}{{- end }}\n`);
    expect(found.map(({ severity }) => severity)).to.deep.equal([3]);
    expect(found[0]?.message).to.include('was not judged');
  });

  it('shows the verdict above a definition', async () => {
    await change('crds/samples.yaml', 30, removing);
    const textDocument = { uri: uriOf('crds/samples.yaml') };
    const lenses = await client.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument });
    expect(lenses.map(({ command }) => command?.title)).to.deep.equal([
      'denied since HEAD: 1 error',
    ]);
    await change('crds/samples.yaml', 31, definition);
    const allowed = await client.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument });
    expect(allowed.map(({ command }) => command?.title)).to.deep.equal(['allowed since HEAD']);
  });

  it('judges a catalog as it is typed, also where its package stands in the folder above', async () => {
    mkdirSync(join(folder, 'catalog/cats/bundles'), { recursive: true });
    const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
    write('catalog/cats/package.yaml', 'schema: olm.package\nname: cats\ndefaultChannel: stable\n');
    const channel = (name: string): string =>
      `---\nschema: olm.channel\npackage: cats\nname: stable\nentries:\n  - name: ${name}\n`;
    const bundle =
      'schema: olm.bundle\npackage: cats\nname: cats.v1.0.0\nimage: example.com/cats:v1\nproperties:\n  - type: olm.package\n    value: { packageName: cats, version: 1.0.0 }\n';
    write('catalog/cats/channel.yaml', channel('cats.v1.0.0'));
    expect(await open('catalog/cats/bundles/one.yaml', bundle)).to.deep.equal([]);
    const found = await open('catalog/cats/channel.yaml', channel('cats.v2.0.0'));
    expect(found.map(({ severity }) => severity)).to.include(1);
    expect(JSON.stringify(found)).to.include('cats.v2.0.0');
    const actions = await actionsAt('catalog/cats/channel.yaml', found[0] as Diagnostic);
    expect(actions).to.deep.equal([]);
  });

  it('judges a bundle as the command does, as it is typed', async () => {
    cpSync(join(root, 'examples/bundles/reports.v1.0.0'), join(folder, 'bundle'), {
      recursive: true,
    });
    const file = 'bundle/manifests/reports.clusterserviceversion.yaml';
    const csv = readFileSync(join(folder, file), 'utf8').replace(
      /version: 1\.0\.0/,
      'version: one',
    );
    const found = await open(file, csv);
    writeFileSync(join(folder, file), csv);
    const { stdout } = await run(['check', 'bundle', 'bundle', '-o', 'json'], { cwd: folder });
    const { results } = JSON.parse(stdout) as {
      results: { verdict: { findings: { message: string; severity: string }[] } }[];
    };
    const errors = results.flatMap(({ verdict: { findings } }) =>
      findings.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    );
    expect(errors).to.have.length.above(0);
    expect(
      found.filter(({ severity }) => severity === 1).map(({ message }) => message),
    ).to.have.members(errors);
  });

  it('judges the metadata of a bundle, which has no kind', async () => {
    cpSync(join(root, 'examples/bundles/reports.v1.1.0'), join(folder, 'faulty'), {
      recursive: true,
    });
    const file = 'faulty/metadata/dependencies.yaml';
    const found = await open(file, readFileSync(join(folder, file), 'utf8'));
    expect(found.map(({ code }) => code)).to.include('UnreadableConstraint');
  });

  const ignored: [name: string, text: string][] = [
    ['templates', 'apiVersion: v1\nkind: {{ .Values.kind }}\n'],
    ['other YAML', 'a: [1, 2\n'],
    // In linear time: by the square of its lines it would be told after minutes.
    ['blank lines', '\n'.repeat(1_000_000)],
  ];
  for (const [name, text] of ignored) {
    it(`leaves to others what is theirs: ${name}`, async () => {
      expect(await open(`${name.replace(' ', '-')}.yaml`, text)).to.deep.equal([]);
    });
  }

  it('judges JSON that is written in one line', async () => {
    const old = load(definition) as object;
    writeFileSync(join(folder, 'crds/one-line.json'), JSON.stringify(old));
    const found = await open('crds/one-line.json', JSON.stringify(load(removing)));
    expect(found.filter(({ severity }) => severity === 1)).not.to.deep.equal([]);
    expect(found.map(({ range }) => range.start.line)).to.deep.equal(found.map(() => 0));
    const broken = await open(
      '.olm-guard.yml',
      '{"apiVersion":"olm-guard.io/v1alpha1","kind":"X"}',
    );
    expect(broken).to.have.length(1);
    expect(await open('package.json', '{"name":"x","nested":{"kinds":1}}')).to.deep.equal([]);
  });

  it('says where a manifest cannot be read, and goes on', async () => {
    const found = await open(
      'broken.yaml',
      'apiVersion: v1\nkind: CustomResourceDefinition\na: [1,\n',
    );
    expect(found).to.have.length(1);
    expect(found[0]?.severity).to.equal(1);
    expect(await open('again.yaml', definition)).to.be.an('array');
  });
});

describe('lsp, at its input', () => {
  const framed = (body: string, length: number | string = Buffer.byteLength(body)): string =>
    `Content-Length: ${length}\r\n\r\n${body}`;
  const asked = (id: number, method: string): string =>
    framed(JSON.stringify({ jsonrpc: '2.0', id, method, params: { capabilities: {} } }));

  for (const [what, text] of [
    ['a negative length', framed('{}', -5)],
    ['a huge length', framed('{}', '99999999999999')],
    ['a length past what is read', framed('{}', 2 ** 31)],
    ['a length that is none', framed('{}', 'x')],
    ['no length', 'Content-Type: x\r\n\r\n{}'],
    ['no message at all', 'x'.repeat(10_000)],
  ] as const) {
    for (const first of ['', asked(1, 'initialize')]) {
      it(`ends with one error after ${what}${first === '' ? '' : ', also later'}`, async () => {
        const { process: server, ended, stderr } = start(['lsp', '--stdio']);
        if (first !== '') {
          server.stdin?.write(first);
          await once(server.stdout as Readable, 'data');
        }
        // The input stays open, as that of an editor does.
        server.stdin?.write(text);
        expect(await ended, stderr()).to.equal(2);
        expect(stderr()).to.match(
          /^olm-guard: standard input is not the Language Server Protocol: .*\n$/,
        );
      });
    }
  }

  it('reads messages in any pieces, and goes on after one that is no JSON', async () => {
    const { process: server, ended, stdout } = start(['lsp', '--stdio']);
    const text = `${asked(1, 'initialize')}${framed('{"é')}${asked(2, 'shutdown')}`;
    for (const byte of Buffer.from(text)) server.stdin?.write(Buffer.of(byte));
    while (!stdout().includes('"id":2')) await once(server.stdout as Readable, 'data');
    server.stdin?.write(framed(JSON.stringify({ jsonrpc: '2.0', method: 'exit' })));
    expect(await ended).to.equal(0);
  });
});
