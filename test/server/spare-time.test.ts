/** What a denial can do without: looked for in spare time, and never waited for beyond it. */
import { expect } from 'chai';
import { JudgePool, type JobRequest } from '../../src/gate/server/judge-pool.js';
import { startTestGate, type TestGate } from './gate.js';
import { responseIn, reviewText, withSize } from './reviews.js';

const real = new URL('../../dist/judge-worker.js', import.meta.url);
const silent = new URL('./silent-worker.mjs', import.meta.url);

describe('the search for patches', () => {
  const pools: JudgePool[] = [];
  let gate: TestGate | undefined;
  /** The end of each search, as it was asked for and as it came. */
  const searches: { readonly milliseconds: number; outcome?: 'found' | 'given up' }[] = [];

  /** @param beforeVerdict milliseconds that every other judgement takes longer */
  async function start(worker: URL, beforeVerdict = 0): Promise<TestGate> {
    const [judging, searching] = [real, worker].map(
      (program) => new JudgePool({ workers: 1, worker: program }),
    ) as [JudgePool, JudgePool];
    pools.push(judging, searching);
    // A thread that has to load first leaves no time to spare.
    await judging.judge('version', JSON.stringify({ a: '1.0.0', b: '1.0.0' }));
    const judge: JudgePool['judge'] = async (
      name,
      input,
      attached,
      asking: JobRequest = {},
    ): Promise<string> => {
      if (name !== 'definition-patches') {
        await new Promise((resolve) => setTimeout(resolve, beforeVerdict));
        return judging.judge(name, input, attached, asking);
      }
      const search: (typeof searches)[number] = {
        milliseconds: (asking.until ?? Infinity) - performance.now(),
      };
      searches.push(search);
      try {
        const answer = await searching.judge(name, input, attached, asking);
        search.outcome = 'found';
        return answer;
      } catch (error) {
        search.outcome = 'given up';
        throw error;
      }
    };
    gate = await startTestGate({ pool: { judge, close: () => Promise.resolve() } });
    return gate;
  }

  afterEach(async () => {
    searches.length = 0;
    await gate?.close();
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  const text = reviewText({
    oldObject: withSize({ type: 'integer', minimum: 1 }),
    object: withSize({ type: 'integer', minimum: 3 }),
  });

  async function causesOf(asked: TestGate, timeout: string): Promise<string[]> {
    const { text: answer } = await asked.post(text, { path: `/validate?timeout=${timeout}` });
    const { allowed, status } = responseIn(answer);
    expect(allowed).to.equal(false);
    return (status?.details?.causes ?? []).map(({ reason }) => reason);
  }

  it('that never ends is given up, and the denial goes out with its proof', async () => {
    expect(await causesOf(await start(silent), '10s')).to.deep.equal(['ChangeValidator']);
    expect(searches.map(({ outcome }) => outcome)).to.deep.equal(['given up']);
    for (const { milliseconds } of searches) expect(milliseconds).to.be.within(0, 500);
  });

  it('is not begun when half of the time is over', async () => {
    expect(await causesOf(await start(real, 1_200), '2s')).to.include('ChangeValidator');
    expect(searches).to.deep.equal([]);
  });
});
