import { expect } from 'chai';
import { FairQueue } from './fair-queue.js';

function filled(...entries: readonly (readonly [asker: string, item: string])[]) {
  const queue = new FairQueue<string>();
  for (const [asker, item] of entries) queue.push(asker.split('/'), item);
  return queue;
}

function drained(queue: FairQueue<string>): string {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items.join(' ');
}

describe('FairQueue', () => {
  it('gives everybody a turn, and each their oldest', () => {
    const queue = filled(['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b', 'b1'], ['c', 'c1']);
    expect(queue.size).to.equal(5);
    expect(drained(queue)).to.equal('a1 b1 c1 a2 a3');
    expect(queue.size).to.equal(0);
  });

  it('shares a turn of a user among what the user asks about', () => {
    const queue = filled(['a/x', 'ax1'], ['a/x', 'ax2'], ['a/y', 'ay1'], ['b/x', 'bx1']);
    expect(drained(queue)).to.equal('ax1 bx1 ay1 ax2');
  });

  it('gives no more turns to who comes back at once', () => {
    const queue = filled(['a', 'a1'], ['a', 'a2'], ['b', 'b1'], ['b', 'b2']);
    expect(queue.shift()).to.equal('a1');
    queue.finish(['a']);
    queue.push(['a'], 'a3');
    expect(drained(queue)).to.equal('b1 a2 b2 a3');
  });

  it('lets others go first while something is done for an asker', () => {
    const queue = filled(['a/x', 'a1']);
    expect(queue.shift()).to.equal('a1');
    queue.push(['a', 'y'], 'a2');
    queue.push(['b'], 'b1');
    queue.push(['c'], 'c1');
    expect(queue.shift()).to.equal('b1');
    queue.finish(['b']);
    queue.finish(['a', 'x']);
    expect(drained(queue)).to.equal('c1 a2');
  });

  it('says how many turns come before one', () => {
    const queue = filled(['a/x', 'ax1'], ['a/x', 'ax2'], ['a/x', 'ax3'], ['b/x', 'bx1']);
    expect(queue.ahead(['c'])).to.equal(2);
    expect(queue.ahead(['b', 'x'])).to.equal(3);
    expect(queue.ahead(['a', 'y'])).to.equal(3);
    expect(queue.ahead(['a', 'x'])).to.equal(4);
    expect(new FairQueue().ahead(['a'])).to.equal(0);
  });

  it('gives nobody more than is left for others', () => {
    const queue = filled(['a/x', 'ax1'], ['a/x', 'ax2'], ['a/y', 'ay1'], ['b/x', 'bx1']);
    expect([queue.shift(3), queue.shift(2), queue.shift(1)]).to.deep.equal([
      'ax1',
      'bx1',
      undefined,
    ]);
    queue.finish(['a', 'x']);
    expect([queue.shift(2), queue.shift(1)]).to.deep.equal(['ay1', undefined]);
    expect(queue.shift(2)).to.equal('ax2');
  });

  it('drops an entry that is withdrawn', () => {
    const queue = filled(['a/x', 'ax1'], ['a/y', 'ay1'], ['b', 'b1']);
    expect(queue.remove(['a', 'x'], 'ax1')).to.equal(true);
    expect(queue.remove(['a', 'x'], 'ax1')).to.equal(false);
    expect(queue.remove(['nobody'], 'b1')).to.equal(false);
    expect(queue.size).to.equal(2);
    expect(drained(queue)).to.equal('ay1 b1');
  });

  it('drops the newest of whoever has most', () => {
    const queue = filled(['a/x', 'ax1'], ['a/y', 'ay1'], ['a/y', 'ay2'], ['b', 'b1']);
    expect(queue.dropNewest()).to.equal('ay2');
    expect(queue.size).to.equal(3);
    expect(queue.dropNewest()).to.equal('ax1');
    expect(drained(queue)).to.equal('ay1 b1');
    expect(queue.dropNewest()).to.equal(undefined);
  });
});
