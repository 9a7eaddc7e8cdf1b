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

  it('is made of the shortest one, so that many cost one search and stay short', () => {
    const pattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
    const schema = object({ text: { type: 'string', pattern, maxLength: 253 } });
    const node = compileValidator(withSchema(schema), 'v1').schema.properties?.get('text');
    const budget = new Budget(1e9);
    const nodes = node === undefined ? [] : [node, node];
    const texts = Array.from({ length: 200 }, (_, salt) => sampleString(nodes, salt, budget) ?? '');
    expect(new Set(texts).size).to.equal(200);
    expect(Math.max(...texts.map(({ length }) => length))).to.be.at.most(36);
    expect(budget.spent).to.be.below(500);
  });
});
