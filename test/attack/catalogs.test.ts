/** Catalogs of strangers, made to take long: work is counted by what is read of their entries. */
import { expect } from 'chai';
import type { Catalog } from '../../src/olm/catalogs/catalog.js';
import { loadCatalog } from '../../src/olm/catalogs/load.js';
import { packageOf } from '../../src/olm/catalogs/upgrades/upgrade-path.js';
import { explainPaths } from '../../src/olm/catalogs/upgrades/explain-paths.js';
import { diffCatalogs } from '../../src/olm/rules/catalog-diff/catalog-diff.js';
import { InvalidInputError } from '../../src/text/documents/index.js';

interface Entry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly skipRange?: string;
}

type Shape = (count: number) => readonly Entry[];

const patch = (index: number): string => `op.v1.0.${index}`;
const minor = (index: number): string => `op.v1.${index}.0`;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const chainOf =
  (nameOf: (index: number) => string, more: (index: number) => object = () => ({})): Shape =>
  (count) =>
    numbers(count).map((index) => ({
      name: nameOf(index),
      ...(index > 0 && { replaces: nameOf(index - 1) }),
      ...more(index),
    }));

const shapes: readonly (readonly [what: string, shape: Shape])[] = [
  ['patch releases in a chain', chainOf(patch)],
  ['minor releases in a chain', chainOf(minor)],
  [
    'releases that nothing replaces',
    (count) => numbers(count).map((index) => ({ name: patch(index) })),
  ],
  [
    'a head that skips all others',
    (count) => [
      ...numbers(count).map((index) => ({ name: patch(index) })),
      { name: patch(count), skips: numbers(count).map(patch) },
    ],
  ],
  ['ranges up to each release', chainOf(patch, (index) => ({ skipRange: `<1.0.${index}` }))],
  ['one range in all releases', chainOf(patch, () => ({ skipRange: '>=1.0.0 <2.0.0' }))],
  [
    'a circle of replacements',
    (count) =>
      numbers(count).map((index) => ({ name: patch(index), replaces: patch((index + 1) % count) })),
  ],
  [
    'pairs of releases of many minor versions',
    (count) => numbers(count).map((index) => ({ name: `op.v1.${index >> 1}.${index & 1}` })),
  ],
];

let reads = 0;

/** A catalog of one channel that counts what is read of its entries. */
function counted(entries: readonly Entry[]): Catalog {
  const content = [
    { schema: 'olm.package', name: 'op', defaultChannel: 'stable' },
    { schema: 'olm.channel', package: 'op', name: 'stable', entries },
    ...entries.map(({ name }) => ({
      schema: 'olm.bundle',
      ...{ package: 'op', name, image: `example.com/op:${name}` },
      properties: [{ type: 'olm.package', value: { packageName: 'op', version: name.slice(4) } }],
    })),
  ];
  const { catalog } = loadCatalog([
    { path: 'op.json', content: content.map((each) => JSON.stringify(each)).join('\n') },
  ]);
  const channels = catalog.channels.map((channel) => ({
    ...channel,
    entries: channel.entries.map(
      (entry) =>
        new Proxy(entry, {
          get(target, key) {
            reads++;
            return Reflect.get(target, key) as unknown;
          },
        }),
    ),
  }));
  return { ...catalog, channels };
}

function readsOf(old: readonly Entry[], now: readonly Entry[]): number {
  const [before, after] = [counted(old), counted(now)];
  reads = 0;
  diffCatalogs(before, after);
  return reads;
}

describe('catalogs of strangers', function () {
  this.timeout(120_000);

  for (const [what, shape] of shapes) {
    it(`are compared in time that grows with their size: ${what}`, () => {
      const lasts: readonly ((count: number) => readonly Entry[])[] = [
        () => shape(1),
        shape,
        // Every second release goes, so that each entry has changed.
        (count) => shape(count).filter((_, index) => index % 2 === 0),
      ];
      for (const [index, last] of lasts.entries()) {
        const [few, many] = [100, 400].map((count) => readsOf(last(count), shape(count)));
        expect((many ?? 0) / (few ?? 1), `variant ${index}`).to.be.below(8);
      }
    });
  }

  for (const [what, shape] of shapes) {
    it(`are walked in time that grows with their size: ${what}`, () => {
      const [few, many] = [100, 400].map((count) => {
        const catalog = packageOf(counted(shape(count)), 'op', { name: 'op', priority: 0 });
        reads = 0;
        explainPaths({ packageName: 'op', catalogs: catalog ? [catalog] : [], from: '1.0.0' });
        return reads;
      });
      expect(few).to.be.above(100);
      expect((many ?? 0) / (few ?? 1)).to.be.below(8);
    });
  }

  it('are refused, and the package is named, where there are too many updates', () => {
    const old = counted(chainOf(patch)(2));
    const now = counted(chainOf(patch, () => ({ skipRange: '>=1.0.0 <2.0.0' }))(10_001));
    const crds = { crdsOf: () => undefined, judge: () => expect.fail('nothing to judge') };
    expect(() => diffCatalogs(old, now, crds)).to.throw(InvalidInputError, 'package op');
  });
});
