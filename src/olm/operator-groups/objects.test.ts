import { expect } from 'chai';
import { type ClusterServiceVersion, isCopied, providedApis, settled } from './objects.js';
import { aCsv, makeGroup } from './testing/objects.js';

describe('objects', () => {
  const copies: [rule: string, csv: ClusterServiceVersion, copied: boolean][] = [
    ['an ordinary one', aCsv(), false],
    [
      'its own namespace in the annotation',
      aCsv({ annotations: new Map([['olm.operatorNamespace', 'ns']]) }),
      false,
    ],
    [
      'another namespace in the annotation',
      aCsv({ annotations: new Map([['olm.operatorNamespace', 'b']]) }),
      true,
    ],
    ['the label, whatever its value', aCsv({ labels: new Map([['olm.copiedFrom', '']]) }), true],
    ['the reason', aCsv({ reason: 'Copied' }), true],
  ];
  for (const [rule, csv, copied] of copies) {
    it(`copied: ${rule}`, () => expect(isCopied(csv)).to.equal(copied));
  }

  it('takes the group of an owned CustomResourceDefinition from its name', () => {
    const csv = aCsv({
      ownedCrds: [{ name: 'cats.pets.example.com', version: 'v1', kind: 'Cat' }],
      ownedApiServices: [{ name: 'dogs', group: 'zoo', version: 'v2', kind: 'Dog' }],
    });
    const provided = providedApis(csv);
    expect(provided.error === null && provided.apis.texts()).to.deep.equal([
      'Cat.v1.pets.example.com',
      'Dog.v2.zoo',
    ]);
  });

  it('cannot read a name without a dot', () => {
    const csv = aCsv({ ownedCrds: [{ name: 'cats', version: 'v1', kind: 'Cat' }] });
    expect(providedApis(csv).error).to.equal('error parsing crd name: cats');
  });

  it('settles a group by its spec and keeps one that OLM cannot settle', () => {
    expect(settled(makeGroup({ statusNamespaces: [] }), []).statusNamespaces).to.deep.equal(['x']);
    const bad = makeGroup({ targetNamespaces: [''], statusNamespaces: ['old'] });
    expect(settled(bad, []).statusNamespaces).to.deep.equal(['old']);
  });
});
