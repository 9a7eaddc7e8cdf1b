import { expect } from 'chai';
import { SharedAnswer } from './shared-answer.js';

describe('an answer that is shared', () => {
  it('is made one at a time, once for all who asked before it was begun', async () => {
    const making: ((text: string) => void)[] = [];
    const answer = new SharedAnswer('text/plain', () => new Promise((done) => making.push(done)));
    const first = Array.from({ length: 100 }, () => answer.bytes());
    await new Promise(setImmediate);
    const later = Array.from({ length: 100 }, () => answer.bytes());
    await new Promise(setImmediate);
    expect(making).to.have.lengthOf(1);
    making[0]?.('first');
    const bytes = new Set(await Promise.all(first));
    expect([...bytes].map(String)).to.deep.equal(['first']);
    while (making.length < 2) await new Promise(setImmediate);
    making[1]?.('second');
    expect([...new Set(await Promise.all(later))].map(String)).to.deep.equal(['second']);
    expect(making).to.have.lengthOf(2);
  });

  it('is made again after it could not be made', async () => {
    let made = 0;
    const answer = new SharedAnswer('text/plain', () => {
      if (made++ === 0) throw new Error('none');
      return 'one';
    });
    expect(await answer.bytes().catch(String)).to.equal('Error: none');
    expect(String(await answer.bytes())).to.equal('one');
  });
});
