/**
 * A sidecar that is asked six heavy proofs at any time, in small bodies and in large ones: how long does a
 * small question take beside them? Run with `npm run build && npx tsx bench/sidecar-beside.ts`. Exits 1
 * when the aim is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../test/cli/command.js';
import type { JsonObject } from '../src/text/documents/index.js';
import { withSize } from '../test/server/reviews.js';
import { until } from '../test/server/until.js';
import { tell } from './measure.js';

const heavyCallers = 6;
const seconds = 20;
const smallEach = 250;
const limitSeconds = 1;

/** Where the last `a` was is one of 32,768 things to remember, in each of the fields. */
function riddles(end: string, padding: number): JsonObject {
  const fields = Array.from({ length: 200 }, (_, index) => [
    `field${index}`,
    { type: 'string', pattern: `^[ab]*a[ab]{15}${end}$` },
  ]);
  const description = 'x'.repeat(padding);
  return withSize({
    type: 'object',
    description,
    properties: Object.fromEntries(fields) as JsonObject,
  });
}

const heavy = (padding: number): string =>
  JSON.stringify({ old: riddles('', padding), new: riddles('c?', padding), profile: 'proof' });
const small = JSON.stringify({
  old: withSize({ type: 'integer' }),
  new: withSize({ type: 'integer', minimum: 1 }),
});

for (const [bodies, padding] of [
  ['small', 0],
  ['large', 40_000],
] as const) {
  const sidecar = start(['sidecar', '--listen=127.0.0.1:0']);
  await until(() => sidecar.stdout().includes('\n'));
  const url = /^olm-guard ready (\S+)/.exec(sidecar.stdout())?.[1] ?? '';
  const ask = (body: string): Promise<Response> =>
    fetch(`${url}/v1alpha1/preflight/crd`, { method: 'POST', body });
  const end = performance.now() + seconds * 1000;
  const statuses = new Map<string, number>();
  const count = (what: string, status: number): void => {
    statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);
  };
  const body = heavy(padding);
  const proofs = Array.from({ length: heavyCallers }, async () => {
    while (performance.now() < end) {
      const answer = await ask(body);
      await answer.text();
      count('heavy', answer.status);
    }
  });
  await sleep(500);
  const times: number[] = [];
  const questions: Promise<void>[] = [];
  while (performance.now() < end) {
    const begun = performance.now();
    questions.push(
      ask(small).then(async (answer) => {
        await answer.text();
        count('small', answer.status);
        times.push(answer.status === 200 ? (performance.now() - begun) / 1000 : Infinity);
      }),
    );
    await sleep(smallEach);
  }
  await Promise.all(questions);
  times.sort((one, other) => one - other);
  console.log(
    `${body.length} bytes: ${JSON.stringify(Object.fromEntries(statuses))}, median ${times[Math.floor(times.length / 2)]?.toFixed(3)} s, max ${times.at(-1)?.toFixed(3)} s`,
  );
  sidecar.process.kill('SIGKILL');
  await Promise.all([sidecar.ended, ...proofs.map((each) => each.catch(() => undefined))]);
  tell({
    what: `a small question beside six heavy proofs in ${bodies} bodies, at a sidecar, 95 of 100`,
    ...{
      value: times[Math.floor(times.length * 0.95)] ?? Infinity,
      unit: ' s',
      limit: limitSeconds,
    },
  });
}
