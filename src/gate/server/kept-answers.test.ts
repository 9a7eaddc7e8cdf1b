import { expect } from 'chai';
import { KeptAnswers } from './kept-answers.js';

describe('answers that are kept', () => {
  it('are found again by their key alone', () => {
    const kept = new KeptAnswers(1000);
    kept.keep('one', 'first');
    expect(kept.get('one')).to.equal('first');
    expect(kept.get('on')).to.equal(undefined);
  });

  it('make room for later ones, those first that nobody asked for', () => {
    const kept = new KeptAnswers(400);
    for (const key of ['a', 'b', 'c', 'd']) kept.keep(key, 'x'.repeat(20));
    kept.get('a');
    for (const key of ['e', 'f', 'g', 'h', 'i', 'j']) kept.keep(key, 'x'.repeat(20));
    const found = [...'abcdefghij'].filter((key) => kept.get(key) !== undefined);
    expect(found.join('')).to.equal('acdefghij');
  });

  it('hold no more than their share however many there are', () => {
    const kept = new KeptAnswers(10_000);
    for (let index = 0; index < 5_000; index++) kept.keep(`key ${index}`, 'x'.repeat(index % 700));
    let characters = 0;
    for (let index = 0; index < 5_000; index++) {
      const key = `key ${index}`;
      const answer = kept.get(key);
      if (answer !== undefined) characters += key.length + answer.length;
    }
    expect(2 * characters).to.be.within(1, 10_000);
  });

  it('do not go for one that is large', () => {
    const kept = new KeptAnswers(1000);
    kept.keep('small', 'first');
    kept.keep('large', 'x'.repeat(100));
    expect([kept.get('small'), kept.get('large')]).to.deep.equal(['first', undefined]);
  });
});
