import { expect } from 'chai';
import { nearest } from './nearest.js';

describe('the nearest name', () => {
  it('is found for a misspelled one', () => {
    expect(nearest('sise', ['name', 'size'])).to.equal('size');
    expect(nearest('other', ['name', 'size'])).to.equal(undefined);
  });

  it('is not looked for where the word is longer than any name', () => {
    expect(nearest('x'.repeat(300), [`${'x'.repeat(299)}y`])).to.equal(`${'x'.repeat(299)}y`);
    expect(nearest('x'.repeat(301), [`${'x'.repeat(300)}y`])).to.equal(undefined);
  });
});
