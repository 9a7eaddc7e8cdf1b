import { expect } from 'chai';
import { ConnectionQueue } from './connection-queue.js';

/** A rate at which only what is given back lets more begin. */
const never = { burst: 2, perSecond: 1e-9 };

describe('connections that wait', () => {
  const begun: string[] = [];
  const queueOf = (closed: readonly string[] = []): ConnectionQueue<string> =>
    new ConnectionQueue(never, (connection) => {
      if (closed.includes(connection)) return false;
      begun.push(connection);
      return true;
    });
  const open: ConnectionQueue<string>[] = [];
  const start = (closed?: readonly string[]): ConnectionQueue<string> => {
    const queue = queueOf(closed);
    open.push(queue);
    return queue;
  };
  afterEach(() => {
    begun.length = 0;
    for (const queue of open.splice(0)) queue.close();
  });

  it('begin at once up to the burst, and then only for those that do not count any more', () => {
    const queue = start();
    for (const each of ['a1', 'a2', 'a3']) queue.push('a', each);
    expect(begun).to.deep.equal(['a1', 'a2']);
    queue.giveBack();
    expect(begun).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('take turns by address, and of one the newest is next', () => {
    const queue = start();
    for (let index = 1; index <= 5; index++) queue.push('a', `a${index}`);
    queue.push('b', 'b1');
    for (let index = 0; index < 4; index++) queue.giveBack();
    expect(begun).to.deep.equal(['a1', 'a2', 'a5', 'b1', 'a4', 'a3']);
  });

  it('make room by the oldest, of an address with too many before that of all', () => {
    const queue = start();
    for (const each of ['a1', 'a2', 'a3']) queue.push('a', each);
    for (const each of ['b1', 'b2', 'b3']) queue.push('b', each);
    const dropped = [2, 2, 2, 2, 2].map((most) => queue.dropOldest(most));
    expect(dropped).to.deep.equal(['b1', 'a3', 'b2', 'b3', undefined]);
  });

  it('do not count where they are closed already', () => {
    const queue = start(['a1', 'a2']);
    for (const each of ['a1', 'a2', 'a3', 'a4']) queue.push('a', each);
    expect(begun).to.deep.equal(['a3', 'a4']);
  });
});
