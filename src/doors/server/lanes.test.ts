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

function placeOf(bytes: number): Place {
  const resource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
  const request = { uid: 'u', resource, name: 'a.example.com', operation: 'UPDATE' };
  const text = JSON.stringify({ kind: 'AdmissionReview', request });
  const place = new Place(lanes, 'api-server', '');
  place.done(Buffer.from(text.padEnd(bytes)));
  place.give();
  return place;
}

describe('lanes', () => {
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
});
