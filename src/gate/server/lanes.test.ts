import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import { Lanes, Place } from './lanes.js';
import { parsedReviews } from './memory.js';
import { Scheduler, type TurnOptions } from './scheduler.js';

const mebibyte = 1024 * 1024;

const lanes = new Lanes({
  reviewers: [{ group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }],
  maxBodyBytes: 7 * mebibyte,
  concurrentReviews: () => 64,
});

function bodyOf(bytes: number, name = 'a.example.com', username = name): Buffer {
  const resource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
  const userInfo = { username };
  const request = { uid: 'u', resource, name, operation: 'UPDATE', userInfo };
  return Buffer.from(JSON.stringify({ kind: 'AdmissionReview', request }).padEnd(bytes));
}

function placeOf(bytes: number): Place {
  const place = new Place(lanes, 'api-server', '', bytes);
  place.done(bodyOf(bytes));
  place.give();
  return place;
}

/** Whether there is room for the body at once. */
function takes(place: Place, body: Buffer): boolean {
  const isTaken = place.take(body.length, body) === undefined;
  if (isTaken) place.done(body);
  return isTaken;
}

describe('lanes', () => {
  it('give each user a turn, however many definitions another one updates', async () => {
    const scheduler = new Scheduler(lanes.options);
    const begun: string[] = [];
    const run = (username: string, name: string): Promise<void> => {
      const place = new Place(lanes, 'api-server', '10.0.0.1', 1000);
      place.done(bodyOf(1000, name, username));
      place.give();
      const turn = { asker: place.asker, heapBytes: 1, hurryAt: 1e9, until: 1e9 };
      return scheduler.run(place.lane, turn, () => void begun.push(username));
    };
    const burst = Array.from({ length: 100 }, (_, index) => run('burst', `a${index}.example.com`));
    await Promise.all([...burst, run('other', 'b.example.com')]);
    expect(begun.slice(0, 2)).to.have.members(['burst', 'other']);
    expect(begun).to.have.length(101);
  });

  it('let a small definition begin while large ones hold all of their memory', async () => {
    const scheduler = new Scheduler(lanes.options);
    const begun: string[] = [];
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const run = (name: string, place: Place, heapBytes: number): Promise<void> => {
      const turn: TurnOptions = { asker: [name], heapBytes, hurryAt: 1e9, until: 1e9 };
      return scheduler.run(place.lane, turn, () => {
        begun.push(name);
        return isOver;
      });
    };
    const all = [
      run('large', placeOf(mebibyte), parsedReviews * mebibyte),
      run('another large', placeOf(mebibyte), mebibyte),
      run('small', placeOf(1000), mebibyte),
    ];
    for (let round = 0; round < 10; round++) await nextRound();
    expect(begun).to.have.members(['large', 'small']);
    end();
    await Promise.all(all);
    expect(begun.at(-1)).to.equal('another large');
  });

  it('let a small definition in while large ones hold all of their bytes, and what does not say its size', () => {
    const held: Place[] = [];
    const takesNext = (bytes: number, announced = bytes): boolean => {
      const place = new Place(lanes, 'api-server', '', announced);
      held.push(place);
      return takes(place, bodyOf(bytes, `a${held.length}.example.com`));
    };
    while (takesNext(mebibyte)) expect(held.length).to.be.lessThan(20);
    expect(held.length).to.be.greaterThan(2);
    expect(takesNext(1000)).to.equal(true);
    expect(takesNext(200 * 1024)).to.equal(true);
    expect(takesNext(mebibyte, Infinity)).to.equal(false);
    for (const place of held) place.give();
    expect(takesNext(mebibyte)).to.equal(true);
    held.at(-1)?.give();
  });
});
