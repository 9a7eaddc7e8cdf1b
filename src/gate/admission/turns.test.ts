import { expect } from 'chai';
import type { RequesterPath } from './fair-queue.js';
import { Turns } from './turns.js';

/** Of who waits for as long as it takes. */
const staying = (): AbortSignal => new AbortController().signal;

describe('Turns', () => {
  /** Who had a turn, in order; each gives it back at once. */
  async function order(turns: Turns, askers: readonly RequesterPath[]): Promise<string[]> {
    const had: string[] = [];
    const ask = async (asker: RequesterPath): Promise<void> => {
      const giveBack = await turns.take(asker, staying());
      had.push(asker.join(' ') + (giveBack === undefined ? ' never' : ''));
      giveBack?.();
    };
    await Promise.all(askers.map(ask));
    return had;
  }

  it('come to each machine, and among its connections, however many one has', async () => {
    const turns = new Turns({ slots: 1, minMilliseconds: 0, patience: 60_000 });
    const flood = Array.from({ length: 100 }, (_, port) => ['a', `${port}`]);
    const had = await order(turns, [...flood, ['a', 'honest'], ['b', 'honest']]);
    expect(had.indexOf('b honest')).to.equal(1);
    expect(had.indexOf('a honest')).to.equal(101);
    expect(had).to.have.lengthOf(102);
  });

  it('are no more for a connection that asks for many', async () => {
    const turns = new Turns({ slots: 1, minMilliseconds: 0, patience: 60_000 });
    const pipelined = Array.from({ length: 100 }, () => ['a', '1']);
    const had = await order(turns, [...pipelined, ['a', 'honest']]);
    expect(had.indexOf('a honest')).to.equal(1);
  });

  it('are not all for one, though nobody else asks yet', async () => {
    const turns = new Turns({ slots: 5, minMilliseconds: 0, patience: 60_000 });
    const taken: string[] = [];
    const take = (name: string, port: number): void =>
      void turns.take([name, `${port}`], staying()).then(() => taken.push(name));
    for (let port = 0; port < 10; port++) take('a', port);
    await new Promise(setImmediate);
    expect(taken).to.deep.equal(['a', 'a', 'a']);
    take('b', 0);
    await new Promise(setImmediate);
    expect(taken).to.deep.equal(['a', 'a', 'a', 'b']);
  });

  it('are none for the newest of who has most waiting, where too many wait', async () => {
    const turns = new Turns({ slots: 1, minMilliseconds: 0, patience: 60_000, most: 3 });
    const flood = Array.from({ length: 10 }, (_, port) => ['a', `${port}`]);
    const had = await order(turns, [...flood, ['b', 'honest']]);
    expect(had.filter((each) => each.endsWith(' never'))).to.have.lengthOf(7);
    expect(had).to.include('b honest');
  });

  it('are none for who has waited long enough, or is gone', async () => {
    const turns = new Turns({ slots: 1, minMilliseconds: 0, patience: 20 });
    const giveBack = await turns.take(['a'], staying());
    expect(await turns.take(['b'], staying())).to.equal(undefined);
    const gone = new AbortController();
    const waiting = turns.take(['b'], gone.signal);
    gone.abort();
    expect(await waiting).to.equal(undefined);
    expect(await turns.take(['b'], gone.signal)).to.equal(undefined);
    giveBack?.();
    expect(await turns.take(['b'], staying())).to.be.a('function');
  });

  it('take their time, however soon they are given back', async () => {
    const turns = new Turns({ slots: 1, minMilliseconds: 100, patience: 60_000 });
    (await turns.take(['a'], staying()))?.();
    let isNext = false;
    const next = turns.take(['b'], staying()).then(() => (isNext = true));
    await new Promise(setImmediate);
    expect(isNext).to.equal(false);
    await next;
  });
});
