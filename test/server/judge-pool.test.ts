import { expect } from 'chai';
import { UnfinishedError } from '../../src/gate/admission/reviewer.js';
import { shareJson } from '../../src/text/documents/json.js';
import { JudgePool, type JobRequest } from '../../src/gate/server/judge-pool.js';

const worker = new URL('../../dist/judge-worker.js', import.meta.url);
const input = (a: string, b: string): string => JSON.stringify({ a, b });
const parse = (text: string): { output?: Record<string, unknown>; error?: { code?: string } } =>
  JSON.parse(text) as { output?: Record<string, unknown>; error?: { code?: string } };

describe('JudgePool', () => {
  const pools: JudgePool[] = [];
  const open = (options: ConstructorParameters<typeof JudgePool>[0]): JudgePool => {
    const pool = new JudgePool({ ...options, worker });
    pools.push(pool);
    return pool;
  };
  after(() => Promise.all(pools.map((pool) => pool.close())));

  it('says who takes all the memory of a thread, and goes on in another', async () => {
    const greedy = new URL('./greedy-worker.mjs', import.meta.url);
    for (const hasQuickThread of [false, true]) {
      const pool = new JudgePool({ workers: 1, megabytes: 48, hasQuickThread, worker: greedy });
      pools.push(pool);
      const ask = (question: object) => pool.judge('any', JSON.stringify(question));
      const failure = await ask({ name: 'a', isGreedy: true }).catch((error: unknown) => error);
      expect(failure).to.have.property('isTooLarge', true);
      expect(await ask({ name: 'b' })).to.equal('{"name":"b"}');
    }
  });

  it('answers as the operation does, bad input too', async () => {
    const pool = open({ workers: 1 });
    const [lower, bad, unknown] = await Promise.all([
      pool.judge('version', input('1.0.0', '2.0.0')),
      pool.judge('version', input('1.0.0', 'x')),
      pool.judge('nothing', '{}'),
    ]);
    expect(parse(lower).output?.['compare']).to.equal(-1);
    expect(parse(bad).error?.code).to.equal('E_VERSION');
    expect(parse(unknown).error?.code).to.equal('E_OPERATION');
  });

  it('reads definitions once and pages unseen, giving the bytes away', async () => {
    const pool = open({ workers: 1 });
    const definition = (minimum: number): object => ({
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: { type: 'object', properties: { size: { type: 'integer', minimum } } },
                },
              },
            },
          },
        ],
      },
    });
    const shared = { old: shareJson(definition(0)), new: shareJson(definition(5)) };
    const page = async (sizes: readonly number[]) => {
      const items = sizes.map((size) => ({
        ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } },
        spec: { size },
      }));
      const metadata = { continue: 'there', remainingItemCount: 7 };
      // A buffer of its own, as answers of an API server have.
      const list = Buffer.concat([Buffer.from(JSON.stringify({ metadata, items }).padEnd(8192))]);
      const answer = parse(
        await pool.judge('crd-stored-objects', '{}', { shared, unread: { list } }),
      );
      return { output: answer.output, left: list.buffer.byteLength };
    };
    const told = { next: 'there', remaining: 7 };
    const first = await page([1, 5]);
    expect(first.output).to.include({ ...told, checked: 2, refused: 1 });
    expect(first.left).to.equal(0);
    expect((await page([6])).output).to.include({ ...told, checked: 1, refused: 0 });
  });

  it('refuses work once it is closed', async () => {
    const pool = open({ workers: 1 });
    const waiting = pool.judge('version', input('1.0.0', '4.0.0')).catch((error: unknown) => error);
    await pool.close();
    expect(await waiting).to.be.instanceOf(UnfinishedError);
    expect(await pool.judge('version', '{}').catch((error: unknown) => error)).to.be.instanceOf(
      UnfinishedError,
    );
  });
});

describe('JudgePool, when more is asked than it can do at once', () => {
  const long = 600_000;
  /** So large that it is not tried in the quick thread. */
  const large = 'x'.repeat(100_000);

  interface Busy {
    readonly milliseconds?: number;
    /** Whether it stops when it is asked to. */
    readonly obeys?: boolean;
    /** Milliseconds until it does. */
    readonly stopsAfter?: number;
    readonly padding?: string;
  }

  /** A pool of busy threads, and what became of each question in the order in which it was settled. */
  class BusyPool {
    readonly settled: string[] = [];
    threads = 0;
    readonly pool: JudgePool;

    constructor(options: ConstructorParameters<typeof JudgePool>[0]) {
      this.pool = new JudgePool({
        ...{ workers: 1, worker: new URL('./busy-worker.mjs', import.meta.url) },
        ...options,
        onThread: () => this.threads++,
      });
    }

    async ask(name: string, busy: Busy = {}, asking: JobRequest = {}): Promise<void> {
      const text = JSON.stringify({ name, ...busy });
      const asker = [name.slice(0, 1)];
      const outcome = await this.pool.judge('busy', text, {}, { asker, ...asking }).then(
        (answer) =>
          (JSON.parse(answer) as { isCutShort: boolean }).isCutShort ? ' cut short' : '',
        (error: unknown) =>
          error instanceof UnfinishedError && error.notBegun !== undefined
            ? ' not begun'
            : ' given up',
      );
      this.settled.push(name + outcome);
    }
  }

  const open: BusyPool[] = [];
  const start = (options: ConstructorParameters<typeof JudgePool>[0] = {}): BusyPool => {
    const busy = new BusyPool(options);
    open.push(busy);
    return busy;
  };
  afterEach(() => Promise.all(open.splice(0).map(({ pool }) => pool.close())));

  it('gives everybody a turn', async () => {
    const busy = start();
    const asked = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => busy.ask(name, { milliseconds: 5 }));
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('drops the newest of whoever has most waiting when its queue is full', async () => {
    const busy = start({ queue: 2 });
    const asked = ['a1', 'a2', 'a3', 'b1'].map((name) => busy.ask(name, { milliseconds: 5 }));
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a3 not begun', 'a1', 'b1', 'a2']);
  });

  it('does not begin what nobody waits for any more', async () => {
    const busy = start();
    const gone = new AbortController();
    const asked = [
      busy.ask('a1', { milliseconds: 50 }),
      busy.ask('b1', { milliseconds: long, obeys: false }, { signal: gone.signal }),
      busy.ask('c1'),
    ];
    gone.abort();
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['b1 not begun', 'a1', 'c1']);
    expect(busy.threads).to.equal(1);
  });

  it('refuses at once what would begin too late, and not who has asked less', async () => {
    const busy = start();
    await busy.ask('a0', { milliseconds: 400 });
    const until = performance.now() + 60_000;
    const burst = Array.from({ length: 600 }, (_, index) =>
      busy.ask(`a${index + 1}`, { milliseconds: index === 0 ? 400 : 1 }, { until }),
    );
    const other = busy.ask('b1', {}, { until });
    await other;
    const before = busy.settled.slice(0, busy.settled.indexOf('b1'));
    const refused = before.filter((each) => each.endsWith(' not begun'));
    expect(refused.length).to.be.greaterThan(400);
    await Promise.all(burst);
  });

  it('refuses what still waits when half of its time is over', async () => {
    const busy = start();
    const gone = new AbortController();
    const until = performance.now() + 3_000;
    const first = busy.ask('a1', { milliseconds: long }, { signal: gone.signal });
    await busy.ask('b1', {}, { until });
    expect(busy.settled).to.deep.equal(['b1 not begun']);
    expect(performance.now()).to.be.lessThan(until);
    gone.abort();
    await first;
  });

  it('does not begin what has no time left', async () => {
    const busy = start();
    await busy.ask('a1', {}, { until: performance.now() - 1 });
    expect(busy.settled).to.deep.equal(['a1 not begun']);
    expect(busy.threads).to.equal(0);
  });

  it('stops what nobody waits for any more, and goes on in the same thread', async () => {
    const busy = start();
    const gone = new AbortController();
    await busy.ask('a1');
    const asked = [busy.ask('b1', { milliseconds: long }, { signal: gone.signal }), busy.ask('c1')];
    gone.abort();
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a1', 'b1 given up', 'c1']);
    expect(busy.threads).to.equal(1);
  });

  it('ends a thread that does not stop, and goes on with another', async () => {
    const busy = start({ grace: 20 });
    const gone = new AbortController();
    await busy.ask('a1');
    const asked = [
      busy.ask('b1', { milliseconds: long, obeys: false }, { signal: gone.signal }),
      busy.ask('c1'),
    ];
    gone.abort();
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a1', 'b1 given up', 'c1']);
    expect(busy.threads).to.equal(2);
  });

  it('begins what yields only where a thread is free', async () => {
    const busy = start();
    const asked = [busy.ask('a1', { milliseconds: 50 }), busy.ask('b1', {}, { yields: true })];
    await Promise.all(asked);
    await busy.ask('b2', {}, { yields: true });
    expect(busy.settled).to.deep.equal(['b1 not begun', 'a1', 'b2']);
  });

  it('stops what yields as soon as others wait', async () => {
    for (const hasQuickThread of [false, true]) {
      const busy = start({ hasQuickThread, share: long });
      await busy.ask('a1');
      await Promise.all([busy.ask('b1', { milliseconds: long }, { yields: true }), busy.ask('c1')]);
      expect(busy.settled).to.deep.equal(['a1', 'b1 cut short', 'c1']);
    }
  });

  it('answers what it has when its time is over', async () => {
    const busy = start();
    await busy.ask('a1');
    await busy.ask('b1', { milliseconds: long }, { until: performance.now() + 3_000 });
    expect(busy.settled).to.deep.equal(['a1', 'b1 cut short']);
  });

  it('keeps answers about what has a key, and none that was cut short', async () => {
    const { pool } = start();
    const ask = async (
      name: string,
      { operation = 'busy', key, milliseconds }: Busy & { operation?: string; key?: string },
      asking: JobRequest = {},
    ): Promise<number> => {
      const text = JSON.stringify({ name, milliseconds });
      const answer = await pool.judge(operation, text, key === undefined ? {} : { key }, asking);
      return (JSON.parse(answer) as { asked: number }).asked;
    };
    expect([await ask('a', { key: 'k' }), await ask('a', { key: 'k' })]).to.deep.equal([1, 1]);
    expect(await ask('b', { key: 'k' }), 'another question').to.equal(2);
    expect(await ask('a', { key: 'l' }), 'about something else').to.equal(3);
    expect(await ask('a', { key: 'k', operation: 'other' }), 'another operation').to.equal(4);
    expect([await ask('a', {}), await ask('a', {})], 'without a key').to.deep.equal([5, 6]);
    const soon = { until: performance.now() + 3_000 };
    expect(await ask('c', { key: 'k', milliseconds: long }, soon)).to.equal(7);
    const again = { until: performance.now() + 3_000 };
    expect(await ask('c', { key: 'k', milliseconds: long }, again)).to.equal(8);
  });

  it('gives up what takes too long, whoever waits', async () => {
    const busy = start({ limit: 3_000, grace: 20 });
    const asked = [busy.ask('a1', { milliseconds: long, obeys: false }), busy.ask('b1')];
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a1 given up', 'b1']);
  });

  it('lets nobody take more than a share while others wait', async () => {
    const busy = start({ share: 20 });
    const asked = [busy.ask('a1', { milliseconds: long }), busy.ask('b1')];
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a1 cut short', 'b1']);
  });

  it('lets a user exceed the share while nobody else waits', async () => {
    const busy = start({ share: 20 });
    await busy.ask('a1', { milliseconds: 200 });
    expect(busy.settled).to.deep.equal(['a1']);
  });

  it('keeps a thread for small questions', async () => {
    const busy = start({ hasQuickThread: true });
    const gone = new AbortController();
    const { signal } = gone;
    const heavy = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      busy.ask(name, { milliseconds: long, padding: large }, { signal }),
    );
    await busy.ask('small');
    expect(busy.settled).to.deep.equal(['small']);
    gone.abort();
    await Promise.all(heavy);
  });

  it('lets a small question that takes long go on with the large ones', async () => {
    const busy = start({ hasQuickThread: true, grace: 20 });
    const gone = new AbortController();
    const { signal } = gone;
    const slow = [
      busy.ask('a', { milliseconds: long }, { signal }),
      busy.ask('b', { milliseconds: long, obeys: false }, { signal }),
    ];
    await busy.ask('small');
    expect(busy.settled).to.deep.equal(['small']);
    gone.abort();
    await Promise.all(slow);
    expect(busy.settled).to.have.members(['small', 'a given up', 'b not begun']);
  });

  it('leaves that thread to others where it is asked to', async () => {
    const busy = start({ hasQuickThread: true });
    const gone = new AbortController();
    const { signal } = gone;
    const patient = ['a', 'b'].map((name) =>
      busy.ask(name, { milliseconds: long }, { signal, isPatient: true }),
    );
    await busy.ask('c');
    expect(busy.settled).to.deep.equal(['c']);
    expect(busy.threads).to.equal(2);
    gone.abort();
    await Promise.all(patient);
  });

  it('gives a thread as long to stop as another would take to load', async () => {
    const worker = new URL('./busy-worker.mjs?load=1000', import.meta.url);
    const busy = start({ worker, share: 20, grace: 1 });
    const asked = [busy.ask('a', { milliseconds: long, stopsAfter: 50 }), busy.ask('b')];
    await Promise.all(asked);
    expect(busy.settled).to.deep.equal(['a cut short', 'b']);
    expect(busy.threads).to.equal(1);
  });

  it('answers a small question that takes longer than it is tried', async () => {
    const busy = start({ hasQuickThread: true });
    await busy.ask('a', { milliseconds: 2000 });
    expect(busy.settled).to.deep.equal(['a']);
    expect(busy.threads).to.equal(2);
  });
});
