import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { digestOf, RenderingCache } from './render.js';

describe('renderings that are remembered', () => {
  const { OLM_GUARD_CACHE: kept } = process.env;
  const key = digestOf('what was read');
  const output = Buffer.from('kind: Widget\n');
  let folder: string;

  beforeEach(async () => {
    process.env['OLM_GUARD_CACHE'] = mkdtempSync(join(tmpdir(), 'olm-guard-rendered-'));
    await new RenderingCache().add(key, output);
    folder = join(process.env['OLM_GUARD_CACHE'], 'rendered');
  });
  afterEach(() => {
    rmSync(join(folder, '..'), { recursive: true });
    if (kept === undefined) delete process.env['OLM_GUARD_CACHE'];
    else process.env['OLM_GUARD_CACHE'] = kept;
  });

  const entry = (): string => join(folder, readdirSync(folder)[0] ?? '');
  const found = (): Promise<Buffer | undefined> => new RenderingCache().find(key);

  it('are found by another run, and no other user can read them', async () => {
    expect(await found()).to.deep.equal(output);
    expect(readdirSync(folder)).to.have.lengthOf(1);
    expect(statSync(entry()).mode & 0o777).to.equal(0o600);
  });

  it('are found in the same run where no folder keeps them', async () => {
    process.env['OLM_GUARD_CACHE'] = '';
    const cache = new RenderingCache();
    await cache.add(key, output);
    expect(await cache.find(key)).to.deep.equal(output);
    expect(await found()).to.equal(undefined);
    process.env['OLM_GUARD_CACHE'] = join(folder, '..');
  });

  it('are kept in no folder on CI, unless one is chosen', () => {
    const { CI: ci } = process.env;
    process.env['CI'] = 'true';
    try {
      expect(new RenderingCache().folder).to.equal(folder);
      delete process.env['OLM_GUARD_CACHE'];
      expect(new RenderingCache().folder).to.equal(undefined);
    } finally {
      process.env['OLM_GUARD_CACHE'] = join(folder, '..');
      if (ci === undefined) delete process.env['CI'];
      else process.env['CI'] = ci;
    }
  });

  it('are those of all parts, wherever these begin', () => {
    expect(digestOf('a', 'bc')).not.to.equal(digestOf('ab', 'c'));
    expect(digestOf('a', '')).not.to.equal(digestOf('a'));
  });

  const broken: Readonly<Record<string, () => void>> = {
    'is cut off': () => truncateSync(entry(), readFileSync(entry()).length - 1),
    'is empty': () => truncateSync(entry(), 0),
    'holds other bytes': () => {
      const bytes = readFileSync(entry());
      writeFileSync(entry(), Buffer.concat([bytes.subarray(0, -2), Buffer.from('s\n')]));
    },
    'is that of another rendering': () => {
      const text = 'kind: Other\n';
      writeFileSync(entry(), `${digestOf(digestOf('another'), text)}${text}`);
    },
    'is a link': () => {
      const elsewhere = join(folder, '..', 'elsewhere');
      writeFileSync(elsewhere, readFileSync(entry()));
      const name = entry();
      rmSync(name);
      symlinkSync(elsewhere, name);
    },
  };
  for (const [what, damage] of Object.entries(broken)) {
    it(`are rendered again where an entry ${what}`, async () => {
      damage();
      expect(await found()).to.equal(undefined);
      await new RenderingCache().add(key, output);
      expect(await found()).to.deep.equal(output);
    });
  }

  it('are at most so many: the oldest give way', async () => {
    for (let index = 0; index < 30; index++) {
      const file = join(folder, `older-${index}`);
      writeFileSync(file, '');
      // Of the size that all may have together; nothing is on the disk.
      truncateSync(file, 10 * 1024 * 1024);
      utimesSync(file, index, index);
    }
    await new RenderingCache().add(digestOf('one more'), output);
    const left = readdirSync(folder);
    expect(left.filter((name) => name.startsWith('older-'))).to.have.lengthOf(14);
    expect(left).to.include('older-29').and.not.include('older-0');
    expect(await found()).to.deep.equal(output);
  });
});
