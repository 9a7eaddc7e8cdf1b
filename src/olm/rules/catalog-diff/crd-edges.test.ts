import { expect } from 'chai';
import { loadCatalog } from '../../catalogs/load.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { BreakingUpdates, type CrdVerdict } from './crd-edges.js';

const names = Array.from({ length: 30 }, (_, index) => `op.v${index}.0.0`);
const { catalog } = loadCatalog([
  {
    path: 'c.json',
    content: [
      { schema: 'olm.package', name: 'op', defaultChannel: 'c' },
      { schema: 'olm.channel', package: 'op', name: 'c', entries: names.map((name) => ({ name })) },
      ...names.map((name) => ({ schema: 'olm.bundle', package: 'op', name, image: 'x/y:z' })),
    ]
      .map((each) => JSON.stringify(each))
      .join('\n'),
  },
]);

/** Bundles have definitions of five contents; what comes to the last of them breaks. */
const content = (bundle: string): number => names.indexOf(bundle) % 5;
const crdsOf = (bundle: string): JsonObject[] => [
  { metadata: { name: 'things.x.io' }, spec: content(bundle) },
];

describe('updates that break', () => {
  function updates(most?: number): { asked: () => number; updates: BreakingUpdates } {
    let asked = 0;
    const judge = (_: JsonObject, next: JsonObject): CrdVerdict => {
      asked++;
      const effect = own(next, 'spec') === 4 ? 'breaking' : 'safe';
      return { effect, reason: 'size is refused', refusals: [] };
    };
    return {
      asked: () => asked,
      updates: new BreakingUpdates(catalog, 'op', { crdsOf, judge }, most),
    };
  }

  it('are judged once for each pair of contents', () => {
    const { asked, updates: each } = updates();
    const reasons = names.flatMap((from) => names.map((to) => each.reason(from, to)));
    expect(asked()).to.equal(5 * 4);
    expect(reasons.filter((reason) => reason !== undefined)).to.have.lengthOf(24 * 6);
    expect(each.reason('op.v0.0.0', 'op.v4.0.0')).to.equal('things.x.io: size is refused');
    expect(each.unjudged).to.equal(0);
  });

  it('are judged within bounds, and those are counted that are not', () => {
    const { asked, updates: each } = updates(3);
    for (const from of names) for (const to of names) each.reason(from, to);
    expect(asked()).to.equal(3);
    expect(each.unjudged).to.be.above(0);
    expect(each.reason('op.v0.0.0', 'op.v5.0.0')).to.equal(undefined);
  });

  it('are unknown where nobody has the definitions', () => {
    const { updates: each } = updates();
    expect(each.reason('op.v0.0.0', 'nobody')).to.equal(undefined);
    expect(each.reason('nobody', 'op.v4.0.0')).to.equal(undefined);
  });
});
