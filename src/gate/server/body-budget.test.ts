import { expect } from 'chai';
import { BodyBudget, type Reservation } from './lanes.js';

/** Whether the holder got its bytes, now or by what happened since. */
function taking(holder: Reservation, bytes: number): { readonly got: () => Promise<boolean> } {
  let got = false;
  const wait = holder.take(bytes);
  if (wait === undefined) got = true;
  else void wait.then(() => (got = true));
  return { got: () => Promise.resolve().then(() => got) };
}

describe('room for bodies', () => {
  it('is given at once while there is some, and then to who waits when somebody gives his back', async () => {
    const room = new BodyBudget(100, 0);
    const [a, b, c] = [room.hold('a'), room.hold('b'), room.hold('c')];
    expect(await taking(a, 60).got()).to.equal(true);
    expect(await taking(b, 20).got()).to.equal(true);
    const waits = taking(c, 30);
    expect(await waits.got()).to.equal(false);
    b.give();
    expect(await waits.got()).to.equal(false);
    a.give();
    expect(await waits.got()).to.equal(true);
  });

  it('is never more than half for one owner, a third for each of two', async () => {
    const room = new BodyBudget(120, 0);
    room.hold('somebody who came first');
    const greedy = Array.from({ length: 20 }, () => room.hold('a'));
    const got = (holders: Reservation[]) =>
      Promise.all(holders.map((each) => taking(each, 10).got()));
    expect((await got(greedy)).filter(Boolean)).to.have.length(6);
    const second = Array.from({ length: 20 }, () => room.hold('b'));
    expect((await got(second)).filter(Boolean)).to.have.length(3);
    expect(await taking(room.hold('c'), 10).got()).to.equal(true);
  });

  it('has a reserve for the one that came first, so that all never wait for each other', async () => {
    const room = new BodyBudget(100, 40);
    const [a, b] = [room.hold('a'), room.hold('b')];
    expect(await taking(a, 30).got()).to.equal(true);
    expect(await taking(b, 15).got()).to.equal(true);
    const more = taking(b, 20);
    expect(await more.got()).to.equal(false);
    expect(await taking(a, 40).got()).to.equal(true);
    // What is whole still holds its bytes; the next in line is first now.
    a.done();
    expect(await more.got()).to.equal(false);
    a.give();
    expect(await more.got()).to.equal(true);
  });

  it('has its reserve for one owner after the other, however many bodies each has', async () => {
    const room = new BodyBudget(100, 90);
    const greedy = Array.from({ length: 5 }, () => room.hold('a'));
    const waits = greedy.map((each) => taking(each, 80));
    const other = room.hold('b');
    const honest = taking(other, 80);
    const got = (): Promise<boolean[]> =>
      Promise.all([...waits.slice(0, 3), honest].map((each) => each.got()));
    expect(await got()).to.deep.equal([true, false, false, false]);
    greedy[0]?.give();
    expect(await got()).to.deep.equal([true, false, false, true]);
    other.give();
    expect(await got()).to.deep.equal([true, true, false, true]);
    const again = taking(room.hold('b'), 80);
    greedy[1]?.give();
    expect([await again.got(), ...(await got())]).to.deep.equal([true, true, true, false, true]);
  });

  it('is not taken by who has gone', async () => {
    const room = new BodyBudget(10, 0);
    const [a, b, c] = [room.hold('a'), room.hold('b'), room.hold('c')];
    expect(await taking(a, 10).got()).to.equal(true);
    const gone = taking(b, 10);
    b.give();
    const waits = taking(c, 5);
    a.give();
    expect([await gone.got(), await waits.got()]).to.deep.equal([false, true]);
  });
});
