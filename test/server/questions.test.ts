import { expect } from 'chai';
import { JudgePool } from '../../src/gate/server/judge-pool.js';
import { Questions } from '../../src/gate/server/questions.js';
import type { HttpError } from '../../src/gate/server/body.js';

const hour = 3_600_000;

describe('the questions of a sidecar', () => {
  let pool: JudgePool;
  let questions: Questions;
  let answered: string[];
  beforeEach(() => {
    pool = new JudgePool({
      ...{ workers: 1, worker: new URL('./busy-worker.mjs', import.meta.url) },
      ...{ limit: hour, share: hour },
    });
    const onDefect = (error: unknown): never => {
      throw error;
    };
    questions = new Questions({ pool, maxBytes: 1_000_000, onDefect });
    answered = [];
  });
  afterEach(() => pool.close());

  async function ask(
    name: string,
    { milliseconds = 1, bytes = 2_000, address = '10.0.0.1', gone = new AbortController().signal },
  ): Promise<void> {
    const body = Buffer.from(JSON.stringify({ name, milliseconds }).padEnd(bytes));
    const answer = questions.answerBody('crd', body, { address, gone });
    const outcome = await answer.then(
      ({ text }) => (JSON.parse(text) as { name: string }).name,
      (error: unknown) => `${name} ${(error as HttpError).status}`,
    );
    answered.push(outcome);
  }

  it('of every caller have a turn, and of one caller those of every size', async () => {
    const heavy = Array.from({ length: 20 }, (_, at) => ask(`heavy ${at}`, {}));
    const others = [ask('small', { bytes: 100 }), ask('another', { address: '10.0.0.2' })];
    await Promise.all([...heavy, ...others]);
    expect(answered.slice(0, 3)).to.have.members(['heavy 0', 'small', 'another']);
    expect(answered).to.have.lengthOf(22);
  });

  it('end with the connection that asked them, whether they have begun or wait', async () => {
    const caller = new AbortController();
    const { signal: gone } = caller;
    const left = [ask('running', { milliseconds: hour, gone }), ask('waiting', { gone })];
    const stays = ask('stays', {});
    caller.abort();
    await Promise.all([...left, stays, ask('late', { gone })]);
    expect(answered.at(-1)).to.equal('stays');
    expect(answered).to.have.members(['running 413', 'waiting 429', 'late 429', 'stays']);
  });
});
