/** Every row of docs/threat-model.md names a test, and the test is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { earlyExitsInCode, unaskedByManifests } from './early-exits.js';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const text = readFileSync(join(docs, 'threat-model.md'), 'utf8');

/** Rows of tables, without their heads. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|\s*(-|Attack|where)/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| ?|\s*\|$/g, '').trim()));

/** A link, or the title of a test in the file that was linked last. */
const named = /\]\(([^)]+)\)|(?<![\w/])_([^_]+)_(?!\w)/g;

describe('docs/threat-model.md', () => {
  it('has every early exit of the code, as often as it is there', () => {
    const named = new Map<string, number>();
    for (const [where = ''] of rows) {
      for (const [, file, name, times = '1'] of where.matchAll(
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
      .filter(([where = '']) => /^(match condition|`namespaceSelector`)/.test(where))
      .flatMap(([where = '']) => [...where.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(named).to.have.members([...unaskedByManifests()]);
  });

  it('has rows', () => {
    expect(rows.length).to.be.greaterThan(20);
  });

  for (const cells of rows) {
    const [who = ''] = cells;
    const shown = cells.at(-1) ?? '';
    it(`names tests that are there: ${who.slice(0, 80)}`, () => {
      let file: string | undefined;
      for (const [, link, title] of shown.matchAll(named)) {
        if (link !== undefined) {
          file = join(docs, link);
          expect(existsSync(file), link).to.equal(true);
          expect(file).to.match(/\.test\.ts$/);
        } else {
          expect(file, `a file before ${title}`).to.not.equal(undefined);
          const source = readFileSync(file ?? '', 'utf8');
          for (const part of (title ?? '').split(' … ')) expect(source).to.include(part);
        }
      }
      expect(file, 'a test').to.not.equal(undefined);
    });
  }
});
