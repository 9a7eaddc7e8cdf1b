import { expect } from 'chai';
import { readSchema } from '../../kubernetes/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { samplesBudget, textSamples } from './text-samples.js';

const samplesOf = (schema: JsonObject): string[] =>
  textSamples(readSchema({ type: 'string', ...schema }, '$'));

describe('strings that a policy tries on another pattern', () => {
  it('are taken by the old one, with its ends and its lengths', () => {
    const samples = samplesOf({ pattern: '^[a-z]+([.-][0-9]{1,3})?$', maxLength: 20 });
    expect(samples).to.include.members(['a', 'z']);
    expect(samples.some((text) => text.includes('9'))).to.equal(true);
    expect(samples.some((text) => text.length === 20)).to.equal(true);
    for (const text of samples) expect(text).to.match(/^[a-z]+([.-][0-9]{1,3})?$/);
  });

  it('are of every kind where nothing is asked of them, and of the length that is', () => {
    expect(samplesOf({})).to.include.members(['', 'a', ' ', '-1.5']);
    expect(samplesOf({ minLength: 2, maxLength: 2 })).to.deep.equal(['aa', '10']);
  });

  it('are those of an enum or a format, and none where none is known', () => {
    expect(samplesOf({ enum: ['one', 'two'] })).to.deep.equal(['one', 'two']);
    expect(samplesOf({ format: 'ipv4' })).to.deep.equal([]);
    expect(samplesOf({ enum: ['one'], pattern: '^o' })).to.deep.equal([]);
    expect(samplesOf({ pattern: '^a$', maxLength: 0 })).to.deep.equal([]);
  });

  it('takes no more steps for many patterns than for a few, and none for one that is long', () => {
    const budget = samplesBudget();
    const most = budget.left;
    const patternNode = (pattern: string) => readSchema({ type: 'string', pattern }, '$');
    for (let index = 0; index < 40; index++) {
      textSamples(patternNode(`^[ab]*a[ab]{${index}}${index}?$`), budget);
    }
    expect(budget.spent).to.be.at.most(most + 20_000);
    expect(textSamples(patternNode('a'.repeat(100_001)))).to.deep.equal([]);
  });
});
