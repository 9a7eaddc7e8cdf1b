/**
 * `npx tsx bench/exported-policies.ts [ROUND [COUNT]]`: what policies made by `export vap` from the old definition
 * of a public release pair deny on a real API server, beside what the proof says of the pair. Of each
 * definition the ROUND-th pair is taken (0 by default), of COUNT definitions (20 by default). Ends with 1 when one is denied that the proof
 * calls safe.
 */
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

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

if (releasesMissing !== undefined) {
  console.log(`skipped, needs ${releasesMissing}`);
} else {
  const [round = 0, count = 20] = process.argv.slice(2).map(Number);
  const byName = new Map<string, Pair[]>();
  for (const line of releaseLines('real/crd-pairs.jsonl.br')) {
    const pair = parseJson(line) as unknown as Pair;
    const name = nameOf(pair.old);
    byName.set(name, [...(byName.get(name) ?? []), pair]);
  }
  const pairs = [...byName.values()].flatMap((each) => each[round] ?? []).slice(0, count);
  process.exitCode = await judge(pairs);
}

async function judge(pairs: readonly Pair[]): Promise<number> {
  const cluster = await startCluster();
  try {
    const installed: Pair[] = [];
    for (const pair of pairs) {
      const { code } = await cluster.request(
        'POST',
        definitions,
        stringifyJson(asInstalled(pair.old)),
      );
      if (code === 201) installed.push(pair);
    }
    const update = async ({ old, new: next }: Pair): Promise<{ code: number; text: string }> => {
      const path = `${definitions}/${nameOf(old)}`;
      const stored = parseJson((await cluster.request('GET', path)).text) as JsonObject;
      const proposed = { ...next, metadata: own(stored, 'metadata') };
      return cluster.request('PUT', `${path}?dryRun=All`, stringifyJson(proposed));
    };
    const accepted: Pair[] = [];
    for (const pair of installed) if ((await update(pair)).code === 200) accepted.push(pair);
    const before = await memory(cluster);
    let objects = 0;
    for (const pair of accepted) {
      for (const object of policyOf(asInstalled(pair.old)).objects) {
        const path = own(object, 'kind') === 'ValidatingAdmissionPolicy' ? policies : bindings;
        const { code, text } = await cluster.request('POST', path, stringifyJson(object));
        if (code !== 201) console.log(`${pair.id}: the policy is refused: ${text.slice(0, 300)}`);
        objects++;
      }
    }
    console.log(
      `${pairs.length} pairs, ${accepted.length} that Kubernetes takes, ${objects} objects`,
    );
    // The last policy counts when all do: informers take them in their order.
    const last = accepted.at(-1);
    if (last !== undefined) {
      await until('the policies to count', async () => {
        const emptied = withoutSchemas(last.old);
        return (await update({ ...last, new: emptied })).code === 200 ? undefined : true;
      });
    }
    const after = await memory(cluster);
    console.log(`the API server holds ${before} MB before and ${after} MB after them`);
    const counts = new Map<string, number>();
    const wrong: string[] = [];
    const times: number[] = [];
    for (const pair of accepted) {
      const { effect } = proveUpgrade(asInstalled(pair.old), pair.new);
      const start = performance.now();
      const { code, text } = await update(pair);
      times.push(performance.now() - start);
      const isDenied = code !== 200;
      const key = `${effect} ${isDenied ? 'denied' : 'allowed'}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const [said = ''] = /denied request: [^"]*"?.{0,160}/.exec(text) ?? [text.slice(0, 200)];
      if (isDenied && effect === 'safe') wrong.push(`${pair.id}: denied, and safe: ${said}`);
      if (!isDenied && (effect === 'breaking' || effect === 'data-loss')) {
        console.log(`${pair.id}: allowed, and ${effect}`);
      }
    }
    times.sort((one, other) => one - other);
    console.log(
      [...counts]
        .sort()
        .map(([what, count]) => `${what}: ${count}`)
        .join('\n'),
    );
    console.log(`an update takes ${Math.round(times[times.length >> 1] ?? 0)} ms at the median`);
    for (const line of wrong) console.log(line);
    return wrong.length > 0 ? 1 : 0;
  } finally {
    await cluster.stop();
  }
}

/** Of the API server, resident. */
async function memory(cluster: TestCluster): Promise<number> {
  const { text } = await cluster.request('GET', '/metrics');
  const [, bytes] = /^process_resident_memory_bytes (.*)$/m.exec(text) ?? [];
  return Math.round(Number(bytes) / 1e6);
}

/** The same with versions that keep no field. */
function withoutSchemas(crd: JsonObject): JsonObject {
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
