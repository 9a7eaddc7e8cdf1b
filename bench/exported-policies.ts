/**
 * `npx tsx bench/exported-policies.ts [EVERY [FIRST]]`: what policies that `export vap` makes of the old definition
 * of a public release pair deny on a real API server, beside what the proof says of the pair, and the processor
 * time that they cost the API server for an update. Takes every EVERY-th pair (all by default) from the FIRST on.
 * Ends with 1 when one is denied that the proof calls safe, when a policy ends in an error, or when less than 90 %
 * of the harmful ones are denied.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { startCluster, type TestCluster } from '../test/apiserver/cluster.js';
import { until } from '../test/apiserver/processes.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { definitions } from '../test/cluster/widgets.js';
import {
  metaOf,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../src/text/documents/index.js';
import { asInstalled, policyOf, proveUpgrade } from '../src/upgrade/index.js';

interface Pair {
  readonly id: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
}

/** An API server makes its OpenAPI of all of them anew for each. */
const batchSize = 25;
const updatesTimed = 2;
const leastDenied = 0.9;
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

const counts = new Map<string, number>();
const extraTimes: number[] = [];
let wrong = 0;
let taken = 0;

if (releasesMissing !== undefined) {
  console.log(`skipped, needs ${releasesMissing}`);
} else {
  const [every = 1, first = 0] = process.argv.slice(2).map(Number);
  const lines = [...releaseLines('real/crd-pairs.jsonl.br')];
  const chosen = lines.filter((_, index) => index % every === first);
  const cluster = await startCluster();
  try {
    const pid = processOf(cluster);
    for (const batch of batches(chosen)) {
      await judge(cluster, pid, batch);
      taken += batch.length;
      console.log(`${taken} of ${chosen.length} pairs`);
      report();
    }
    for (const line of await failures(cluster)) fail(line);
  } finally {
    await cluster.stop();
  }
  process.exitCode = wrong > 0 || report() < leastDenied ? 1 : 0;
}

/** A cluster has one definition of each name. */
function* batches(lines: readonly string[]): Generator<Pair[]> {
  let left = lines;
  while (left.length > 0) {
    const batch = new Map<string, Pair>();
    const later: string[] = [];
    for (const line of left) {
      if (batch.size === batchSize) {
        later.push(line);
        continue;
      }
      const pair = parseJson(line) as unknown as Pair;
      const name = nameOf(pair.old);
      if (batch.has(name)) later.push(line);
      else batch.set(name, pair);
    }
    yield [...batch.values()];
    left = later;
  }
}

async function judge(cluster: TestCluster, pid: string, pairs: readonly Pair[]): Promise<void> {
  const update = async ({
    old,
    new: next,
  }: Pick<Pair, 'old' | 'new'>): Promise<{ code: number; text: string }> => {
    const path = `${definitions}/${nameOf(old)}`;
    const stored = parseJson((await cluster.request('GET', path)).text) as JsonObject;
    const proposed = { ...next, metadata: own(stored, 'metadata') };
    const answer = await cluster.request('PUT', `${path}?dryRun=All`, stringifyJson(proposed));
    // The API server itself writes the status of a new definition.
    return answer.code === 409 ? update({ old, new: next }) : answer;
  };
  const timed = async (pair: Pair): Promise<number> => {
    const before = processorTime(pid);
    for (let time = 0; time < updatesTimed; time++) await update(pair);
    return (processorTime(pid) - before) / updatesTimed;
  };
  const accepted: Pair[] = [];
  for (const pair of pairs) {
    const crd = stringifyJson(asInstalled(pair.old));
    const { code } = await cluster.request('POST', definitions, crd);
    if (code !== 201) tally('old refused by Kubernetes');
    else if ((await update(pair)).code === 200) accepted.push(pair);
    else tally(`${proveUpgrade(asInstalled(pair.old), pair.new).effect} refused by Kubernetes`);
  }
  const without = new Map<Pair, number>();
  for (const pair of accepted) without.set(pair, await timed(pair));
  const made: string[] = [];
  for (const pair of accepted) {
    for (const object of policyOf(asInstalled(pair.old)).objects) {
      const path = own(object, 'kind') === 'ValidatingAdmissionPolicy' ? policies : bindings;
      const { code, text } = await cluster.request('POST', path, stringifyJson(object));
      if (code === 201) made.push(`${path}/${metaOf(object).name}`);
      else fail(`${pair.id}: the policy is refused: ${text.slice(0, 500)}`);
    }
  }
  // The last policy counts when all do: informers take them in their order.
  const last = accepted.at(-1);
  if (last !== undefined) {
    const emptied = { ...last, new: withoutFields(last.old) };
    await until(
      'the policies to count',
      async () => ((await update(emptied)).code === 200 ? undefined : true),
      { timeoutMs: 600_000 },
    );
  }
  for (const pair of accepted) {
    const { effect, results } = proveUpgrade(asInstalled(pair.old), pair.new);
    const { code, text } = await update(pair);
    extraTimes.push((await timed(pair)) - (without.get(pair) ?? 0));
    const isHarmful = effect === 'breaking' || effect === 'data-loss';
    tally(`${effect} ${code === 200 ? 'allowed' : 'denied'}`);
    const [said = text.slice(0, 200)] = /denied request: .{0,240}/.exec(text) ?? [];
    if (code !== 200 && (effect === 'safe' || !text.includes('denied request'))) {
      fail(`${pair.id}: denied, and ${effect}: ${said}`);
    }
    if (code === 200 && isHarmful) {
      const reasons = results
        .filter((each) => each.effect === 'breaking' || each.effect === 'data-loss')
        .map(({ version, path, reason }) => `${version} ${path}: ${reason}`);
      console.log(
        `MISSED ${pair.id} (${effect}): ${[...new Set(reasons)].slice(0, 4).join(' | ')}`,
      );
    }
  }
  // Bindings first, or the API server logs those without a policy.
  for (const path of made.reverse()) await cluster.request('DELETE', path);
  for (const { old } of pairs) await cluster.request('DELETE', `${definitions}/${nameOf(old)}`);
  for (const { old } of pairs) {
    await until(
      'the definition to go',
      async () =>
        (await cluster.request('GET', `${definitions}/${nameOf(old)}`)).code === 404
          ? true
          : undefined,
      { timeoutMs: 600_000 },
    );
  }
}

/** Prints what is known so far. @returns the part of the harmful updates that is denied */
function report(): number {
  for (const [what, count] of [...counts].sort()) console.log(`${what}: ${count}`);
  const count = (what: string): number => counts.get(what) ?? 0;
  const denied = count('breaking denied') + count('data-loss denied');
  const harmful = denied + count('breaking allowed') + count('data-loss allowed');
  const share = denied / Math.max(harmful, 1);
  console.log(`${denied} of ${harmful} harmful updates are denied, ${(share * 100).toFixed(1)} %`);
  extraTimes.sort((one, other) => one - other);
  const at = (part: number): string =>
    (extraTimes[Math.floor((extraTimes.length - 1) * part)] ?? 0).toFixed(1);
  console.log(
    `policies cost an update ${at(0.5)} ms of processor time at the median, ${at(0.9)} ms for one of ten, ${at(1)} ms at most`,
  );
  return share;
}

function fail(line: string): void {
  wrong++;
  console.log(`WRONG ${line}`);
}

function tally(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Policies that could not be evaluated, over their budget among them. */
async function failures(cluster: TestCluster): Promise<string[]> {
  const { text } = await cluster.request('GET', '/metrics');
  return text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_validating_admission_policy_check_total{'))
    .filter((line) => !/error_type="(no_error|invalid_error)"/.test(line));
}

function processOf(cluster: TestCluster): string {
  const port = new URL(cluster.url).port;
  const found = readdirSync('/proc').find((each) => {
    if (!/^\d+$/.test(each)) return false;
    try {
      return readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(`--secure-port=${port}\0`);
    } catch {
      return false; // It ended meanwhile.
    }
  });
  if (found === undefined) throw new Error(`no process listens on port ${port}`);
  return found;
}

/** Of all threads, in milliseconds. */
function processorTime(pid: string): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/sched`, 'utf8');
    return sum + Number(/^se\.sum_exec_runtime\s*:\s*(\S+)$/m.exec(text)?.[1]);
  }, 0);
}

/** The same with versions that keep no field. */
function withoutFields(crd: JsonObject): JsonObject {
  const copy = parseJson(stringifyJson(crd)) as JsonObject;
  const spec = own(copy, 'spec') as JsonObject;
  for (const version of (own(spec, 'versions') ?? []) as JsonObject[]) {
    version['schema'] = { openAPIV3Schema: { type: 'object' } };
  }
  return copy;
}

function nameOf(crd: JsonObject): string {
  return metaOf(crd).name;
}
