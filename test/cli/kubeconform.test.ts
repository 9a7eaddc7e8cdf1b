/** docs/kubeconform.md: `check objects` with a catalog of schemas, beside kubeconform itself on the same files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensurePrograms, hasGo, missingPrograms } from '../apiserver/binaries.js';
import { root, run, runHere } from './command.js';
import { Repository } from './repository.js';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      additionalProperties: false,
      properties: {
        size: { type: 'integer', minimum: 1 },
        port: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        open: {
          type: 'object',
          additionalProperties: false,
          properties: { a: { type: 'string' } },
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
      'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 10', message: 'small' }],
    },
  },
};

const widget = (spec: object, apiVersion = 'example.com/v1'): string =>
  `${JSON.stringify({ apiVersion, kind: 'Widget', metadata: { name: 'w' }, spec })}\n---\n`;
const fits = widget({ size: 1, port: 'http' });
const other = widget({}, 'other.example.com/v1');

describe('check objects as kubeconform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-kubeconform-'));
  const template = join(
    folder,
    'schemas',
    '{{.Group}}',
    '{{.ResourceKind}}_{{.ResourceAPIVersion}}.json',
  );
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  write('schemas/example.com/widget_v1.json', JSON.stringify(schema));
  after(() => rmSync(folder, { recursive: true }));

  const flags = ['--strict', '--summary'];
  const here = (args: readonly string[], location = template): ReturnType<typeof runHere> =>
    runHere(['check', 'objects', ...args, '--schema-location', location, ...flags]);
  const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

  describe('beside kubeconform', function () {
    this.timeout(300_000);
    let program = '';
    before(async function () {
      if (missingPrograms(['kubeconform']).length > 0 && !hasGo()) {
        console.log('      skipped: needs Go, to build kubeconform');
        this.skip();
      }
      program = (await ensurePrograms(['kubeconform'])).get('kubeconform') ?? '';
    });
    const there = (
      args: readonly string[],
      input = '',
    ): { readonly code: number | null; readonly stdout: string } => {
      const all = ['--schema-location', template, ...flags, ...args];
      const { status, stdout } = spawnSync(program, all, { encoding: 'utf8', input });
      return { code: status, stdout };
    };

    const same: [name: string, text: string, code: number][] = [
      ['what fits', fits, 0],
      ['several that fit', fits + fits, 0],
      ['a value out of bounds', fits + widget({ size: 0 }), 1],
      ['a value of another type', widget({ size: 'a' }), 1],
      ['a field that is unknown', widget({ sise: 1 }), 1],
      ['a number or text that is neither', widget({ port: true }), 1],
      ['a kind without a schema beside one that has it', fits + other, 0],
    ];
    for (const [name, text, code] of same) {
      it(`has its exit code and its summary: ${name}`, async () => {
        const file = write('objects.yaml', text);
        const [ours, theirs] = [await here([file]), there(['-ignore-missing-schemas', file])];
        expect(theirs.code).to.equal(code);
        expect(ours.code, ours.stdout).to.equal(code);
        expect(lastLine(ours.stdout)).to.equal(lastLine(theirs.stdout));
      });
    }

    it('has its summary of standard input', async () => {
      const args = ['check', 'objects', '-', '--schema-location', template, ...flags];
      const ours = await run(args, { stdin: fits });
      const theirs = there(['-'], fits);
      expect([ours.code, theirs.code]).to.deep.equal([0, 0]);
      expect(lastLine(ours.stdout)).to.equal(lastLine(theirs.stdout)).and.include('parsing stdin');
    });

    it('evaluates rules in CEL, and keeps what a server keeps', async () => {
      const large = write('large.yaml', widget({ size: 11 }));
      const kept = write('kept.yaml', widget({ open: { b: 1 } }));
      expect([(await here([large])).code, there([large]).code]).to.deep.equal([1, 0]);
      expect([(await here([kept])).code, there([kept]).code]).to.deep.equal([0, 1]);
    });

    it('has the exit codes of docs/kubeconform.md', async () => {
      const [group, base] = ['kustomize.config.k8s.io', 'https://example.com/base'];
      const remote = `apiVersion: ${group}/v1beta1\nkind: Kustomization\nresources: [${base}]\n`;
      const cases: Record<string, readonly string[]> = {
        'every object fits': [write('fits.yaml', fits)],
        'an object does not fit its schema': [write('refused.yaml', widget({ size: 0 }))],
        'a kind without a schema or definition': [write('mixed.yaml', fits + other)],
        'the same with `-ignore-missing-schemas`': [join(folder, 'mixed.yaml')],
        'a file that is not YAML; the others fit': [
          write('broken/a.yaml', 'a: [\n').replace('/a.yaml', ''),
        ],
        'a base that is not on this machine, with `-ignore-missing-schemas`': [
          write('remote/app/kustomization.yaml', remote).replace('/app/kustomization.yaml', ''),
        ],
        'no object of a kind that has a schema or definition at all': [write('other.yaml', other)],
        'a wrong option, or a path that does not exist': [join(folder, 'nowhere.yaml')],
      };
      write('broken/b.yaml', fits);
      write('remote/a.yaml', fits);
      const page = readFileSync(join(root, 'docs', 'kubeconform.md'), 'utf8');
      const rows = [...page.matchAll(/^\| (.+?) +\| (\d) +\| (\d) +\| (\w+)/gm)];
      expect(rows.map(([, name]) => name)).to.deep.equal(Object.keys(cases));
      for (const [, name = '', theirs, ours, counted = ''] of rows) {
        const files = cases[name] ?? [];
        const ignoring = name.includes('-ignore') ? ['-ignore-missing-schemas'] : [];
        const ended = await here(files);
        expect([there([...ignoring, ...files]).code, ended.code], name).to.deep.equal(
          [theirs, ours].map(Number),
        );
        if (counted !== 'none') {
          expect(lastLine(ended.stdout), name).to.match(new RegExp(`${counted}: [1-9]`));
        }
      }
    });
  });

  it('prefers a definition, and counts what is judged by a schema alone', async () => {
    const objects = ['examples/objects', '--schema-location', 'examples/schemas', '-o', 'json'];
    const countsOf = async (more: readonly string[]): Promise<unknown> => {
      const { stdout } = await runHere(['check', 'objects', ...objects, ...more]);
      return (JSON.parse(stdout) as { counts: object }).counts;
    };
    const counts = { allowed: 1, denied: 1, skipped: 1 };
    expect(await countsOf([])).to.deep.equal({ ...counts, bySchemaAlone: 2 });
    expect(await countsOf(['--crds', 'examples/cluster'])).to.deep.equal(counts);
  });

  it('takes the definition before as that of the kind', async () => {
    const args = ['examples/objects', '--schema-location', 'examples/schemas'];
    const before = ['--against', 'examples/cluster'];
    const { code, stdout } = await runHere(['check', 'objects', ...args, ...before]);
    expect(code).to.equal(0);
    expect(stdout).to.include('refused by the old definition too');
  });

  it('reads a catalog of a commit', async () => {
    const repository = new Repository({
      'schemas/example.com/widget_v1.json': JSON.stringify(schema),
      'objects.yaml': widget({ size: 0 }),
    });
    repository.commit();
    repository.write({ 'schemas/example.com/widget_v1.json': '{}' });
    const args = ['objects.yaml', '--schema-location', 'git:HEAD:schemas'];
    const { code, stderr } = await run(['check', 'objects', ...args], { cwd: repository.folder });
    repository.remove();
    expect(code, stderr).to.equal(1);
  });

  it('lists what a schema says in words that no server has', async () => {
    write(
      'more/example.com/widget_v1.json',
      '{"properties":{"spec":{"$ref":"#/a","type":"object"}}}',
    );
    const { code, stdout } = await here([write('a.yaml', fits)], join(folder, 'more'));
    expect(code).to.equal(2);
    expect(stdout).to.match(/^unchecked: \S+widget_v1\.json: not judged by \$ref$/m);
  });

  it('judges no file of kustomize as an object', async () => {
    const text = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: []\n';
    write('kustomize/component.yaml', text);
    write('kustomize/a.yaml', fits);
    write('schemas/kustomize.config.k8s.io/component_v1alpha1.json', '{"type":"object"}');
    const { code, stdout } = await here([join(folder, 'kustomize')]);
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include('Valid: 1, Invalid: 0, Errors: 0, Skipped: 1');
  });

  const unread: [name: string, text: string, sentence: RegExp][] = [
    ['what is no JSON', '{', /widget_v1\.json:1:2: .*; nothing was judged by it/],
    ['what is no schema', '[]', /widget_v1\.json: .*no JSON schema of an object; nothing/],
    ['a keyword of another kind', '{"required":true}', /widget_v1\.json: .*; nothing was judged/],
  ];
  for (const [name, text, sentence] of unread) {
    it(`goes on past a schema that cannot be read, and says so once: ${name}`, async () => {
      write('bad/example.com/widget_v1.json', text);
      const { code, stdout, stderr } = await here(
        [write('b.yaml', fits + fits)],
        join(folder, 'bad'),
      );
      expect(code, stderr).to.equal(2);
      expect(stdout).to.match(sentence).and.include('Errors: 1, Skipped: 2');
    });
  }

  it('reads no file outside of the catalog, whatever an object or a link says', async () => {
    write('outside/secret_v1.json', JSON.stringify(schema));
    mkdirSync(join(folder, 'schemas', 'link.example.com'), { recursive: true });
    symlinkSync(
      join(folder, 'outside', 'secret_v1.json'),
      join(folder, 'schemas', 'link.example.com', 'widget_v1.json'),
    );
    const linked = await here([write('linked.yaml', widget({ size: 0 }, 'link.example.com/v1'))]);
    expect(linked.code).to.equal(2);
    expect(linked.stdout).to.include('a symbolic link that leads out of the folder');
    const up = widget({ size: 0 }, '../outside/v1').replace('Widget', 'Secret');
    const above = await here([write('above.yaml', up)]);
    expect(above.stdout).to.include('has a kind with a definition or schema');
  });

  const wrong: [location: string, sentence: string][] = [
    [join(folder, 'nowhere'), 'there is no such file or folder'],
    ['https://example.com/{{.Group}}.json', 'nothing is fetched; clone the catalog'],
    [`${folder}/{{.Name}}.json`, '{{.Name}} is unknown; there are .Group, '],
  ];
  for (const [location, sentence] of wrong) {
    it(`exits with 2 and one sentence: ${sentence}`, async () => {
      const { code, stdout, stderr } = await here([write('a.yaml', fits)], location);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include(sentence);
    });
  }
});
