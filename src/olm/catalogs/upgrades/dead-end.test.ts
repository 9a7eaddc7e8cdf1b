import { expect } from 'chai';
import { entryOf } from '../testing/entry.js';
import { explainPaths, type PathQuestion } from './explain-paths.js';
import type { ChannelEntry } from '../catalog.js';
import type { PackageInCatalog } from './upgrade-path.js';

const packageWith = (
  entries: readonly ChannelEntry[],
  deprecated: string[] = [],
): PackageInCatalog => ({
  catalog: 'cat',
  priority: 0,
  channels: [{ name: 'stable', entries }],
  bundles: entries.map(({ name }) => ({
    name,
    properties: [
      { type: 'olm.package', value: { packageName: 'op', version: name.replace('op.v', '') } },
    ],
  })),
  deprecatedBundles: new Set(deprecated),
});
const chain = [
  entryOf({ name: 'op.v3.0.0', replaces: 'op.v2.0.0' }),
  entryOf({ name: 'op.v2.0.0' }),
];

describe('dead ends', () => {
  const rows: [
    rule: string,
    catalog: PackageInCatalog,
    question: Partial<PathQuestion>,
    expected: (RegExp | undefined)[],
  ][] = [
    ['the head is the end', packageWith(chain), { from: '3.0.0' }, [undefined, undefined]],
    ['a path that gets there', packageWith(chain), { from: '2.0.0' }, [undefined, undefined]],
    ['nothing installed', packageWith(chain), {}, [undefined, undefined]],
    [
      'no edge leads away',
      packageWith(chain),
      { from: '1.0.0' },
      [/^op\.v1\.0\.0 is a dead end: .*head is op\.v3\.0\.0/, undefined],
    ],
    [
      'a newer bundle that OLM v1 cannot reach, though it can stay',
      packageWith([entryOf({ name: 'op.v3.0.0' }), entryOf({ name: 'op.v2.0.0' })]),
      { from: '2.0.0' },
      [undefined, /^op\.v2\.0\.0 is a dead end: op\.v3\.0\.0 is newer/],
    ],
    [
      'a range that ends there',
      packageWith(chain),
      { from: '2.0.0', range: '<3' },
      [undefined, undefined],
    ],
  ];
  for (const [rule, catalog, question, expected] of rows) {
    it(rule, () => {
      const { paths } = explainPaths({
        packageName: 'op',
        catalogs: [catalog],
        defaultChannel: 'stable',
        ...question,
      });
      for (const [index, text] of expected.entries()) {
        const deadEnd = paths[index]?.deadEnd;
        if (text === undefined) expect(deadEnd).to.equal(undefined);
        else expect(deadEnd).to.match(text);
      }
    });
  }
});
