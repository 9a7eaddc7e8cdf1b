import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import { Turns } from './turns.js';

/** Keeps the event loop busy for longer than any slice. */
function work(): void {
  const end = performance.now() + 25;
  while (performance.now() < end);
}

describe('turns on the event loop', () => {
  it('are taken in the order of the jobs, after what called for them', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const jobs = ['first', 'second', 'third'].map((name) =>
      turns.run('judge', () => done.push(name)),
    );
    expect(done).to.deep.equal([]);
    await Promise.all(jobs);
    expect(done).to.deep.equal(['first', 'second', 'third']);
  });

  it('let the loop go round between jobs that take long', async () => {
    const turns = new Turns();
    let isRunning = true;
    let rounds = 0;
    const count = (): void => {
      rounds++;
      if (isRunning) setImmediate(count);
    };
    setImmediate(count);
    const roundOf: number[] = [];
    const job = (): void => {
      roundOf.push(rounds);
      work();
    };
    await Promise.all([1, 2, 3].map(() => turns.run('judge', job)));
    isRunning = false;
    expect(new Set(roundOf).size).to.equal(3);
  });

  it('go to refusals as well while judgements wait', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const judging = [1, 2, 3].map((index) =>
      turns.run('judge', () => {
        work();
        done.push(`judged ${index}`);
      }),
    );
    await turns.run('refuse', () => done.push('refused'));
    expect(done).to.deep.equal(['judged 1', 'refused']);
    await Promise.all(judging);
  });

  it('come all the same while connections keep coming in', async () => {
    const turns = new Turns();
    await turns.run('judge', work);
    let isDone = false;
    const job = turns.run('judge', () => {
      isDone = true;
    });
    while (!isDone) {
      turns.accepted();
      await nextRound();
    }
    await job;
  });

  it('pass on what a job throws or rejects with, and go on', async () => {
    const turns = new Turns();
    const failures = await Promise.allSettled([
      turns.run('judge', () => {
        throw new Error('thrown');
      }),
      turns.run('judge', () => Promise.reject(new Error('rejected'))),
      turns.run('judge', () => 'fine'),
    ]);
    expect(
      failures.map((each) => (each.status === 'rejected' ? String(each.reason) : each.value)),
    ).to.deep.equal(['Error: thrown', 'Error: rejected', 'fine']);
  });
});
