import { expect } from 'chai';
import { UnfinishedError } from '../../src/doors/admission/reviewer.js';
import { shareJson } from '../../src/text/documents/shared-json.js';
import { JudgePool } from '../../src/doors/server/judge-pool.js';

const worker = new URL('./judge-worker.mjs', import.meta.url);
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

  it('gives the same question one answer', async () => {
    const pool = open({ workers: 1 });
    const first = pool.judge('version', input('1.0.0', '1.0.0'));
    expect(pool.judge('version', input('1.0.0', '1.0.0'))).to.equal(first);
    const text = await first;
    // Taken from the cache: with no thread and no queue it would be refused.
    expect(await pool.judge('version', input('1.0.0', '1.0.0'))).to.equal(text);
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

  it('takes no more than its queue holds', async () => {
    const pool = open({ workers: 1, queue: 1 });
    const asked = ['1.0.0', '1.0.1', '1.0.2'].map((b) =>
      pool.judge('version', input('1.0.0', b)).then(
        () => 'answered',
        (error: unknown) => (error instanceof UnfinishedError ? error.message : String(error)),
      ),
    );
    expect(await Promise.all(asked)).to.deep.equal([
      'answered',
      'answered',
      'too many heavy judgements are waiting already',
    ]);
  });

  it('gives up what takes too long, and goes on with another thread', async () => {
    // No thread starts within a millisecond.
    const hasty = open({ workers: 1, limit: 1 });
    let given: unknown;
    await hasty
      .judge('version', input('1.0.0', '3.0.0'))
      .catch((error: unknown) => (given = error));
    expect(given).to.be.instanceOf(UnfinishedError);
    expect((given as Error).message).to.match(/took more than 0.001 s/);
    const patient = open({ workers: 1 });
    expect(
      parse(await patient.judge('version', input('1.0.0', '3.0.0'))).output?.['compare'],
    ).to.equal(-1);
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
