import { expect } from 'chai';
import { InvalidInputError, NumberText } from '../../text/documents/index.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
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
    ['has(properties[0].value.version)', true],
    ['has(properties[0].value.channel)', false],
    ['has(properties[1].value.version)', false],
    ['properties.exists(p, p.type == "list" && p.value[2] == "x")', true],
    ['[1, "a"].exists(x, x == "a")', true],
    ['properties.exists(p, p == {"type": "flag", "value": true})', true],
    ['properties.exists(p, p.type == "number" && p.value < 3.5 && p.value >= 3u)', true],
    ['semver_compare(["1.0.0"], "1.0.0") == 0', false],
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
      expect(() => compileCel(rule), rule).to.throw(ResolutionError);
    }
  });

  const mistakes: readonly [rule: string, text: string][] = [
    ['1', 'cel expressions must have type Bool'],
    ['cluster.version == "1"', "ERROR: <input>:1:1: undeclared reference to 'cluster' (in container '')\n | cluster.version == \"1\"\n | ^"],
    ['range(properties)', "ERROR: <input>:1:6: undeclared reference to 'range' (in container '')\n | range(properties)\n | .....^"],
    ['x &&\n\ty', "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x &&\n | ^\nERROR: <input>:2:2: undeclared reference to 'y' (in container '')\n |  y\n | .^"],
    ['1 == 1.0', "ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, double)'\n | 1 == 1.0\n | ..^"],
    ['true && 1', "ERROR: <input>:1:9: expected type 'bool' but found 'int'\n | true && 1\n | ........^"],
    ['properties.type == "x"', "ERROR: <input>:1:11: type 'list(map(string, any))' does not support field selection\n | properties.type == \"x\"\n | ..........^"],
    ['properties[0].value.all(v, true)', "ERROR: <input>:1:14: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)\n | properties[0].value.all(v, true)\n | .............^"],
    ['properties.exists(p, "x")', "ERROR: <input>:1:22: expected type 'bool' but found 'string'\n | properties.exists(p, \"x\")\n | .....................^"],
    ['properties.exists(p.x, true)', 'ERROR: <input>:1:20: argument must be a simple name\n | properties.exists(p.x, true)\n | ...................^'],
    ['has(properties)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(properties)\n | ....^'],
    ['properties.exists(p, true', "ERROR: <input>:1:26: Syntax error: missing ')' at '<EOF>'\n | properties.exists(p, true\n | .........................^"],
    ['(1 = 2)', "ERROR: <input>:1:4: Syntax error: token recognition error at: '= '\n | (1 = 2)\n | ...^\nERROR: <input>:1:6: Syntax error: extraneous input '2' expecting ')'\n | (1 = 2)\n | .....^"],
    ['true AND false', "ERROR: <input>:1:6: Syntax error: mismatched input 'AND' expecting <EOF>\n | true AND false\n | .....^"],
    ['true)', "ERROR: <input>:1:5: Syntax error: extraneous input ')' expecting <EOF>\n | true)\n | ....^"],
    ['[1, 2', "ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}\n | [1, 2\n | .....^"],
    ['a.', "ERROR: <input>:1:3: Syntax error: no viable alternative at input '.'\n | a.\n | ..^"],
    ['true ? 1', "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting ':'\n | true ? 1\n | ........^"],
    ['for', 'ERROR: <input>:1:1: reserved identifier: for\n | for\n | ^'],
  ]; // prettier-ignore
  for (const [rule, text] of mistakes) {
    it(`${JSON.stringify(rule)} is refused in cel-go's words`, () => {
      expect(() => compileCel(rule))
        .to.throw(ResolutionError)
        .with.property('message', text);
    });
  }

  it('names what is missing where an operand should be', () => {
    for (const [rule, place] of [
      ['1 ==', '1:5'],
      [')', '1:1'],
      ['f(1,)', '1:5'],
      ['', '1:0'],
    ]) {
      const words = `ERROR: <input>:${place}: Syntax error: mismatched input`;
      expect(() => compileCel(rule ?? ''), rule).to.throw(ResolutionError, words);
    }
  });

  it('says when it cannot judge a rule that OLM can read', () => {
    expect(() => compileCel('google.protobuf.Int32Value{value: 1} == 1')).to.throw(
      InvalidInputError,
      'cannot be judged',
    );
  });

  it('takes linear time for a pattern that backtracks elsewhere', () => {
    const text = 'a'.repeat(5000);
    const rule = compileCel('properties.exists(p, p.type.matches("^(a+)+$"))');
    expect(rule.holds([{ type: `${text}!`, value: null }])).to.equal(false);
  });

  it('stops a bomb after a million steps', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'true' : `properties.all(p${depth}, ${nested(depth - 1)})`;
    const many = Array.from({ length: 100 }, (): CelProperty => ({ type: 'x', value: 1 }));
    expect(compileCel(nested(2)).holds(many)).to.equal(true);
    expect(() => compileCel(nested(8)).holds(many)).to.throw(
      InvalidInputError,
      'more than 1000000 steps on a bundle with 100 properties',
    );
  });
});
