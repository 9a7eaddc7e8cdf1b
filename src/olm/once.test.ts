import { expect } from 'chai';
import { oncePer } from './once.js';

describe('oncePer', () => {
  it('computes once for each object, also when the answer is undefined', () => {
    const asked: object[] = [];
    const answer = oncePer((key: object) => void asked.push(key));
    const [a, b] = [{}, {}];
    for (const key of [a, b, a, a]) answer(key);
    expect(asked).to.deep.equal([a, b]);
  });
});
