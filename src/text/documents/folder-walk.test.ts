import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { walkFolder, type SkippedEntry } from './folder-walk.js';

describe('walkFolder', () => {
  let root: string;
  let outside: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'olm-guard-walk-'));
    outside = mkdtempSync(join(tmpdir(), 'olm-guard-outside-'));
  });
  afterEach(() => {
    for (const folder of [root, outside]) rmSync(folder, { recursive: true });
  });

  function write(path: string): void {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), 'a: 1\n');
  }

  async function walk(
    options: { followsFolders?: boolean; wantsHidden?: (name: string) => boolean } = {},
  ): Promise<{ found: string[]; skipped: string[] }> {
    const passed: SkippedEntry[] = [];
    const found: string[] = [];
    const wants = (name: string): boolean => /\.ya?ml$/.test(name);
    const onSkipped = (entry: SkippedEntry): number => passed.push(entry);
    for await (const { path, refusal } of walkFolder(root, { ...options, wants, onSkipped })) {
      found.push(refusal === undefined ? path : `${path}: ${refusal}`);
    }
    return {
      found,
      skipped: passed.map(({ file, why }) => `${file.slice(root.length + 1)}: ${why}`),
    };
  }

  it('finds what is wanted, in the order of names, folder by folder', async () => {
    for (const path of ['b.yaml', 'a/z.yaml', 'a/b/c.yaml', 'c/a.yml', 'notes.txt']) write(path);
    const { found } = await walk();
    expect(found).to.deep.equal(['a/b/c.yaml', 'a/z.yaml', 'b.yaml', 'c/a.yml']);
  });

  it('passes over what is hidden, and says so of what could have been meant', async () => {
    for (const path of ['.git/x.yaml', '.old/x.yaml', '.x.yaml', '.gitignore', '..data/a.yaml']) {
      write(path);
    }
    const { found, skipped } = await walk();
    expect(found).to.deep.equal([]);
    expect(skipped.sort()).to.deep.equal(['.old: hidden', '.x.yaml: hidden']);
  });

  it('finds hidden files that the format of the folder reads, and no folders of that name', async () => {
    write('.indexignore');
    write('a/.indexignore/x.yaml');
    const { found } = await walk({ wantsHidden: (name) => name === '.indexignore' });
    expect(found).to.deep.equal(['.indexignore']);
  });

  it('finds the files of a mounted ConfigMap once, also those in folders', async () => {
    write('..2026_01_01/a.yaml');
    write('..2026_01_01/sub/b.yaml');
    symlinkSync('..2026_01_01', join(root, '..data'));
    symlinkSync('..data/a.yaml', join(root, 'a.yaml'));
    symlinkSync('..data/sub', join(root, 'sub'));
    expect(await walk()).to.deep.equal({ found: ['a.yaml', 'sub/b.yaml'], skipped: [] });
  });

  it('ends where links lead back, whatever their number', async () => {
    write('a/x.yaml');
    for (const name of ['one', 'two', 'three']) {
      symlinkSync('..', join(root, 'a', name));
      symlinkSync('.', join(root, name));
    }
    symlinkSync('knot.yaml', join(root, 'knot.yaml'));
    const { found } = await walk();
    expect(found).to.deep.equal([
      'a/x.yaml',
      'knot.yaml: is a symbolic link that leads back to itself',
    ]);
  });

  it('refuses a file outside, and passes over a folder outside', async () => {
    writeFileSync(join(outside, 'secret.yaml'), 'token: x\n');
    symlinkSync(join(outside, 'secret.yaml'), join(root, 'a.yaml'));
    symlinkSync(outside, join(root, 'b'));
    symlinkSync('..', join(root, 'up'));
    const { found, skipped } = await walk();
    expect(found).to.have.lengthOf(1);
    expect(found[0]).to.match(/^a\.yaml: is a symbolic link that leads out of the folder/);
    expect(skipped).to.deep.equal([
      'b: a link to a folder outside',
      'up: a link to a folder outside',
    ]);
  });

  it('refuses links to folders where they are not followed', async () => {
    write('real/x.yaml');
    symlinkSync('real', join(root, 'link.yaml'));
    const { found } = await walk({ followsFolders: false });
    expect(found[0]).to.match(/^link\.yaml: is a symbolic link to a folder/);
    expect(found[1]).to.equal('real/x.yaml');
  });

  it('refuses pipes and links to nothing, when they are wanted', async () => {
    execFileSync('mkfifo', [join(root, 'pipe.yaml'), join(root, 'pipe')]);
    symlinkSync('nowhere', join(root, 'dangling.yaml'));
    expect((await walk()).found.map((line) => line.replace(/;.*/, ''))).to.deep.equal([
      'dangling.yaml: there is no such file or folder',
      'pipe.yaml: is a pipe',
    ]);
  });
});
