import { expect } from 'chai';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import { Budget } from '../budget.js';
import { sampleString } from './scalars.js';

describe('a sample of a string', () => {
  it('is paid for by its length', () => {
    const spent = (minLength: number): number => {
      const schema = object({ text: { type: 'string', minLength } });
      const node = compileValidator(withSchema(schema), 'v1').schema.properties?.get('text');
      const budget = new Budget(1e9);
      expect(sampleString(node === undefined ? [] : [node], 0, budget)).to.have.length(minLength);
      return budget.spent;
    };
    expect(spent(64_000) - spent(6400)).to.equal(900);
  });
});
