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

  it('caches a thrown error too', () => {
    let asked = 0;
    const answer = oncePer(() => {
      throw new Error(`no ${++asked}`);
    });
    const key = {};
    for (let time = 0; time < 3; time++) expect(() => answer(key)).to.throw('no 1');
    expect(asked).to.equal(1);
  });
});
