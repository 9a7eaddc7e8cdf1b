/** `olm-guard check crd OLD NEW` of large folders, whose definitions are judged one after the other. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exampleOfSpec } from '../../src/upgrade/rules/crd/example-definition.js';
import { stringifyJson, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { run } from './command.js';

interface Report {
  readonly results: readonly JsonValue[];
  readonly counts: Readonly<Record<string, number>>;
}

const words = 'What a reader of the documents is told. '.repeat(9_000);

describe('check crd of a large folder', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-folder-'));
    for (const side of ['old', 'new']) mkdirSync(join(folder, side));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(side: 'old' | 'new', plural: string, spec: JsonObject): void {
    const example = exampleOfSpec({ ...spec, description: words }) as {
      metadata: JsonObject;
      spec: { names: JsonObject };
    };
    example.metadata['name'] = `${plural}.example.com`;
    Object.assign(example.spec.names, { plural, kind: plural, listKind: `${plural}List` });
    writeFileSync(join(folder, side, `${plural}.json`), stringifyJson(example));
  }

  const size = (bounds: string): JsonObject => ({
    type: 'object',
    properties: { size: JSON.parse(`{"type":"integer"${bounds}}`) as JsonObject },
  });

  const changes: readonly (readonly [plural: string, old: JsonObject, next: JsonObject])[] = [
    ['apples', size(',"maximum":10'), size(',"maximum":3')],
    ['berries', size(''), size('')],
    ['cherries', size(''), size(',"minimum":2')],
    ['dates', size(',"default":7'), size(',"default":8')],
    ['elders', size(',"minimum":2'), size('')],
    ['figs', size(''), { type: 'object', properties: {} }],
  ];

  it('tells of each what it tells of it alone, in the same order', async () => {
    for (const [plural, old, next] of changes) {
      write('old', plural, old);
      write('new', plural, next);
    }
    const sides = (name: string): string[] =>
      ['old', 'new'].map((side) => join(folder, side, name));
    const ask = ['check', 'crd'];
    const whole = await run([...ask, ...sides(''), '-o', 'json']);
    const fixed = join(folder, 'fixed');
    mkdirSync(fixed);
    const text = await run([...ask, ...sides(''), '--fix', fixed]);
    const alone: JsonValue[] = [];
    const mended = new Map<string, string>();
    for (const [plural] of changes) {
      const pair = sides(`${plural}.json`);
      const { stdout } = await run([...ask, ...pair, '-o', 'json']);
      alone.push(...(JSON.parse(stdout) as Report).results);
      const file = join(folder, 'one.json');
      const one = await run([...ask, ...pair, '--fix', file]);
      const [told = ''] = one.stdout.split('\n\nCustomResourceDefinitions: ');
      expect(text.stdout).to.include(told);
      if (existsSync(file)) mended.set(`${plural}.example.com.yaml`, readFileSync(file, 'utf8'));
      rmSync(file, { force: true });
    }
    const written = readdirSync(fixed).map(
      (name) => [name, readFileSync(join(fixed, name), 'utf8')] as const,
    );
    expect(new Map(written)).to.deep.equal(mended).and.to.have.property('size').above(0);
    const { results, counts } = JSON.parse(whole.stdout) as Report;
    expect(whole.code, whole.stderr).to.equal(1);
    expect(results).to.deep.equal(alone).and.have.lengthOf(changes.length);
    expect(counts).to.include({ allowed: 3, denied: 3 });
  });

  it('tells where a definition stands that cannot be judged', async () => {
    for (const [plural, old] of changes) {
      write('old', plural, old);
      write('new', plural, plural === 'elders' ? size(',"maximum":"many"') : old);
    }
    const ended = await run(['check', 'crd', join(folder, 'old'), join(folder, 'new')]);
    expect(ended.code).to.equal(2);
    expect(ended.stderr).to.include('elders.json').and.include('size');
  });
});
