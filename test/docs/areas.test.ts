/** The table of areas names every folder of src/. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { areas, type Folder } from '../../build/areas.js';

const source = join(import.meta.dirname, '..', '..', 'src');
/** From so many files on a folder has an index of its own. */
const manyFiles = 10;

/** What the folders of src/ hold beside tests, by their path. */
function foldersBelow(path: string): string[] {
  return readdirSync(join(source, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['testing', 'testdata'].includes(entry.name))
    .flatMap(({ name }) => [join(path, name), ...foldersBelow(join(path, name))]);
}

function sourcesIn(path: string): string[] {
  return readdirSync(join(source, path)).filter((file) => /(?<!\.test)\.ts$/.test(file));
}

function named(folders: readonly Folder[], path: string): [string, Folder][] {
  return folders.flatMap((folder) => {
    const own = join(path, folder.name);
    return [[own, folder] as [string, Folder], ...named(folder.folders ?? [], own)];
  });
}

const inTable = new Map(named(areas, ''));

describe('the areas of src', () => {
  it('are all in the table', () => {
    expect([...inTable.keys()].sort()).to.deep.equal(foldersBelow('').sort());
  });

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
