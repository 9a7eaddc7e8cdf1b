import { expect } from 'chai';
import { checkExpression, kubernetes, listOfType, mapOfType, objectType, types } from '../index.js';
import type { DeclaredSizes } from './call-costs.js';
import { estimatedCost } from './estimate.js';

const text = (characters: number): DeclaredSizes => ({ maxElements: 4n * BigInt(characters) });
const of = (maxElements: bigint, item: DeclaredSizes): DeclaredSizes => ({
  maxElements,
  item,
  key: { maxElements: 0n },
});
const fields = (entries: Record<string, DeclaredSizes>): DeclaredSizes => ({
  maxElements: 0n,
  fields: new Map(Object.entries(entries)),
});

const item = objectType(
  'item',
  new Map([
    ['k', types.string],
    ['v', types.string],
    ['m', mapOfType(types.string, types.string)],
  ]),
);
const self = objectType(
  'self',
  new Map([
    ['l', listOfType(item)],
    ['c', types.string],
    ['d', types.string],
    ['t', listOfType(types.string)],
  ]),
);
const sizes = fields({
  l: of(7n, fields({ k: text(5), v: text(100), m: of(9n, text(11)) })),
  c: text(3),
  d: text(30),
  t: of(4n, text(10)),
});

const unbounded = 2n ** 64n - 1n;

/** Answers of k8s.io/apiextensions-apiserver v0.35.4. */
const rows: readonly (readonly [rule: string, cost: bigint])[] = [
  ['true', 0n],
  ['has(self.c)', 1n],
  ['self.c == self.d', 6n],
  ['self.c < self.d && self.c.startsWith(self.d)', 22n],
  ['self.l.all(x, x.k == x.v)', 66n],
  // The map is looked for under the name of its key, so nothing is known of its values.
  ['self.l.all(x, x.m[x.k] == x.v)', 353n],
  ['self.l.all(x, self.l.all(y, x.m[y.k] == y.m[x.k]))', 927n],
  ['self.l.map(x, x.k).exists(k, k == self.c)', 161n],
  ['self.t.join(self.c) == self.d', 38n],
  ["self.c.replace('', self.d) == self.c", 11n],
  ["self.d.split(',').all(s, s.matches('^[a-z]+$'))", 747n],
  ["self.c.split('', 3).all(s, s.contains('a'))", 18n],
  ['self.t.sort() == self.t', 50n],
  ['self.t.distinct().size() == 4', 47n],
  ['self.t.isSorted() ? self.c.size() > 1 : self.t[0] == self.c', 29n],
  ['lists.range(5).all(i, i < 3)', 42n],
  ['[1, 2].exists(i, i in [3])', 43n],
  ['sets.contains(self.t, self.t)', 21n],
  ['optional.of(self.c).optMap(c, c + self.d).hasValue()', 1844674407370955287n],
  ["quantity(self.c).isLessThan(quantity('1'))", 6n],
  ["ip(self.c) == ip('::1') && url(self.d) == url('/a')", 22n],
  ["cidr(self.c).containsIP('10.0.0.1')", 9n],
  ['!format.dns1123Label().validate(self.c).hasValue()', 69n],
  ["'%s'.format([self.c]) == self.c", 17n],
  ['dyn(self.t).exists(t, t == self.c)', 32n],
];

describe('estimatedCost', () => {
  for (const [rule, cost] of rows) {
    it(rule, () => {
      const checked = checkExpression(rule, new Map([['self', self]]), kubernetes);
      expect(estimatedCost(checked, sizes)).to.equal(cost);
    });
  }

  it('stops at the largest number that the API server has', () => {
    const checked = checkExpression(
      'self.all(x, self.all(y, self.all(z, x == y && y == z)))',
      new Map([['self', listOfType(types.string)]]),
      kubernetes,
    );
    expect(estimatedCost(checked, of(2n ** 40n, text(1)))).to.equal(unbounded);
  });

  it('knows no bound for what nothing is declared of', () => {
    const checked = checkExpression(
      'self.all(x, true)',
      new Map([['self', listOfType(types.int)]]),
      kubernetes,
    );
    expect(estimatedCost(checked, undefined)).to.equal(unbounded);
  });
});
