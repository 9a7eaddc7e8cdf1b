import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { InvalidInputError } from './error.js';
import { readSource } from './sources.js';

describe('documents: sources', () => {
  let folder: string;
  let before: string;

  beforeEach(() => {
    before = process.cwd();
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-sources-'));
    mkdirSync(join(folder, 'bundle/manifests'), { recursive: true });
    writeFileSync(join(folder, 'bundle/manifests/b.yaml'), 'b: 1\n');
    writeFileSync(join(folder, 'bundle/manifests/a.json'), '{"a":1}');
    writeFileSync(join(folder, 'bundle/README.md'), '# not a manifest\n');
    symlinkSync('..', join(folder, 'bundle/up'));
    symlinkSync('/nowhere/at/all', join(folder, 'bundle/dangling'));
    symlinkSync('../bundle/manifests/b.yaml', join(folder, 'bundle/link.yml'));
  });

  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  async function names(source: string, stdin?: string[]): Promise<string[]> {
    const files = await readSource(source, stdin === undefined ? {} : { stdin: chunks(stdin) });
    return files.map(({ file, bytes }) => `${file.replace(folder, '')}=${bytes.toString()}`);
  }

  it('reads a folder in the order of names, through links, and ends at a link to its parent', async () => {
    expect(await names(join(folder, 'bundle'))).to.deep.equal([
      '/bundle/link.yml=b: 1\n',
      '/bundle/manifests/a.json={"a":1}',
      '/bundle/manifests/b.yaml=b: 1\n',
    ]);
  });

  it('reads one file whatever its name', async () => {
    expect(await names(join(folder, 'bundle/README.md'))).to.have.lengthOf(1);
  });

  it('reads standard input', async () => {
    expect(await names('-', ['a: ', '1'])).to.deep.equal(['-=a: 1']);
  });

  it('reads files and folders of a commit', async () => {
    process.chdir(folder);
    const git = (...argv: string[]) => execFileSync('git', argv, { stdio: 'pipe' });
    git('init', '-q');
    git('add', 'bundle/manifests', 'bundle/README.md');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'one');
    rmSync(join(folder, 'bundle'), { recursive: true });
    expect(await names('git:HEAD:bundle')).to.deep.equal([
      'git:HEAD:bundle/manifests/a.json={"a":1}',
      'git:HEAD:bundle/manifests/b.yaml=b: 1\n',
    ]);
    expect(await names('git:HEAD:')).to.have.lengthOf(2);
    expect(await names('git:HEAD:bundle/manifests/b.yaml')).to.deep.equal([
      'git:HEAD:bundle/manifests/b.yaml=b: 1\n',
    ]);
  });

  const refused: [string, string][] = [
    ['/nowhere/at/all.yaml', 'there is no such file or folder'],
    ['git:--output=/tmp/x:y', 'looks like an option'],
    ['git:HEAD', 'write git:REF:path'],
    ['git:no-such-ref:x', 'git: '],
  ];
  for (const [source, reason] of refused) {
    it(`refuses ${source}`, async () => {
      const error: unknown = await readSource(source).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InvalidInputError);
      expect((error as InvalidInputError).message).to.include(reason);
      expect((error as InvalidInputError).where.file).to.equal(source);
    });
  }
});

async function* chunks(texts: string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}
