import { expect } from 'chai';
import { type KnownCatalog, notInCatalog } from './known-catalogs.js';

function catalogOf(versions: readonly string[]): KnownCatalog {
  const bundles = versions.map((version) => ({
    name: `a.v${version}`,
    package: 'a',
    packageProperties: [{ version }],
  }));
  const entries = [{ name: 'a.v0.1.0', replaces: '', skips: ['a.v0.0.9'] }];
  const channels = [{ package: 'a', entries }];
  return { name: 'c', catalog: { packages: [], bundles, channels } } as unknown as KnownCatalog;
}

describe('a version that is not in the catalog', () => {
  const many = ['1.10.0', '1.0.0', '1.2.0', '2.0.0', '1.1.0', '3.0.0-rc.1', '3.0.0'];
  const rows: readonly [asked: string, versions: readonly string[], told: string | undefined][] = [
    ['1.2.0', many, undefined],
    ['a.v1.2.0', many, undefined],
    ['0.0.9', many, undefined],
    ['1.3.0', many, 'it has 1.1.0, 1.2.0, 1.10.0, 2.0.0 and 3 more'],
    ['v1.3', many, 'it has 1.1.0, 1.2.0, 1.10.0, 2.0.0 and 3 more'],
    ['a.v1.3.0', many, 'it has 1.1.0, 1.2.0, 1.10.0, 2.0.0 and 3 more'],
    ['0.1', many, 'it has 1.0.0, 1.1.0, 1.2.0, 1.10.0 and 3 more'],
    ['9.0.0', many, 'it has 1.10.0, 2.0.0, 3.0.0-rc.1, 3.0.0 and 3 more'],
    ['newest', many, 'it has 1.10.0, 2.0.0, 3.0.0-rc.1, 3.0.0 and 3 more'],
    ['1.3.0', ['1.0.0', '1.0.0', '2.0.0'], 'it has 1.0.0 and 2.0.0'],
    ['1.3.0', ['1.0.0'], 'it has 1.0.0'],
    ['1.3.0', [], 'it has no version of it'],
  ];
  for (const [asked, versions, told] of rows) {
    it(`${asked} of ${versions.length}: ${told ?? 'is there'}`, () => {
      const sentence = notInCatalog('a', asked, [catalogOf(versions)]);
      if (told === undefined) expect(sentence).to.equal(undefined);
      else
        expect(sentence)
          .to.include('not in the catalog')
          .and.match(/[^;]*; [^;]*$/)
          .and.include(told);
    });
  }
});
