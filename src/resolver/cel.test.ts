import { expect } from 'chai';
import { InvalidInputError, NumberText } from '../documents/index.js';
import { CelError } from './cel-error.js';
import { compileCel, type CelProperty } from './cel.js';

const properties: readonly CelProperty[] = [
  { type: 'olm.package', value: { packageName: 'b', version: '1.0.2' } },
  { type: 'number', value: 3 },
  { type: 'text', value: 'abc' },
  { type: 'flag', value: true },
  { type: 'nothing', value: null },
  { type: 'fraction', value: new NumberText('1.50') },
  { type: 'list', value: [1, 2, 'x'] },
];

describe('CEL rules', () => {
  const answers: readonly [rule: string, holds: boolean][] = [
    ['properties.exists(p, p.type == "certified")', false],
    ['properties.exists(p, p.type == "number" && p.value == 3)', true],
    ['properties.exists(p, p.type == "number" && p.value > 2)', true],
    ['properties.exists(p, p.type == "fraction" && p.value == 1.5)', true],
    ['properties.exists(p, p.type == "list" && "x" in p.value)', true],
    ['properties.exists(p, p.type == "nothing" && p.value == null)', true],
    ['properties.exists(p, p.type == "olm.package" && semver_compare(p.value.version, "v1.0") == 1)', true],
    ['semver_compare(1, "1.0.0") == 0', true],
    ['semver_compare("1.0.0+a", "1.0.0+b") == 0', true],
    ['properties.exists(p, p.type.matches("^olm\\\\."))', true],
    ['matches("aaa", "a*$")', true],
    ['properties.exists(p, p.type == ".matches(" || p.type == "flag")', true],
    ['properties.exists_one(p, p.type == "text")', true],
  ]; // prettier-ignore
  for (const [rule, holds] of answers) {
    it(rule, () => {
      expect(compileCel(rule).holds(properties)).to.equal(holds);
    });
  }

  it('is false when it fails while it runs', () => {
    for (const rule of [
      'properties.all(p, p.value.nosuchfield == 1)',
      'properties[99].type == "x"',
      'semver_compare("x", "1.0.0") == 0',
      'properties[1].value + 1 == 4',
      '"a".matches("(")',
    ]) {
      expect(compileCel(rule).holds(properties), rule).to.equal(false);
    }
  });

  it('is refused when OLM would not compile it', () => {
    for (const rule of [
      'properties',
      'properties[0].value',
      '1',
      '',
      'properties.exists(p, ',
      'cluster.version == "1"',
      '1 == 1.0',
      'semver_compare("1.0.0") == 0',
      '"a".lowerAscii() == "a"',
    ]) {
      expect(() => compileCel(rule), rule).to.throw(CelError);
    }
  });

  it('takes linear time for a pattern that backtracks elsewhere', () => {
    const text = 'a'.repeat(5000);
    const rule = compileCel('properties.exists(p, p.type.matches("^(a+)+$"))');
    expect(rule.holds([{ type: `${text}!`, value: null }])).to.equal(false);
  });

  it('refuses a bomb before it goes off', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'true' : `properties.all(p${depth}, ${nested(depth - 1)})`;
    const many = Array.from({ length: 100 }, (): CelProperty => ({ type: 'x', value: 1 }));
    expect(compileCel(nested(2)).holds(many)).to.equal(true);
    expect(() => compileCel(nested(8)).holds(many)).to.throw(
      InvalidInputError,
      'more than 5000000 steps on a bundle with 100 properties',
    );
  });
});
