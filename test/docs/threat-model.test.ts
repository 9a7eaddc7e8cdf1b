/** Every row of docs/threat-model.md names a test, and the test is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const text = readFileSync(join(docs, 'threat-model.md'), 'utf8');

/** Rows of tables, without their heads. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|\s*(-|who wants what)/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| ?|\s*\|$/g, '').trim()));

/** A link, or the title of a test in the file that was linked last. */
const named = /\]\(([^)]+)\)|(?<![\w/])_([^_]+)_(?!\w)/g;

describe('docs/threat-model.md', () => {
  it('has rows', () => {
    expect(rows.length).to.be.greaterThan(20);
  });

  for (const [who = '', , shown = ''] of rows) {
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
