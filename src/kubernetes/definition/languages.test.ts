import { expect } from 'chai';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { judgeDefinition, knownMinors } from './index.js';

/** The minors that refuse the rule over a field of any content; of `isStored`, as one they have stored. */
function refusing(rule: string, isStored: boolean): string[] {
  const definition = exampleOfSpec({
    type: 'object',
    properties: {
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      list: { type: 'array', maxItems: 2, items: { 'x-kubernetes-int-or-string': true } },
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
});
