import { UnfinishedError } from '../admission/reviewer.js';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import {
  Scheduler,
  type Heap,
  type LaneOptions,
  type Turn,
  type TurnOptions,
} from './scheduler.js';

const clock = performance.now.bind(performance);
let worked = 0;

/** Takes longer than any slice, by the clock that is read here. */
function work(): void {
  worked += 25;
}

function useWorkingClock(): void {
  before(() => {
    performance.now = () => clock() + worked;
  });
  after(() => {
    performance.now = clock;
  });
}

/** A job that goes on until it is told to end. */
function holding() {
  const turns: Turn[] = [];
  const ends: (() => void)[] = [];
  return {
    job: (turn: Turn) =>
      new Promise<void>((resolve) => {
        turns.push(turn);
        ends.push(resolve);
      }),
    turns,
    end: (count = ends.length) => ends.splice(0, count).forEach((each) => each()),
  };
}

const plain: TurnOptions = { asker: ['a'], heapBytes: 1, hurryAt: 1e9, until: 1e9 };

function lane(options: Partial<LaneOptions> = {}): LaneOptions {
  return { share: 1, slots: () => 100, heap: { limit: 100, held: 0 }, ...options };
}

async function rounds(count = 10): Promise<void> {
  for (let round = 0; round < count; round++) await nextRound();
}

describe('the scheduler on the event loop', () => {
  useWorkingClock();

  it('are taken in the order of the jobs, after what called for them', async () => {
    const scheduler = new Scheduler({ one: lane() });
    const done: string[] = [];
    const jobs = ['first', 'second', 'third'].map((name) =>
      scheduler.run('one', plain, () => done.push(name)),
    );
    expect(done).to.deep.equal([]);
    await Promise.all(jobs);
    expect(done).to.deep.equal(['first', 'second', 'third']);
  });

  it('let the loop go round between jobs that take long', async () => {
    const scheduler = new Scheduler({ one: lane() });
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
    await Promise.all([1, 2, 3].map(() => scheduler.run('one', plain, job)));
    isRunning = false;
    expect(new Set(roundOf).size).to.equal(3);
  });

  it('go to refusals as well while judgements wait', async () => {
    const scheduler = new Scheduler({ one: lane() });
    const done: string[] = [];
    const judging = [1, 2, 3].map((index) =>
      scheduler.run('one', plain, () => {
        work();
        done.push(`judged ${index}`);
      }),
    );
    await new Promise<void>((resolve) =>
      scheduler.refuse(() => {
        done.push('refused');
        resolve();
      }),
    );
    expect(done).to.deep.equal(['judged 1', 'refused']);
    await Promise.all(judging);
  });

  it('come all the same while connections keep coming in', async () => {
    const scheduler = new Scheduler({ one: lane() });
    await scheduler.run('one', plain, work);
    let isDone = false;
    const job = scheduler.run('one', plain, () => {
      isDone = true;
    });
    while (!isDone) {
      scheduler.accepted();
      await nextRound();
    }
    await job;
  });

  it('pass on what a job throws or rejects with, and go on', async () => {
    const scheduler = new Scheduler({ one: lane({ slots: () => 1 }) });
    const failures = await Promise.allSettled([
      scheduler.run('one', plain, () => {
        throw new Error('thrown');
      }),
      scheduler.run('one', plain, () => Promise.reject(new Error('rejected'))),
      scheduler.run('one', plain, () => 'fine'),
    ]);
    expect(
      failures.map((each) => (each.status === 'rejected' ? String(each.reason) : each.value)),
    ).to.deep.equal(['Error: thrown', 'Error: rejected', 'fine']);
  });
});

describe('lanes', () => {
  useWorkingClock();

  it('get the time that is theirs, whatever waits in others', async () => {
    const scheduler = new Scheduler({ wide: lane({ share: 3 }), narrow: lane() });
    const done: string[] = [];
    const ask = (name: 'wide' | 'narrow', count: number) =>
      Array.from({ length: count }, () =>
        scheduler.run(name, plain, () => {
          work();
          done.push(name);
        }),
      );
    await Promise.all([...ask('narrow', 30), ...ask('wide', 9)]);
    // Three of four turns, but for the one that came first and the clock's little faults.
    expect(done.slice(0, 12).filter((name) => name === 'wide').length).to.be.within(7, 9);
  });

  it('have slots of their own: what does not end in one keeps nobody else waiting', async () => {
    const scheduler = new Scheduler({ one: lane({ slots: () => 2 }), other: lane() });
    const { job, turns: begun, end } = holding();
    for (let index = 0; index < 5; index++) void scheduler.run('one', plain, job);
    await rounds();
    // One asker takes no more slots than are left for others.
    expect(begun).to.have.length(1);
    void scheduler.run('one', { ...plain, asker: ['b'] }, job);
    await scheduler.run('other', plain, () => undefined);
    expect(begun).to.have.length(2);
    end();
    await rounds();
    expect(begun).to.have.length(3);
  });

  it('begin in a hurry what finds no slot in time, beside the slots', async () => {
    const scheduler = new Scheduler({ one: lane({ slots: () => 1 }) });
    const { job, turns: begun } = holding();
    void scheduler.run('one', plain, job);
    await rounds();
    const hurryAt = performance.now() + 20;
    const isHurried = await scheduler.run('one', { ...plain, hurryAt }, (turn) => turn.isHurried);
    expect(isHurried).to.equal(true);
    expect(begun.map((turn) => turn.isHurried)).to.deep.equal([false]);
  });

  it('let go of what gets no turn in time, and of nothing that has begun', async () => {
    const heap: Heap = { limit: 1, held: 0 };
    const scheduler = new Scheduler({ one: lane({ slots: () => 1, heap }) });
    const { job, end } = holding();
    const soon = (): Partial<TurnOptions> => ({
      hurryAt: performance.now() + 10,
      until: performance.now() + 20,
    });
    const first = scheduler.run('one', { ...plain, ...soon() }, job);
    await rounds();
    // Not even in a hurry: the first one has all the memory.
    const second = scheduler.run('one', { ...plain, ...soon() }, () => 'never');
    expect(await second.catch((error: unknown) => error)).to.be.instanceOf(UnfinishedError);
    end();
    await first;
    expect(await scheduler.run('one', plain, () => 'next')).to.equal('next');
  });

  it('refuse at once what would wait too long, and nobody for what others ask', async () => {
    const scheduler = new Scheduler({ one: lane() });
    const ask = (asker: string[], milliseconds: number): Promise<unknown> => {
      const until = performance.now() + milliseconds;
      return scheduler.run('one', { ...plain, asker, hurryAt: until, until }, work).then(
        () => 'done',
        (error: unknown) => error,
      );
    };
    const many = (count: number, milliseconds: number) =>
      Array.from({ length: count }, () => ask(['a'], milliseconds));
    // So much for how long one takes.
    await Promise.all(many(40, 60_000));
    const waiting = many(40, 60_000);
    const hopeless = ask(['a'], 200);
    const other = ask(['b'], 60_000).then(() => 'other');
    expect(await hopeless).to.be.instanceOf(UnfinishedError);
    const last = Promise.all(waiting).then(() => 'waiting');
    expect(await Promise.race([other, last])).to.equal('other');
    await last;
  });

  it('share memory: the largest waits for the others, and others then wait for it', async () => {
    const heap: Heap = { limit: 10, held: 0 };
    const own: Heap = { limit: 10, held: 0 };
    const scheduler = new Scheduler({
      a: lane({ heap }),
      b: lane({ heap }),
      apart: lane({ heap: own }),
    });
    const { job, turns: begun, end } = holding();
    const of = (heapBytes: number): TurnOptions => ({ ...plain, heapBytes });
    void scheduler.run('a', of(6), job);
    await rounds();
    void scheduler.run('a', of(50), job);
    await rounds();
    void scheduler.run('b', of(1), job);
    await scheduler.run('apart', of(10), () => undefined);
    await rounds();
    expect([begun.length, heap.held]).to.deep.equal([1, 6]);
    end();
    await rounds();
    expect([begun.length, heap.held]).to.deep.equal([2, 50]);
    begun[1]?.settle(3);
    await rounds();
    expect([begun.length, heap.held]).to.deep.equal([3, 4]);
    end();
    await rounds();
    expect(heap.held).to.equal(0);
  });
});
