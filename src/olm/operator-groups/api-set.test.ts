import { expect } from 'chai';
import { ApiSet } from './api-set.js';

const a = { kind: 'A', version: 'v1', group: 'example.com' };
const b = { kind: 'B', version: 'v1', group: 'example.com' };

describe('ApiSet', () => {
  const annotations: [rule: string, annotation: string, expected: string[]][] = [
    ['an empty annotation names no API', '', []],
    ['entries are split at commas and sorted', 'B.v1.g,A.v1.g', ['A.v1.g', 'B.v1.g']],
    ['fewer than two dots are ignored', 'A,A.v1,.,B.v1.g', ['B.v1.g']],
    ['a group keeps its dots', 'A.v1.a.b.c', ['A.v1.a.b.c']],
    ['empty parts are accepted', '..,A.v1.,.v1.g', ['..', '.v1.g', 'A.v1.']],
    ['blanks vanish even inside an entry', ' A . v1 . g ,B.v 1.g', ['A.v1.g', 'B.v1.g']],
    ['a newline and a tab stay', 'A.v1.g\n,A.v1.g\t', ['A.v1.g\t', 'A.v1.g\n']],
    ['case counts', 'a.v1.g,A.v1.g', ['A.v1.g', 'a.v1.g']],
    ['repetitions count once', 'A.v1.g,,A.v1.g,', ['A.v1.g']],
    ['order is by code point', '\u{1f600}.v1.g,\uff5e.v1.g', ['\uff5e.v1.g', '\u{1f600}.v1.g']],
  ];
  for (const [rule, annotation, expected] of annotations) {
    it(`parse: ${rule}`, () => expect(ApiSet.parse(annotation).texts()).to.deep.equal(expected));
  }

  it('distinguishes APIs with the same text', () => {
    const alike = new ApiSet([
      { kind: 'A.v1', version: 'x', group: 'g' },
      { kind: 'A', version: 'v1', group: 'x.g' },
    ]);
    expect(alike.annotation()).to.equal('A.v1.x.g,A.v1.x.g');
  });

  it('unites, intersects and subtracts', () => {
    const both = new ApiSet([a, b]);
    expect(new ApiSet([a]).union([b]).texts()).to.deep.equal(both.texts());
    expect(both.intersection(new ApiSet([b])).texts()).to.deep.equal(['B.v1.example.com']);
    expect(both.difference(new ApiSet([b])).annotation()).to.equal('A.v1.example.com');
    expect(both.difference(both).annotation()).to.equal('');
  });

  it('is a subset: the empty set always, a larger one never', () => {
    expect(new ApiSet().isSubsetOf(new ApiSet())).to.equal(true);
    expect(new ApiSet([a]).isSubsetOf(new ApiSet([a, b]))).to.equal(true);
    expect(new ApiSet([a, b]).isSubsetOf(new ApiSet([a]))).to.equal(false);
  });
});
