/** Writes by many clients at once, each answer held against what the rules say of the write. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Policy } from '../../../src/policy/policy.js';
import type { ApiServer } from '../../apiserver/cluster.js';
import { until } from '../../apiserver/processes.js';
import type { Answer } from '../../apiserver/request.js';
import { Dice } from '../../../src/upgrade/proof/testing/dice.js';
import { pathOf, withApiVersion } from '../olm-definitions.js';
import { kinds, pathFor, pureRule, type Client, type Write } from './clients.js';

/** What became of writes. */
export interface Tally {
  /** Admitted, as the rules say. */
  admitted: number;
  /** Denied by the rules that say so. */
  denied: number;
  /** Denied because there was no time for the proof that would have let it pass, or to look at stored objects. */
  hurried: number;
  /** Denied because the gate could not judge. */
  unjudged: number;
  /** Refused by the API server because no gate answered it. */
  withoutGate: number;
  /** Without a verdict: the API server was away, or failed for itself. */
  withoutServer: number;
  /** What those refusals said, each once, with its count. */
  reasons: Map<string, number>;
  /** Otherwise than the rules say, one sentence each. */
  wrong: string[];
  /** Admitted unjudged, one sentence each. */
  lost: string[];
}

const noTally = (): Tally => ({
  ...{ admitted: 0, denied: 0, hurried: 0, unjudged: 0, withoutGate: 0, withoutServer: 0 },
  ...{ reasons: new Map(), wrong: [], lost: [] },
});

export interface Load {
  /** What has been counted since the last call. */
  take(): Tally;
  /** Waits until clients of every kind have got so many more verdicts, and nobody a refusal for a second. */
  judged(each: number): Promise<void>;
  /** @throws Error for writes that nobody has answered, neither a gate nor an API server */
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly policy: Policy;
  readonly pauseMilliseconds: number;
  readonly seed: number;
}

/** A write, and what the rules say of it. */
interface AskedWrite {
  readonly write: Write;
  readonly kind: Client['kind'];
  readonly said: Awaited<ReturnType<ReturnType<typeof pureRule>>>;
  readonly withoutProof: ReturnType<typeof pureRule>;
}

const nameOf = ({ write }: AskedWrite): string => `${write.operation} ${pathOf(write.object)}`;

/** An API server answers within a minute, or says that it could not. */
const answerMilliseconds = 120_000;

const merge = { contentType: 'application/merge-patch+json' };

export function startLoad(
  apiServers: readonly ApiServer[],
  clients: readonly Client[],
  { policy, pauseMilliseconds, seed }: LoadOptions,
): Load {
  let tally = noTally();
  let isStopped = false;
  const unanswered: string[] = [];
  const verdicts = new Map(kinds.map((kind) => [kind, 0]));

  async function run(client: Client, index: number): Promise<void> {
    const rule = pureRule(client, policy);
    const withoutProof = pureRule(client, { ...policy, enforce: 'all' });
    for (let turn = 0; !isStopped; turn++) {
      // Of each turn its own, so that a refusal does not change what is drawn after it.
      const dice = new Dice(seed + 1_000_003 * index + 7919 * turn);
      const write = client.next(() => dice.next());
      const server = apiServers[(index + turn) % apiServers.length];
      if (server === undefined) throw new Error('there is no API server');
      const answer = await answerOf(server, write);
      if (answer === 'none') {
        unanswered.push(`${write.operation} ${pathOf(write.object)}`);
        return;
      }
      const said = await rule(write);
      const asked: AskedWrite = { write, kind: client.kind, said, withoutProof };
      client.done(write, await judge(asked, server, answer));
      if (!isStopped) await sleep(pauseMilliseconds * (0.5 + dice.next()));
    }
  }

  /** Whether the write is stored. */
  async function judge(
    asked: AskedWrite,
    server: ApiServer,
    answer: Answer | undefined,
  ): Promise<boolean> {
    if (answer !== undefined && answer.code >= 200 && answer.code < 300) {
      countAdmitted(asked, answer);
      return true;
    }
    if (answer !== undefined && isRefusal(answer)) {
      await countRefused(asked, answer);
      return false;
    }
    tally.withoutServer++;
    because(answer === undefined ? 'the API server is away' : answer.text);
    if (answer !== undefined && answer.code < 500 && answer.code !== 429)
      tally.wrong.push(`${nameOf(asked)} was answered with ${answer.code}: ${answer.text}`);
    // Whether it was stored before the answer was lost is seen when the server is back.
    const isThere = await isStored(server, asked.write);
    if (isThere && !asked.said.isAllowed)
      tally.wrong.push(`${nameOf(asked)} was stored, and the rules deny it`);
    return isThere;
  }

  function countVerdict({ kind }: AskedWrite, verdict: 'admitted' | 'denied'): void {
    tally[verdict]++;
    verdicts.set(kind, (verdicts.get(kind) ?? 0) + 1);
  }

  function countAdmitted(asked: AskedWrite, { warnings }: Answer): void {
    const unjudged = warnings.find((each) => each.includes('unjudged'));
    if (unjudged !== undefined) tally.lost.push(`${nameOf(asked)}: ${unjudged}`);
    if (asked.said.isAllowed) return countVerdict(asked, 'admitted');
    tally.wrong.push(`${nameOf(asked)} was admitted, denied by ${[...asked.said.rules].join()}`);
  }

  async function countRefused(asked: AskedWrite, { code, body, text }: Answer): Promise<void> {
    const { said, write, withoutProof } = asked;
    const message = body.message ?? text;
    if (code !== 403) {
      tally.withoutGate++;
      return because(message);
    }
    const rules = rulesOf(body);
    const isUndecided = rules.size === 0;
    if (isUndecided && withoutTime.test(message)) tally.hurried++;
    else if (isUndecided || message.includes('could not judge this request')) {
      tally.unjudged++;
      because(message);
    } else if (!said.isAllowed && isSame(rules, said.rules)) countVerdict(asked, 'denied');
    else if (isSame(rules, (await withoutProof(write)).rules)) tally.hurried++;
    else {
      const expected = said.isAllowed ? 'admitted' : `denied by ${[...said.rules].join()}`;
      tally.wrong.push(
        `${nameOf(asked)} was denied by ${[...rules].join()}, not ${expected}: ${message}`,
      );
    }
  }

  /** Names, addresses and times apart, a refusal says the same each time. */
  function because(text: string): void {
    const kind = text.replace(/soak\w+/g, 'N').replace(/\d+(\.\d+)+|:\d+/g, 'N');
    tally.reasons.set(kind, (tally.reasons.get(kind) ?? 0) + 1);
  }

  const running = clients.map(run);
  return {
    take() {
      const taken = tally;
      tally = noTally();
      return taken;
    },
    async judged(each) {
      const goals = [...verdicts].map(([kind, count]) => [kind, count + each] as const);
      await until(
        `${each} more verdicts about each kind`,
        () => (goals.every(([kind, goal]) => (verdicts.get(kind) ?? 0) >= goal) ? true : undefined),
        { timeoutMs: 120_000 },
      );
      const refused = (): number => tally.unjudged + tally.withoutGate + tally.withoutServer;
      let seen = -1;
      await until(
        'a second in which nothing is refused',
        () => {
          const before = seen;
          seen = refused();
          return before === seen ? true : undefined;
        },
        { timeoutMs: 120_000, everyMs: 1000 },
      );
    },
    async stop() {
      isStopped = true;
      await Promise.all(running);
      if (unanswered.length > 0) throw new Error(`nobody answered ${unanswered.join(', ')}`);
    },
  };
}

/** Undefined where the connection was ended without an answer. */
function answerOf(server: ApiServer, write: Write): Promise<Answer | undefined | 'none'> {
  return new Promise((resolve) => {
    const tooLong = setTimeout(() => resolve('none'), answerMilliseconds);
    void send(server, write)
      .catch(() => undefined)
      .then((answer) => {
        clearTimeout(tooLong);
        resolve(answer);
      });
  });
}

/** Replaces by a merge patch, for the client knows no resourceVersion of what an API server wrote. */
async function send(server: ApiServer, write: Write): Promise<Answer> {
  const { operation, object, old } = write;
  const path = pathFor(write);
  if (operation === 'CREATE') return server.request('POST', path, withApiVersion(object));
  if (operation === 'DELETE') return server.request('DELETE', path);
  return server.request('PATCH', path, { spec: withRemoved(old?.['spec'], object['spec']) }, merge);
}

/** The new value as a merge patch of the old one: null for what is gone (RFC 7386). */
function withRemoved(old: unknown, next: unknown): unknown {
  if (!isPlain(old) || !isPlain(next)) return next;
  const gone = Object.keys(old).filter((key) => !(key in next));
  return Object.fromEntries([
    ...gone.map((key) => [key, null]),
    ...Object.entries(next).map(([key, value]) => [key, withRemoved(old[key], value)]),
  ]) as unknown;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A verdict of a gate, or the API server's word that it got none. */
const isRefusal = ({ code, text }: Answer): boolean =>
  (code === 403 && text.includes('denied the request')) ||
  (code === 500 && text.includes('failed calling webhook'));

const withoutTime = /: too much else is under way|not checked in time/;

/**
 * Causes that name no rule: a fix, which is there only where time allows, and that stored objects could
 * not be read, which is a reason beside those of the rules, or the only one.
 */
const besideRules: ReadonlySet<string> = new Set(['JSONPatch', 'StoredObjectsUnchecked']);

const rulesOf = ({ details }: Answer['body']): ReadonlySet<string> =>
  new Set(details?.causes?.flatMap(({ reason = '' }) => (besideRules.has(reason) ? [] : reason)));

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));

/** Asks until the API server says whether the cluster has what was to be written. */
async function isStored(server: ApiServer, write: Write): Promise<boolean> {
  if (write.isDryRun === true) return false;
  const answer = await until(
    'the API server to say what is stored',
    async () => {
      const given = await server.request('GET', pathOf(write.object)).catch(() => undefined);
      return given?.code === 200 || given?.code === 404 ? given : undefined;
    },
    { timeoutMs: 180_000, everyMs: 500 },
  );
  if (write.operation === 'DELETE') return answer.code === 404;
  return answer.code === 200 && contains(answer.body, { spec: write.object['spec'] });
}

/** Whether an API server that adds defaults was given `part`; every write of a client differs from the one before. */
function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((each, index) => contains(whole[index], each))
    );
  if (!isPlain(part)) return whole === part;
  if (!isPlain(whole)) return false;
  return Object.entries(part).every(([key, value]) => contains(whole[key], value));
}
