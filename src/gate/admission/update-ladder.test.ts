import { expect } from 'chai';
import { defaultPolicy, type Policy } from '../../policy/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { UnfinishedError } from './reviewer.js';
import { UpdateLadder } from './update-ladder.js';
import { runWorkerTask } from './worker-tasks.js';

const limited = (minimum: number): JsonObject =>
  exampleOfSpec({ type: 'object', properties: { size: { type: 'integer', minimum } } });
const update = { old: limited(1), next: limited(3) };

const busy = new UnfinishedError('busy', 'busy');
const slow = new UnfinishedError('slow');

/** Which questions threads got, and what came of it: `!` marks findings that no proof stands for. */
async function climb(
  policy: Partial<Policy>,
  threads: readonly (UnfinishedError | 'answers')[],
  isSmall = false,
): Promise<string> {
  const left = [...threads];
  const asked: unknown[] = [];
  const ladder = new UpdateLadder(
    update,
    {
      policy: { ...defaultPolicy, ...policy },
      judge(task, input) {
        asked.push(input['at']);
        const next = left.shift() ?? 'answers';
        if (next !== 'answers') return Promise.reject(next);
        return Promise.resolve(runWorkerTask(task, input) as unknown as JsonObject);
      },
    },
    isSmall,
  );
  const outcome = await ladder.judge().then(
    ({ findings }) =>
      findings.map(({ rule, effect, unprovable }) =>
        [rule, effect ?? '', unprovable === true ? '!' : ''].join(' ').trim(),
      ),
    (error: unknown) => [String(error)],
  );
  return [asked.join(' '), ...outcome].join(' | ');
}

describe('the ladder of an update of a definition', () => {
  const rows: [Partial<Policy>, (UnfinishedError | 'answers')[], boolean, string][] = [
    // Rules and proof: threads answer, are late, are busy.
    [{}, ['answers'], false, 'review | ChangeValidator breaking'],
    [{}, [slow], false, 'review fallback | ChangeValidator undecided !'],
    [{}, [busy], false, 'review | ChangeValidator undecided !'],
    [{}, [slow, busy], false, 'review fallback | ChangeValidator undecided !'],
    [{}, [slow, slow], false, 'review fallback | InvalidInputError: cannot be judged: slow'],
    [{}, [slow], true, 'review | ChangeValidator undecided !'],
    // The rules alone.
    [{ enforce: 'all' }, [], false, 'fallback | ChangeValidator'],
    [{ enforce: 'all' }, [], true, ' | ChangeValidator'],
    [{ enforce: 'all' }, [busy], false, 'fallback | ChangeValidator'],
    [{ enforce: 'all' }, [slow], false, 'fallback | InvalidInputError: cannot be judged: slow'],
    // Its texts may be large, so that it is never compared on the event loop while a thread is free.
    [{ enforce: 'all', profile: 'olm-v1.10' }, [], true, 'fallback | minimum'],
    // The proof alone, for which the rules of olm-v1 stand.
    [{ profile: 'proof' }, [], true, 'review | Proof breaking'],
    [
      { profile: 'proof', enforce: 'all' },
      [slow],
      true,
      'review fallback | Proof undecided | ChangeValidator undecided !',
    ],
    [
      { profile: 'proof' },
      [busy, busy],
      false,
      'review fallback | Proof undecided | ChangeValidator undecided !',
    ],
    [
      { profile: 'proof' },
      [slow, slow],
      false,
      'review fallback | InvalidInputError: cannot be judged: slow',
    ],
  ];
  for (const [policy, threads, isSmall, expected] of rows) {
    const { profile = 'olm-v1', enforce = 'proven' } = policy;
    const late = threads.map((each) => (each === 'answers' ? each : each.message)).join(', ');
    const name = `${profile}, ${enforce}, ${isSmall ? 'small' : 'large'}, threads: ${late}`;
    it(name, async () => {
      expect(await climb(policy, threads, isSmall)).to.equal(expected);
    });
  }
});
