/** The table of areas names every folder of src/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { areas, type Folder } from '../../build/areas.js';

const source = join(import.meta.dirname, '..', '..', 'src');
/** From so many files on a folder has an index of its own. */
const manyFiles = 10;
/** Lines of one area, without tests: more are not looked through in an hour. */
const manyLines = 26_000;

/** What the folders of src/ hold beside tests, by their path. */
function foldersBelow(path: string): string[] {
  return readdirSync(join(source, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['testing', 'testdata'].includes(entry.name))
    .flatMap(({ name }) => [join(path, name), ...foldersBelow(join(path, name))]);
}

function sourcesIn(path: string): string[] {
  return readdirSync(join(source, path)).filter((file) => /(?<!\.test)\.ts$/.test(file));
}

function linesIn(path: string): number {
  const files = sourcesIn(path).map((file) => readFileSync(join(source, path, file), 'utf8'));
  return files.reduce((lines, text) => lines + text.split('\n').length - 1, 0);
}

function named(folders: readonly Folder[], path: string): [string, Folder][] {
  return folders.flatMap((folder) => {
    const own = join(path, folder.name);
    return [[own, folder] as [string, Folder], ...named(folder.folders ?? [], own)];
  });
}

const inTable = new Map(named(areas, ''));

describe('the areas of src', () => {
  it('are the ones in the table', () => {
    expect([...inTable.keys()].sort()).to.deep.equal(foldersBelow('').sort());
  });

  for (const { name } of areas) {
    it(`${name} has at most ${manyLines} lines`, () => {
      const lines = [name, ...foldersBelow(name)].map(linesIn);
      expect(lines.reduce((sum, each) => sum + each)).to.be.at.most(manyLines);
    });
  }

  for (const [path, folder] of inTable) {
    const { takes, gives, begin } = folder;
    const isLarge = !path.includes('/') || sourcesIn(path).length > manyFiles;
    if (!isLarge && takes === undefined) continue;
    it(`${path} says what comes in, what goes out, and where to begin`, () => {
      expect([takes, gives]).not.to.include(undefined);
      expect(begin).to.be.an('array').that.is.not.empty;
    });
  }
});

/** The table below the sentence that begins so, with the limits of its walk. */
const walks: [what: string, start: string, files: number, returns: number][] = [
  ['a review of a definition', 'An update of a definition that the gate denies', 30, 10],
  ['a definition through check crd', 'One definition on its way through `olm-guard', 25, 8],
  ['a file through check objects', 'A file with objects on its way through', 25, 8],
];

for (const [what, start, mostFiles, mostReturns] of walks) {
  describe(`the way of ${what}`, () => {
    const page = readFileSync(join(source, '..', 'docs', 'architecture.md'), 'utf8');
    const [, section = ''] = page.split(`\n${start}`);
    const [, count = '', returned = ''] = /: (\d+) files, and (\d+) returns/.exec(section) ?? [];
    const [, table = ''] = /\n\n((?:\|.*\n)+)/.exec(section) ?? [];
    const steps = [...table.matchAll(/(→ )?`([^` ]+\.ts)`/g)];
    const entered = steps.flatMap(([, arrow, file = '']) => (arrow === undefined ? [file] : []));

    it('enters files that there are, each once', () => {
      expect(entered.filter((file) => !existsSync(join(source, file)))).to.deep.equal([]);
      expect(entered).not.to.be.empty;
      expect(new Set(entered).size).to.equal(entered.length);
    });

    it('returns only to files that it has entered', () => {
      for (const [index, [, arrow, file = '']] of steps.entries()) {
        const before = steps.slice(0, index).map(([, , each = '']) => basename(each));
        if (arrow !== undefined) expect(before).to.include(file);
      }
    });

    it(`has at most ${mostFiles} files and ${mostReturns} returns, as the page counts them`, () => {
      expect([entered.length, steps.length - entered.length]).to.deep.equal([+count, +returned]);
      expect(entered.length).to.be.at.most(mostFiles);
      expect(steps.length - entered.length).to.be.at.most(mostReturns);
    });
  });
}
