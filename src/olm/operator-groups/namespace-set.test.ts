import { expect } from 'chai';
import { NamespaceSet } from './surface.js';

describe('NamespaceSet', () => {
  const rows: [rule: string, left: string[], right: string[], intersection: string[]][] = [
    ['all ∩ S is S', [''], ['a', 'b'], ['a', 'b']],
    ['S ∩ all is S', ['a'], [''], ['a']],
    ['all ∩ {} is {}', [''], [], []],
    ['all ∩ all is all', [''], [''], ['']],
    ['"" beside others is not all', ['', 'x'], ['a'], []],
    ['"" beside others meets itself', ['', 'x'], ['', 'y'], ['']],
    ['disjoint', ['a'], ['b'], []],
    ['overlapping', ['a', 'b'], ['c', 'b'], ['b']],
  ];
  for (const [rule, left, right, intersection] of rows) {
    it(rule, () => {
      const set = new NamespaceSet(left);
      expect(set.intersection(new NamespaceSet(right)).names()).to.deep.equal(intersection);
    });
  }

  it('reads an empty annotation as all namespaces, a comma as one empty name', () => {
    expect(NamespaceSet.parse('').isAll).to.equal(true);
    expect(NamespaceSet.parse(',').isAll).to.equal(true);
    expect(NamespaceSet.parse('a,').isAll).to.equal(false);
    expect(NamespaceSet.parse('a,').contains('b')).to.equal(false);
    expect(NamespaceSet.parse('').contains('b')).to.equal(true);
  });
});
