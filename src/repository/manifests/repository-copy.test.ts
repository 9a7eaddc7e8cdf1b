import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { digestOf } from './render.js';
import { repositoryOf, type Repository } from './repository.js';

describe('the copy of a repository', () => {
  let folder: string;
  let repository: Repository;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'olm-guard-copied-')));
    for (const name of ['.git/config', 'a/file', 'a/.hidden', 'b/c/file']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), name);
    }
    repository = await repositoryOf(folder, { isPart: true });
  });
  afterEach(async () => {
    await repository.copy.remove();
    rmSync(folder, { recursive: true });
  });

  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );

  it('has the links of the repository, between its own files', async () => {
    symlinkSync('../b', join(folder, 'a/link'));
    symlinkSync('link/c', join(folder, 'a/again'));
    const placed = await repository.copy.place('a/again/file');
    expect(readFileSync(placed, 'utf8')).to.equal('b/c/file');
    expect(realpathSync(placed).startsWith(folder)).to.equal(false);
    expect(lstatSync(realpathSync(placed)).isFile()).to.equal(true);
  });

  it('has all of a folder, and only that, until it is removed', async () => {
    const placed = await repository.copy.placeAll('a');
    expect(readFileSync(join(placed, '.hidden'), 'utf8')).to.equal('a/.hidden');
    expect(existsSync(join(placed, '../b'))).to.equal(false);
    await repository.copy.remove();
    expect(existsSync(placed)).to.equal(false);
    expect(await repository.copy.placeAll('a')).to.not.equal(placed);
  });

  it("has nothing of git, whatever leads there, and nothing that isn't in the repository", async () => {
    symlinkSync('.git', join(folder, 'git'));
    symlinkSync('/proc/self/environ', join(folder, 'b/environ'));
    for (const path of ['.git/config', '.GIT/config', 'git/config', 'git', 'b/environ', 'none']) {
      expect(await refusal(repository.copy.place(path)), path).to.match(/is no file or folder of/);
    }
    expect(await refusal(repository.copy.placeAll('b'))).to.match(
      /holds environ, which is no file/,
    );
    expect(await refusal(repository.copy.placeAll(''))).to.match(/which is no file/);
  });

  it('tells what the author of the repository has changed since it was read', async () => {
    const { copy } = repository;
    symlinkSync('../b/c', join(folder, 'a/link'));
    const read = { path: 'a/link/file', real: 'b/c/file', digest: digestOf('b/c/file') };
    const at = { path: 'a/link', real: 'b/c', digest: undefined };
    for (const { path } of [read, at]) await copy.place(path);
    expect([await copy.holds(read), await copy.holds(at)]).to.deep.equal([true, true]);
    const others = [
      { ...read, digest: digestOf('another text') },
      { ...read, real: 'a/file', digest: digestOf('a/file') },
      { ...read, digest: undefined },
      { ...at, real: 'a' },
      { path: 'a/file', real: 'a/file', digest: digestOf('a/file') },
    ];
    for (const each of others) expect(await copy.holds(each), each.real).to.equal(false);
  });

  it('counts what is read for programs, whether it is copied or not', async () => {
    const { copy } = repository;
    copy.count('a', 200 * 1024 ** 2);
    copy.count('a', 200 * 1024 ** 2);
    expect(() => copy.count('b', 100 * 1024 ** 2)).to.throw(/more than 268435456 bytes/);
    await copy.remove();
    copy.count('b', 100 * 1024 ** 2);
    expect(() => copy.count('b', 300 * 1024 ** 2)).to.throw(/more than 268435456 bytes/);
  });

  it('ends renderings after those that were ended by a bound, and after very many', () => {
    const { copy } = repository;
    for (let count = 0; count < 4; count++) copy.countPastBound();
    copy.countRendering('a');
    copy.countPastBound();
    expect(() => copy.countRendering('a')).to.throw(/5 renderings were ended before/);
  });
});
