/** `olm-guard check crd OLD NEW --objects …` */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withSize } from '../server/reviews.js';
import { run, type Ended, type RunOptions } from './command.js';

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
      /cut\.json: object 1 of the file/,
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
