import { expect } from 'chai';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { judgeDefinition } from './testing/judge-definition.js';
import { knownMinors } from './minors.js';

/** The minors that refuse the rule over a field of any content; of `isStored`, as one they have stored. */
function refusing(rule: string, isStored: boolean): string[] {
  const definition = exampleOfSpec({
    type: 'object',
    properties: {
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      list: { type: 'array', maxItems: 2, items: { 'x-kubernetes-int-or-string': true } },
      text: { type: 'string' },
      count: { type: 'integer' },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    'x-kubernetes-validations': [{ rule }],
  });
  const refusals = judgeDefinition(definition, isStored ? definition : undefined, knownMinors);
  return knownMinors.filter((minor) => refusals.some((each) => each.kubernetes.includes(minor)));
}

describe('what expressions may use by minor', () => {
  it('has the type of optionals under the name that the minor gives it', () => {
    expect(refusing('type(1) != optional_type', false)).to.deep.equal(['1.29', '1.30']);
    expect(refusing('type(1) != optional', false)).to.deep.equal(knownMinors.slice(2));
  });

  it('gives the second variable of a fold over what is dyn no type in 1.32', () => {
    const rule = 'dyn(self.list).all(k, v, v > 0)';
    expect(refusing(rule, true)).to.deep.equal(['1.29', '1.30', '1.31', '1.32']);
    const typed = 'self.list.all(k, v, k >= 0)';
    expect(refusing(typed, true)).to.deep.equal(['1.29', '1.30', '1.31']);
  });

  // The code of 1.37 answers so: it has cel-go 0.29, older minors up to 0.26.
  const older = knownMinors.filter((minor) => Number(minor.slice(2)) < 37);
  const since = knownMinors.filter((minor) => !older.includes(minor));
  const rows: [what: string, rule: string, refusedBy: readonly string[]][] = [
    ['a number is no duration any more', "duration(self.count) == duration('1s')", since],
    ['unless its type is not known', "duration(dyn(self.count)) == duration('1s')", []],
    ['fields may be quoted', 'self.`text` == "a" && self.map.`x y` == 1', older],
    ['which names nothing else', '`self` == self', knownMinors],
    ['a quoted field must be there', 'self.`texts` == "a"', knownMinors],
    [
      'what a fold binds hides types',
      "[1].all(google, type(timestamp('2020-01-01T00:00:00Z')) == google.protobuf.Timestamp)",
      since,
    ],
    ['but not its own fields', '[{"IP": 1}].all(net, net.IP == 1)', older.slice(2)],
    ['a leading dot passes it by', '[{"any": 1}].all(self, .self.text == "a")', older],
    ['but finds no type', '[1].all(int, type(1) == .int)', knownMinors],
    ['a pattern costs as it does elsewhere', 'matches(self.text, self.text)', since],
  ];
  for (const [what, rule, refusedBy] of rows) {
    it(`${what}: ${rule}`, () => {
      expect(refusing(rule, false)).to.deep.equal(refusedBy);
    });
  }

  it('has includes() where it is stored, since 1.37', () => {
    expect(refusing('self.list.includes(1)', true)).to.deep.equal(older);
    expect(refusing('self.list.includes(1)', false)).to.include.members(since.slice(0, 1));
  });
});
