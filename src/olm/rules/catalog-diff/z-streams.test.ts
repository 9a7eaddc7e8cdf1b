import type { Finding } from '../../../rule/index.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Catalog } from '../../catalogs/catalog.js';
import { loadCatalog } from '../../catalogs/load.js';
import { diffCatalogs } from './catalog-diff.js';
import { samples } from '../../../rule/testing/samples.js';

interface Entry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
}

function catalogOf(entries: readonly Entry[]): Catalog {
  const objects = [
    { schema: 'olm.package', name: 'op', defaultChannel: 'stable' },
    { schema: 'olm.channel', package: 'op', name: 'stable', entries },
    ...entries.map(({ name }) => ({
      schema: 'olm.bundle',
      package: 'op',
      name,
      image: `example.com/${name}`,
      properties: [
        { type: 'olm.package', value: { packageName: 'op', version: name.replace('op.v', '') } },
      ],
    })),
  ];
  const content = objects.map((object) => JSON.stringify(object)).join('\n');
  const { catalog, error } = loadCatalog([{ path: 'op.json', content }]);
  if (error !== undefined) throw error;
  return catalog;
}

const zStreams = (old: readonly Entry[], now: readonly Entry[]): readonly Finding[] =>
  diffCatalogs(catalogOf(old), catalogOf(now))
    .flatMap(({ findings }) => findings)
    .filter(({ rule }) => rule === 'CatalogZStream');

/** Does what the finding's fix says. */
function follow(fix: unknown, entries: readonly Entry[]): Entry[] | undefined {
  const [, by, names]: (string | undefined)[] =
    /^let (\S+) skip (.+)$/.exec(typeof fix === 'string' ? fix : '') ?? [];
  if (by === undefined || names === undefined) return undefined;
  return entries.map((entry) =>
    entry.name === by ? { ...entry, skips: [...(entry.skips ?? []), ...names.split(', ')] } : entry,
  );
}

describe('the newest release of each minor version', () => {
  const old = [
    { name: 'op.v1.1.0', replaces: 'op.v1.0.1' },
    { name: 'op.v1.0.1', replaces: 'op.v1.0.0' },
    { name: 'op.v1.0.0' },
  ];

  it('names the entry that has to skip, where the newest itself is skipped', () => {
    const now = [
      { name: 'op.v1.1.0', replaces: 'op.v1.0.1', skips: ['op.v1.0.2'] },
      { name: 'op.v1.0.2', replaces: 'op.v1.0.1' },
      { name: 'op.v1.0.1' },
    ];
    const [found] = zStreams(old, now);
    expect(found).to.deep.include({
      id: 'one',
      data: { channel: 'stable', names: 'op.v1.0.0', newest: 'op.v1.0.2', minor: '1.0' },
    });
    expect(found?.fix).to.equal('let op.v1.1.0 skip op.v1.0.0');
    expect(zStreams(old, follow(found?.fix, now) ?? [])).to.deep.equal([]);
  });

  it('has nothing more to say once its advice is followed, whatever the channel', () => {
    const versions = ['1.0.0', '1.0.1', '1.0.2', '1.1.0', '1.1.1', '2.0.0'];
    const name = fc.constantFrom(...versions.map((version) => `op.v${version}`));
    const channel = fc
      .uniqueArray(
        fc.record(
          { name, replaces: name, skips: fc.uniqueArray(name, { maxLength: 2 }) },
          { requiredKeys: ['name'] },
        ),
        { selector: (entry) => entry.name, minLength: 2, maxLength: 6 },
      )
      .map((entries) =>
        entries.map(({ skips = [], ...entry }) => ({
          ...entry,
          skips: skips.filter((other) => other !== entry.name),
        })),
      );
    let followed = 0;
    fc.assert(
      fc.property(channel, channel, (before, now) => {
        for (const { fix, cause } of zStreams(before, now)) {
          const edited = follow(fix, now);
          if (edited === undefined) continue;
          followed += 1;
          expect(zStreams(before, edited).map((each) => each.cause)).not.to.include(cause);
        }
      }),
      { numRuns: samples(60) },
    );
    expect(followed).to.be.greaterThan(0);
  });
});
