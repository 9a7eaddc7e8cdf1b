import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { InvalidInputError } from './error.js';
import { readRegularFile, writeRegularFile } from './regular-file.js';

describe('regular files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-file-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('pipe', join(folder, 'to-pipe'));
    symlinkSync('/dev/zero', join(folder, 'to-zero'));
    writeFileSync(join(folder, 'file'), 'old');
    symlinkSync('file', join(folder, 'to-file'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function refusal(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(InvalidInputError);
    return (error as InvalidInputError).message;
  }

  const refused: readonly [name: string, reason: RegExp][] = [
    ['pipe', /^is a pipe; /],
    ['to-pipe', /^is a pipe; /],
    ['to-zero', /^is a device; /],
    ['/dev/null', /^is a device; /],
    ['.', /^is a folder; /],
    ['nothing', /^there is no such file/],
  ];
  for (const [name, reason] of refused) {
    it(`does not read ${name}`, async () => {
      const file = name.startsWith('/') ? name : join(folder, name);
      expect(await refusal(readRegularFile(file))).to.match(reason);
    });
  }

  it('refuses a socket', async () => {
    const server = createServer().listen(join(folder, 'socket'));
    try {
      expect(await refusal(readRegularFile(join(folder, 'socket')))).to.match(/^is a socket; /);
    } finally {
      server.close();
    }
  });

  it('reads a file, through a link too', async () => {
    expect((await readRegularFile(join(folder, 'to-file'))).toString()).to.equal('old');
  });

  it('reads no more than it may, also of a file that says it is empty', async () => {
    expect(await refusal(readRegularFile(join(folder, 'file'), 2))).to.match(/at most 2 are read/);
    expect(await refusal(readRegularFile('/proc/self/status', 100))).to.match(/at most 100 are/);
  });

  it('reads what is in a folder, and not what a link leads to by the time it is open', async () => {
    const inner = join(realpathSync(folder), 'inner');
    mkdirSync(inner);
    writeFileSync(join(inner, 'mine'), 'mine');
    const link = join(inner, 'link');
    const turn = (target: string): void => {
      symlinkSync(target, `${link}-next`);
      renameSync(`${link}-next`, link);
    };
    turn('../file');
    expect(await refusal(readRegularFile(link, undefined, inner))).to.match(
      /leads out of the folder; copy/,
    );
    turn('mine');
    expect((await readRegularFile(link, undefined, inner)).toString()).to.equal('mine');
    const read: string[] = [];
    let isDone = false;
    const reading = (async () => {
      for (let count = 0; count < 500; count++) {
        read.push(await readRegularFile(link, undefined, inner).then(String, () => 'refused'));
      }
      isDone = true;
    })();
    for (let count = 0; !isDone; count++) {
      turn(count % 2 === 0 ? '../file' : 'mine');
      await setImmediate();
    }
    await reading;
    expect(new Set(read)).to.not.include('old');
  });

  it('writes a file, new or in place of another', async () => {
    await writeRegularFile(join(folder, 'file'), 'n');
    await writeRegularFile(join(folder, 'new'), 'n');
    for (const name of ['file', 'new']) {
      expect(readFileSync(join(folder, name), 'utf8')).to.equal('n');
    }
  });

  it('writes through no link, and into nothing that is no file', async () => {
    expect(await refusal(writeRegularFile(join(folder, 'to-file'), 'n'))).to.match(/symbolic link/);
    expect(await refusal(writeRegularFile(join(folder, 'pipe'), 'n'))).to.match(/^is a pipe/);
    expect(await refusal(writeRegularFile('/dev/null', 'n'))).to.match(/^is a device/);
    expect(readFileSync(join(folder, 'file'), 'utf8')).to.equal('old');
  });
});
