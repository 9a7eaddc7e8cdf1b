/**
 * Where the processor time of a large review goes, each part as a multiple of JSON.parse of the
 * body, in turns: `npx tsx bench/review-parts.ts`. No part has a limit of its own.
 */
import { once } from 'node:events';
import { Agent } from 'node:https';
import { Worker } from 'node:worker_threads';
import { selfSigned } from '../src/gate/server/certificates/files.js';
import { decodeReview, type AdmissionRequest } from '../src/gate/admission/admission-review.js';
import { judgeContract } from '../src/upgrade/rules/contract/judge.js';
import { judgeByReference } from '../src/upgrade/rules/crd/profiles.js';
import { measureShared } from '../src/text/documents/index.js';
import { measureJson } from '../src/text/documents/json-measure.js';
import { send } from '../test/server/gate.js';
import { largeReviews } from './large-reviews.js';
import { median, tell } from './measure.js';
import { UpgradePair } from '../src/upgrade/pair.js';

const rounds = 25;

type Part = (body: Buffer, sides: Required<Sides>) => unknown;
type Sides = Pick<AdmissionRequest, 'object' | 'oldObject'>;

const parts: Readonly<Record<string, Part>> = {
  'JSON.parse': (body) => JSON.parse(body.toString()) as unknown,
  'bytes to text': (body) => body.toString(),
  'the pass before parsing': (body) => measureJson(body.toString('latin1'), { parts: true }),
  'reading it whole': (body) => decodeReview(measureShared(body)),
  'the rules of olm-v1': (_body, { oldObject, object }) =>
    judgeByReference(UpgradePair.read(oldObject ?? {}, object ?? {}), 'olm-v1'),
  'the contract': (_body, { oldObject, object }) =>
    judgeContract(UpgradePair.read(oldObject ?? {}, object ?? {})),
};

function cost(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const shares = new Map<string, number[]>();
for (const { name, body } of largeReviews()) {
  const costs = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [part, work] of Object.entries(parts)) {
      const { object = null, oldObject = null } = decodeReview(measureShared(body));
      const spent = cost(() => work(body, { object, oldObject }));
      costs.set(part, [...(costs.get(part) ?? []), spent]);
    }
  }
  const parse = median(costs.get('JSON.parse') ?? []);
  const shown = [...costs].map(([part, spent]) => {
    const share = median(spent) / parse;
    shares.set(part, [...(shares.get(part) ?? []), share]);
    return `${part} ${share.toFixed(2)}`;
  });
  console.log(`${name} (${(body.length / 1e6).toFixed(2)} MB): ${shown.join(', ')}`);
}

const { authority, current } = await selfSigned(['127.0.0.1']);
const { cert, key } = current;
const server = new Worker(new URL('./plain-server.mjs', import.meta.url), { workerData: { cert, key } }); // prettier-ignore
const [url] = (await once(server, 'message')) as [string];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const wayThereAndBack = 'TLS and HTTP alone, p50';
for (const { body } of largeReviews()) {
  const times = { parse: [] as number[], way: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    JSON.parse(body.toString());
    const middle = performance.now();
    await send(url, authority, body, { agent });
    times.parse.push(middle - start);
    times.way.push(performance.now() - middle);
  }
  const share = median(times.way) / median(times.parse);
  shares.set(wayThereAndBack, [...(shares.get(wayThereAndBack) ?? []), share]);
}
agent.destroy();
await server.terminate();

for (const [part, found] of shares) {
  if (part === 'JSON.parse') continue;
  const what = `part of a large review: ${part}, of JSON.parse`;
  tell({ what, value: median(found), unit: '×' });
}
