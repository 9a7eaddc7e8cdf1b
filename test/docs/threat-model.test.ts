/** Every row of docs/threat-model.md names a test, and the test is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { earlyExitsInCode, unaskedByManifests } from './early-exits.js';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const text = readFileSync(join(docs, 'threat-model.md'), 'utf8');

/** Attacks and early exits; what remains has no test. */
const rows = text
  .split(/^##+ /m)
  .filter((section) => !section.startsWith('Remaining risks'))
  .flatMap((section) => section.split('\n'))
  .filter((line) => line.startsWith('- '))
  .map((line) => line.slice('- '.length));

/** Titles of tests, by the file that a row links to. */
const titles = JSON.parse(
  readFileSync(join(import.meta.dirname, 'threat-model.json'), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

describe('docs/threat-model.md', () => {
  it('has every early exit of the code, as often as it is there', () => {
    const named = new Map<string, number>();
    for (const row of rows) {
      for (const [, file, name, times = '1'] of row.matchAll(
        /\]\(\.\.\/([^)]+)\) `(\w+)`(?: ×(\d+))?/g,
      )) {
        named.set(`${file ?? ''} ${name ?? ''}`, Number(times));
      }
    }
    const inOrder = (counts: Map<string, number>): [string, number][] => [...counts].sort();
    expect(inOrder(named)).to.deep.equal(inOrder(earlyExitsInCode()));
  });

  it('has every condition under which the API server does not ask', () => {
    const named = rows
      .flatMap((row) => /^(?:match condition.*?|`namespaceSelector`): /.exec(row)?.[0] ?? [])
      .flatMap((where) => [...where.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(named).to.have.members([...unaskedByManifests()]);
  });

  it('has rows', () => {
    expect(rows.length).to.be.greaterThan(20);
  });

  for (const row of rows) {
    it(`names tests that are there: ${row.slice(0, 80)}`, () => {
      const links = [...row.matchAll(/\]\(([^)]+\.test\.ts)\)/g)];
      expect(links, 'a test').not.to.have.length(0);
      for (const [, link = ''] of links) expect(existsSync(join(docs, link)), link).to.equal(true);
    });
  }

  for (const [file, named] of Object.entries(titles)) {
    it(`names ${file}, which has each test that shows an attack`, () => {
      expect(text).to.include(`](../${file})`);
      const source = readFileSync(join(docs, '..', file), 'utf8');
      expect(named.filter((title) => !source.includes(title))).to.deep.equal([]);
    });
  }
});
