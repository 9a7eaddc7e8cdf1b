import { expect } from 'chai';
import type { Catalog } from '../../olm/catalogs/catalog.js';
import { NumberText } from '../../text/documents/index.js';
import { catalogPieces, GatheredCatalog } from './catalog-pieces.js';

const place = { file: 'catalog.yaml', line: 1 };
const catalog: Catalog = {
  packages: Array.from({ length: 500 }, (_, n) => ({
    ...{ name: `p${n}`, defaultChannel: 'stable', description: '', place },
    properties: [{ type: 'example.com/weight', value: new NumberText('1.10') }],
  })),
  channels: [],
  bundles: [],
  deprecations: [{ package: 'p1', entries: [], place }],
  others: [],
};

describe('a catalog in pieces', () => {
  const pieces = [...catalogPieces(catalog)];

  it('is the same when it is put together, numbers with their text too', () => {
    const gathered = new GatheredCatalog();
    for (const piece of pieces) gathered.add(piece);
    expect(gathered.catalog).to.deep.equal(catalog);
  });

  it('is split into pieces of bounded size', () => {
    expect(pieces.filter(({ list }) => list === 'packages')).to.have.lengthOf(3);
  });
});
