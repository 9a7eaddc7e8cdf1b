import { expect } from 'chai';
import { EvaluationError, CelMistakes, NotEvaluable, Panic } from './index.js';
import { evaluate } from './testing/evaluate.js';

describe('a program', () => {
  const holds = [
    '1 in [1, 2] && !(3 in [1, 2])',
    "'a' in {'a': 1} && dyn(1u) in {1: 2}",
    '[7, 8, 9][dyn(0u)] == 7 && [7, 8, 9][dyn(1.0)] == 8',
    'dyn([1.0, 2.0]).sum() == 3.0',
    'true || 1 / 0 > 0',
    '1 / 0 > 0 || true',
    '[0, 1].exists(x, 1 / x > 0)',
    '![1, 0].all(x, 1 / x > 5)',
    '![0, 1, 1].exists_one(x, x == 1) && [0, 1].exists_one(x, x == 1)',
    '[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]',
    '9007199254740993 == dyn(9007199254740992.0)',
    'optional.ofNonZeroValue(timestamp("0001-01-01T00:00:00Z")) == optional.none()',
    "{?'a': optional.none(), 'b': 1}.size() == 1 && [?optional.of(1)] == [1]",
    'size([[1]].all(x, x.all(x, x == 1)) ? [1] : []) == 1',
    "string(double('NaN')) == 'NaN' && double('NaN') != double('NaN')",
    "{ip('1.2.3.4'): 1}.size() == 1 && ip('1.2.3.4') in {ip('1.2.3.4'): 1}",
    "b'\\303\\277' == b'ÿ'",
    'dyn({dyn(null): false}).all(key, key == null)',
  ];
  for (const text of holds) {
    it(text, () => {
      expect(evaluate(text)).to.equal(true);
    });
  }

  const failing: readonly (readonly [text: string, message: string])[] = [
    ['1 / 0', 'division by zero'],
    ['[0, 1].all(x, 1 / x > 0)', 'division by zero'],
    ['[1, 0].exists_one(x, 1 / x > 0)', 'division by zero'],
    ['[1, 0].exists_one(x, 1 % x > 0 || 1 / x > 1)', 'modulus by zero'],
    ['dyn(1).all(x, true)', "got 'types.Int', expected iterable type"],
    ['[1][2]', 'index out of bounds: 2'],
    ["{'a': 1}.b", 'no such key: b'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ["duration('9223372036854775807ns') + duration('1ns')", 'integer overflow'],
    ["timestamp('0001-01-01T00:00:00Z') - duration('1ns')", 'timestamp overflow'],
    ['optional.none().value()', 'optional.none() dereference'],
    ["optional.of('::1').optMap(x, ip(x)).value()", 'unsupported conversion to ref.Val: (netip.Addr)::1'],
    ["cidr('10.0.0.0/8').containsIP('x')", 'no such overload'],
    ["semver('1.2-a', true)", 'short version cannot contain PreRelease/Build meta data'],
  ]; // prettier-ignore
  for (const [text, message] of failing) {
    it(`${text} fails`, () => {
      expect(() => evaluate(text)).to.throw(EvaluationError, message);
    });
  }

  it('is none where a conversion of a literal or a name of a type cannot be', () => {
    expect(() => evaluate("int('a') == 1")).to.throw(CelMistakes, 'type conversion error');
    expect(() => evaluate('optional.of(type(1)).optMap(t, t == int)')).to.throw(
      CelMistakes,
      'reference to undefined type: t',
    );
  });

  it('breaks down where cel-go does, whatever stands beside it', () => {
    expect(() => evaluate("{'a': [1]}.b.sort() == [] || true")).to.throw(Panic, 'traits.Lister');
    expect(() => evaluate("{semver('1.2.3'): 1}.size() == 1")).to.throw(Panic, 'unhashable');
  });

  it('stops at its limit of steps', () => {
    const deep =
      'lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, true)))';
    expect(() => evaluate(deep, 10_000)).to.throw(NotEvaluable, 'more steps');
    expect(() => evaluate('lists.range(9223372036854775807).size() > 0')).to.throw(NotEvaluable);
  });
});
