import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { cacheFolder } from './cache-folder.js';

describe("the user's folder for what later runs can do without", () => {
  const variables = ['OLM_GUARD_CACHE', 'XDG_CACHE_HOME'] as const;
  const kept = variables.map((name) => [name, process.env[name]] as const);
  let top: string;

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'olm-guard-caches-')));
    process.env['OLM_GUARD_CACHE'] = join(top, 'chosen');
  });
  afterEach(() => {
    for (const [name, value] of kept) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    rmSync(top, { recursive: true });
  });

  it('is made for this user alone', () => {
    const folder = cacheFolder('made');
    expect(folder).to.equal(join(top, 'chosen', 'made'));
    expect(statSync(folder ?? '').mode & 0o777).to.equal(0o700);
    expect(statSync(join(top, 'chosen')).mode & 0o777).to.equal(0o700);
  });

  it('is in the caches of the user by default', () => {
    delete process.env['OLM_GUARD_CACHE'];
    process.env['XDG_CACHE_HOME'] = top;
    expect(cacheFolder('made')).to.equal(join(top, 'olm-guard', 'made'));
  });

  it('is none in a home that is not there, which is not made', () => {
    delete process.env['OLM_GUARD_CACHE'];
    process.env['XDG_CACHE_HOME'] = join(top, 'home', '.cache');
    expect(cacheFolder('made')).to.equal(undefined);
    expect(existsSync(join(top, 'home'))).to.equal(false);
  });

  const unsafe: Readonly<Record<string, () => void>> = {
    'nothing is to be kept': () => (process.env['OLM_GUARD_CACHE'] = ''),
    'its name depends on the working directory': () => (process.env['OLM_GUARD_CACHE'] = 'caches'),
    'others may write to it': () => {
      mkdirSync(join(top, 'chosen', 'made'), { recursive: true });
      chmodSync(join(top, 'chosen', 'made'), 0o777);
    },
    'others may write to it, though they may not remove what is there': () => {
      mkdirSync(join(top, 'chosen', 'made'), { recursive: true });
      chmodSync(join(top, 'chosen', 'made'), 0o1777);
    },
    'others may write to the folder around it': () => {
      mkdirSync(join(top, 'chosen'));
      chmodSync(join(top, 'chosen'), 0o770);
    },
    'others may put another folder in its place': () => chmodSync(top, 0o707),
    'it is a link': () => {
      mkdirSync(join(top, 'elsewhere'));
      mkdirSync(join(top, 'chosen'));
      symlinkSync(join(top, 'elsewhere'), join(top, 'chosen', 'made'));
    },
    'the folder around it is a link': () => {
      mkdirSync(join(top, 'elsewhere'));
      symlinkSync(join(top, 'elsewhere'), join(top, 'chosen'));
    },
    'a file is in its place': () => (process.env['OLM_GUARD_CACHE'] = '/dev/null'),
  };
  it('is none in the repository that is checked: a branch may bring it', () => {
    const cwd = process.cwd();
    mkdirSync(join(top, '.git'));
    mkdirSync(join(top, 'folder'));
    expect(cacheFolder('made')).to.equal(join(top, 'chosen', 'made'));
    process.chdir(join(top, 'folder'));
    try {
      expect(cacheFolder('made')).to.equal(undefined);
    } finally {
      process.chdir(cwd);
    }
  });

  it('is none in the working directory, which may be a copy of a branch, but in a home', () => {
    const [cwd, home] = [process.cwd(), process.env['HOME']];
    process.chdir(top);
    try {
      expect(cacheFolder('made')).to.equal(undefined);
      expect(existsSync(join(top, 'chosen'))).to.equal(false);
      process.env['HOME'] = top;
      expect(cacheFolder('made')).to.equal(join(top, 'chosen', 'made'));
      process.chdir('/');
      expect(cacheFolder('made')).to.equal(join(top, 'chosen', 'made'));
    } finally {
      process.chdir(cwd);
      if (home === undefined) Reflect.deleteProperty(process.env, 'HOME');
      else process.env['HOME'] = home;
    }
  });

  for (const [why, prepare] of Object.entries(unsafe)) {
    it(`is none where ${why}`, () => {
      prepare();
      expect(cacheFolder('made')).to.equal(undefined);
    });
  }
});
