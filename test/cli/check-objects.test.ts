/** `olm-guard check crd OLD NEW --objects …` */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withSize } from '../server/reviews.js';
import { once } from 'node:events';
import { run, start, type Ended, type RunOptions } from './command.js';
import { Repository } from './repository.js';

const widget = (name: string, size: number): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'ns1' },
  spec: { size },
});

describe('check crd --objects', () => {
  let folder: string;
  let pair: string[];
  const file = (name: string, value: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return path;
  };
  const check = (objects: string, more: string[] = [], options?: RunOptions): Promise<Ended> =>
    run(['check', 'crd', ...pair, '--objects', objects, ...more], options);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-objects-'));
    pair = [
      file('old.json', withSize({ type: 'integer' })),
      file('new.json', withSize({ type: 'integer', minimum: 5 })),
    ];
  });
  after(() => rmSync(folder, { recursive: true }));

  it('names the objects that break, and counts what is of another kind', async () => {
    const items = [widget('a', 1), widget('b', 5), { apiVersion: 'v1', kind: 'Secret' }];
    const list = file('list.json', { apiVersion: 'v1', kind: 'List', items });
    const { code, stdout, stderr } = await check(list, ['-o', 'json']);
    expect(stderr).to.equal('');
    expect(code).to.equal(1);
    const { results } = JSON.parse(stdout) as {
      results: {
        verdict: { findings: { message: string }[] };
        output: { storedObjects: object };
      }[];
    };
    expect(results[0]?.output.storedObjects).to.include({
      checked: 2,
      refused: 1,
      updatable: 1,
      otherDocuments: 1,
    });
    expect(results[0]?.verdict.findings.map(({ message }) => message).join()).to.include(
      '1 of 2 stored Widgets would be refused: ns1/a spec.size: Invalid value',
    );
  });

  it('refuses a name that is mistyped, even where the change concerns no object', async () => {
    const same = [...pair.slice(1), ...pair.slice(1), '--objects', 'nowhere.yaml'];
    const { code, stderr } = await run(['check', 'crd', ...same]);
    expect(stderr).to.equal('olm-guard: nowhere.yaml: there is no such file or folder\n');
    expect(code).to.equal(2);
  });
  it('says which name the objects of a cluster have', async () => {
    const { code, stderr } = await run(['check', 'crd', ...pair, '--objects', 'cluster:']);
    expect([code, stderr]).to.deep.equal([
      2,
      'olm-guard: write --objects cluster, without a colon, for the objects of a cluster\n',
    ]);
  });

  it('judges objects of several sources together, of a commit and examples of a bundle too', async () => {
    const repository = new Repository();
    const csv = {
      ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion' },
      metadata: { annotations: { 'alm-examples': JSON.stringify([widget('example', 2)]) } },
    };
    repository.write({
      'apps/a.yaml': JSON.stringify(widget('a', 1)),
      'apps/csv.yaml': JSON.stringify(csv),
    });
    repository.commit();
    repository.write({ 'apps/a.yaml': JSON.stringify(widget('a', 5)) });
    const sources = ['git:HEAD:apps', file('one.json', widget('b', 3))];
    const { stdout } = await run(
      ['check', 'crd', ...pair, ...sources.flatMap((each) => ['--objects', each])],
      { cwd: repository.folder },
    );
    repository.remove();
    expect(stdout)
      .to.include('3 of 3 stored Widgets would be refused')
      .and.include('objects: 4; 3 refused; 1 not judged: of another kind');
  });

  it('judges manifests that leave their namespace to whoever applies them', async () => {
    const manifest = (name: string, size: number | string): object => ({
      ...widget(name, 0),
      metadata: { name },
      spec: { size },
    });
    const given = [manifest('a', 7), manifest('b', 3), manifest('c', 'large'), widget('d', 8)];
    const other = { apiVersion: 'example.com/v0', kind: 'Widget', metadata: { name: 'e' } };
    const all = [...given, other, { kind: 'Secret' }].map((each) => JSON.stringify(each));
    const { code, stdout } = await check(file('manifests.yaml', all.join('\n')));
    expect(code).to.equal(1);
    expect(stdout)
      .to.include('1 of 4 stored Widgets would be refused: b spec.size: Invalid value')
      .and.include(
        'objects: 6; 2 fine; 1 refused; 1 refused by the old definition too; 1 not judged: the old definition does not have their version; 1 not judged: of another kind\n',
      );
  });

  it('counts objects that all pass', async () => {
    const list = [widget('a', 7), widget('b', 8)].map((each) => JSON.stringify(each)).join('\n');
    const { stdout } = await check(file('fine.json', list));
    expect(stdout).to.include('objects: 2; 2 fine\n');
  });

  it('goes on behind a file of a folder that is not YAML, and names its line', async () => {
    mkdirSync(join(folder, 'git'));
    file('git/a.yaml', widget('a', 7));
    file('git/b.yaml', `${JSON.stringify(widget('b', 3))}\n`);
    file(
      'git/c.yaml',
      `kind: A\nspec:\n  a: 1\n---\n# chart\nkind: {{ .Values.kind }}\n---\nkind: C\n`,
    );
    const { code, stdout } = await check(join(folder, 'git'), ['--rollback']);
    expect(code).to.equal(1);
    expect(stdout)
      .to.include('objects: 3; 1 fine; 1 refused; 1 not judged: of another kind\n')
      .and.match(
        /^unchecked: \S+c\.yaml:6:\d+: object 2 of the file: .*; nothing from there on in this file was judged$/m,
      );
    expect(stdout.match(/^unchecked: /gm)).to.have.length(1);
    const strict = await check(join(folder, 'git', 'c.yaml'), ['--unchecked', 'fail']);
    expect(strict.code).to.equal(2);
    expect(strict.stderr).to.match(/c\.yaml:6:\d+: object 2 of the file/);
  });

  it('reports that no object was judged', async () => {
    const { stdout } = await check(file('none.json', { apiVersion: 'v1', kind: 'Secret' }));
    expect(stdout).to.match(/warning: \S+none\.json holds none of \S+: no object was judged\n/);
  });

  it('tells of each object in JSON while others are still to come', async () => {
    const started = start(['check', 'crd', ...pair, '--objects', '-', '-o', 'json']);
    const { stdin, stdout } = started.process;
    if (stdin === null || stdout === null) throw new Error('no pipes');
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, index) =>
        JSON.stringify(widget(`w${from + index}`, (from + index) % 2 === 0 ? 1 : 5)),
      ).join('\n');
    stdin.write(`${lines(0, 1000)}\n`);
    // All of these are told before the rest is there to be read.
    while (!started.stdout().includes('"ns1/w998"')) await once(stdout, 'data');
    stdin.end(lines(1000, 2000));
    const code = await started.ended;
    expect(code).to.equal(1);
    const { results, counts } = JSON.parse(started.stdout()) as {
      results: { objects: object[]; output: { storedObjects: object }; verdict: object }[];
      counts: object;
    };
    expect(counts).to.include({ denied: 1 });
    expect(results[0]?.verdict).to.include({ allowed: false });
    expect(results[0]?.output.storedObjects).to.include({ checked: 2000, refused: 1000 });
    expect(results[0]?.objects).to.have.length(1000);
    expect(results[0]?.objects.at(-1)).to.deep.equal({
      effect: 'breaking',
      name: 'ns1/w1998',
      version: 'v1',
      problems: [
        'spec.size: Invalid value: spec.size in body should be greater than or equal to 5',
      ],
      updatable: true,
    });
  });

  it('decides the same when nobody reads on', async () => {
    const items = Array.from({ length: 5000 }, (_, index) => widget(`w${index}`, 1));
    const list = file('many.json', { apiVersion: 'v1', kind: 'List', items });
    const started = start(['check', 'crd', ...pair, '--objects', list, '-o', 'json']);
    const { stdout } = started.process;
    if (stdout === null) throw new Error('no pipe');
    await once(stdout, 'data');
    stdout.destroy();
    expect(await started.ended).to.equal(1);
    expect(started.stderr()).to.equal('');
  });

  it('keeps no object that it has told of', async () => {
    const heapMegabytes = 40;
    const started = start(['check', 'crd', ...pair, '--objects', '-', '-o', 'json'], {
      env: { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` },
    });
    const { stdin } = started.process;
    if (stdin === null) throw new Error('no pipe');
    const name = 'w'.repeat(200);
    const objects = 150_000;
    for (let index = 0; index < objects; index += 1000) {
      const items = Array.from({ length: 1000 }, (_, step) =>
        JSON.stringify(widget(`${name}${index + step}`, 1)),
      );
      if (!stdin.write(`${items.join('\n')}\n`)) await once(stdin, 'drain');
    }
    stdin.end();
    expect(await started.ended).to.equal(1);
    expect(started.stdout()).to.include(`"refused": ${objects}`);
    expect(started.stdout().length).to.be.greaterThan(heapMegabytes * 1024 * 1024);
  });

  it('ends the document with the error when an object cannot be read', async () => {
    const stdin = `${JSON.stringify(widget('a', 1))}\n{"a": {`;
    const { code, stdout, stderr } = await check('-', ['-o', 'json'], { stdin });
    expect(code).to.equal(2);
    expect(stderr).to.match(/object 2 of the file: is not JSON/);
    const document = JSON.parse(stdout) as { results: { objects: object[] }[]; error: object };
    expect(document.results[0]?.objects).to.have.length(1);
    expect(document.error).to.include({ code: 'E_JSON' });
  });

  it('reads standard input', async () => {
    const stdin = `${JSON.stringify(widget('a', 7))}\n${JSON.stringify(widget('b', 3))}`;
    const { stdout } = await check('-', [], { stdin });
    expect(stdout).to.include('1 of 2 stored Widgets would be refused: ns1/b');
  });

  it('reads the objects of a folder that stands for a cluster', async () => {
    const state = join(folder, 'old.json');
    const { stdout } = await check('cluster', ['--state', state]);
    expect(stdout).not.to.include('stored Widgets');
  });

  const refusals: [name: string, objects: () => string, sentence: RegExp][] = [
    ['a missing file', () => '/nowhere.json', /\/nowhere\.json: .*no such file/],
    [
      'an object that ends early',
      () => file('cut.json', '{"a": {'),
      /cut\.json:1(?::\d+)?: object 1 of the file/,
    ],
    ['no cluster', () => 'cluster', /--objects cluster needs a cluster/],
  ];
  for (const [name, objects, sentence] of refusals) {
    it(`exits with 2 and one sentence: ${name}`, async () => {
      const { code, stdout, stderr } = await check(objects());
      expect(stderr).to.match(sentence);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }
});
