/**
 * `npx tsx bench/exported-policies.ts [EVERY [FIRST [objects]]]`: what policies that `export vap` makes of the old
 * definition of a public release pair deny on a real API server, beside what the proof says of the pair, and the
 * processor time that they cost the API server for an update. Takes every EVERY-th pair (all by default) from the
 * FIRST on. With `objects`, the policies pin what made-up objects use, and an update is harmful that harms one of
 * these. Ends with 1 when one is denied that the proof calls safe, when a policy ends in an error, when less than
 * 90 % of the harmful ones are denied, or when the median costs more than 50 ms.
 */
import { startCluster, type TestCluster } from '../test/apiserver/cluster.js';
import { until } from '../test/apiserver/processes.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { definitions } from '../test/cluster/widgets.js';
import { bindingsPath, policiesPath } from '../src/gate/policy-sync/coverage.js';
import { compileValidator } from '../src/kubernetes/apiserver/validator.js';
import {
  metaOf,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../src/text/documents/index.js';
import { addUse, type Need } from '../src/gate/admission-policy/use.js';
import { servedVersions, versionsOf } from '../src/upgrade/crd/named-versions.js';
import { policyOf } from '../src/gate/index.js';
import { sampleFew } from '../src/upgrade/index.js';
import { installedDocument, proveDocuments } from '../src/upgrade/proof/testing/prove-documents.js';
import { Budget } from '../src/upgrade/proof/budget.js';
import { kindOf, Trial } from '../src/upgrade/proof/search/trial.js';
import { processOf, processorTime } from './api-server-process.js';
import { keep, median, tell } from './measure.js';

interface Pair {
  readonly id: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
}

interface Subject {
  readonly pair: Pair;
  readonly policies: readonly JsonObject[];
  readonly effect: string;
  /** Why it does harm. */
  readonly reasons: readonly string[];
}

const batchSize = 40;
/** Requests at a time where nothing is measured. */
const atATime = 2;
const leastDenied = 0.9;
const mostMilliseconds = 50;

const counts = new Map<string, number>();
const extraTimes: number[] = [];
let wrong = 0;
let taken = 0;

if (releasesMissing !== undefined) {
  console.log(`skipped, needs ${releasesMissing}`);
} else {
  const [every = 1, first = 0] = process.argv.slice(2, 4).map(Number);
  const isByObjects = process.argv[4] === 'objects';
  // The small ones first: a run that is ended early has judged most of them.
  const chosen = [...releaseLines('real/crd-pairs.jsonl.br')]
    .filter((_, index) => index % every === first)
    .sort((one, other) => one.length - other.length);
  // Compiled policies of forty large definitions are larger than what the suites' API servers may take.
  process.env['GOMEMLIMIT'] = '5GiB';
  const cluster = await startCluster();
  try {
    const pid = processOf(cluster);
    for (const batch of batches(chosen)) {
      await judge(cluster, pid, batch, isByObjects);
      taken += batch.length;
      console.log(`${taken} of ${chosen.length} pairs`);
      report();
    }
    for (const line of await failures(cluster)) fail(line);
  } finally {
    await cluster.stop();
  }
  conclude();
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

async function judge(
  cluster: TestCluster,
  pid: string,
  pairs: readonly Pair[],
  isByObjects: boolean,
): Promise<void> {
  const update = async (
    old: JsonObject,
    next: JsonObject,
  ): Promise<{ code: number; text: string; time: number }> => {
    const path = `${definitions}/${nameOf(old)}`;
    const stored = parseJson((await cluster.request('GET', path)).text) as JsonObject;
    const body = stringifyJson({ ...unserved(next), metadata: own(stored, 'metadata') });
    const before = processorTime(pid);
    const answer = await cluster.request('PUT', `${path}?dryRun=All`, body);
    // The API server itself writes the status of a new definition.
    return answer.code === 409
      ? update(old, next)
      : { ...answer, time: processorTime(pid) - before };
  };
  await inTurns(pairs, async ({ id, old }) => {
    const { code, text } = await cluster.request(
      'POST',
      definitions,
      stringifyJson(unserved(installedDocument(old))),
    );
    if (code !== 201) console.log(`${id}: the old definition is refused: ${text.slice(0, 300)}`);
  });
  const accepted: Pair[] = [];
  const without = new Map<Pair, number>();
  for (const pair of pairs) {
    const { code, time } = await update(pair.old, pair.new);
    if (code === 200) {
      accepted.push(pair);
      without.set(pair, time);
    } else if (code === 404) tally('old refused by Kubernetes');
    else tally(`${effectOf(pair)} refused by Kubernetes`);
  }
  const subjects = accepted.map((pair) => subjectOf(pair, isByObjects));
  const made: string[] = [];
  const create = async (pair: Pair, object: JsonObject): Promise<void> => {
    const path = own(object, 'kind') === 'ValidatingAdmissionPolicy' ? policiesPath : bindingsPath;
    const { code, text } = await cluster.request('POST', path, stringifyJson(object));
    // A machine that is busy takes longer to compile a policy than a request may take.
    if (code === 504) return create(pair, object);
    if (code === 201) made.push(`${path}/${metaOf(object).name}`);
    else fail(`${pair.id}: the policy is refused: ${text.slice(0, 500)}`);
  };
  await inTurns(subjects, async ({ pair, policies }) => {
    for (const object of policies) await create(pair, object);
  });
  await untilCounted(cluster, made);
  for (const subject of subjects) {
    const { old, new: next } = subject.pair;
    const { code, text, time } = await update(old, next);
    extraTimes.push(time - (without.get(subject.pair) ?? 0));
    judgeAnswer(subject, code, text);
  }
  // Bindings first, or the API server logs those without a policy.
  const ofBindings = made.filter((path) => path.startsWith(bindingsPath));
  for (const paths of [ofBindings, made.filter((path) => !path.startsWith(bindingsPath))]) {
    await inTurns(paths, async (path) => void (await cluster.request('DELETE', path)));
  }
  await inTurns(pairs, async ({ old }) => {
    const path = `${definitions}/${nameOf(old)}`;
    await cluster.request('DELETE', path);
    await until(
      'the definition to go',
      async () => ((await cluster.request('GET', path)).code === 404 ? true : undefined),
      { timeoutMs: 600_000 },
    );
  });
}

function judgeAnswer({ pair, effect, reasons }: Subject, code: number, text: string): void {
  if (/cost (budget|limit)/.test(text)) {
    tally(`${effect} over the cost budget`);
    fail(`${pair.id}: over the cost budget: ${text.slice(0, 600)}`);
    return;
  }
  tally(`${effect} ${code === 200 ? 'allowed' : 'denied'}`);
  const [said = text.slice(0, 200)] = /denied request: .{0,240}/.exec(text) ?? [];
  if (code !== 200 && (effect === 'safe' || !text.includes('denied request'))) {
    fail(`${pair.id}: denied, and ${effect}: ${said}`);
  }
  if (code === 200 && isHarmful(effect)) {
    console.log(`MISSED ${pair.id} (${effect}): ${reasons.slice(0, 4).join(' | ')}`);
  }
}

function subjectOf(pair: Pair, isByObjects: boolean): Subject {
  const old = installedDocument(pair.old);
  if (isByObjects) {
    const { use, effect, reasons } = byObjects(old, pair.new);
    return { pair, policies: policyOf(old, { use }).objects, effect, reasons };
  }
  const { effect, results } = proveDocuments(old, pair.new);
  const reasons = results
    .filter((each) => isHarmful(each.effect))
    .map(({ version, path, reason }) => `${version} ${path}: ${reason}`);
  return { pair, policies: policyOf(old).objects, effect, reasons: [...new Set(reasons)] };
}

/** What the least and the fullest objects of each served version use, and whether the update harms one of them. */
function byObjects(
  old: JsonObject,
  next: JsonObject,
): { use: Map<string, Map<string, Need>> } & Pick<Subject, 'effect' | 'reasons'> {
  const use = new Map<string, Map<string, Need>>();
  const reasons: string[] = [];
  let worst = 'safe';
  for (const version of servedVersions(old).keys()) {
    const before = compileValidator(old, version);
    const needs = new Map<string, Need>();
    const objects = sampleFew(before);
    for (const object of objects) addUse(object, before.schema, needs);
    if (objects.length > 0) use.set(version, needs);
    if (!versionsOf(next).has(version)) continue;
    const after = compileValidator(next, version);
    const trial = new Trial(
      before,
      after,
      `${after.definition.group}/${version}`,
      new Budget(Infinity),
    );
    for (const object of objects) {
      const harm = trial.damage(object);
      const kind = kindOf(harm);
      if (kind !== undefined && worst !== 'breaking') worst = kind;
      for (const { field, detail } of harm.errors) reasons.push(`${version} ${field}: ${detail}`);
      for (const path of harm.lost) reasons.push(`${version} ${path} is lost`);
    }
  }
  // What harms other objects is no mistake to deny.
  const { effect } = proveDocuments(old, next);
  return {
    use,
    effect: worst === 'safe' && effect !== 'safe' ? 'harmful to other objects' : worst,
    reasons,
  };
}

function effectOf({ old, new: next }: Pair): string {
  return proveDocuments(installedDocument(old), next).effect;
}

function isHarmful(effect: string): boolean {
  return effect === 'breaking' || effect === 'data-loss';
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

function conclude(): void {
  const share = report();
  keep({ what: 'harmful upgrades that exported policies deny', value: share * 100, unit: ' %' });
  tell({
    what: 'processor time that exported policies cost the API server for an update, at the median',
    value: median(extraTimes),
    unit: ' ms',
    limit: mostMilliseconds,
  });
  if (wrong > 0 || share < leastDenied) process.exitCode = 1;
}

function fail(line: string): void {
  wrong++;
  console.log(`WRONG ${line}`);
}

function tally(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** Policies that could not be evaluated, over their budget among them. */
async function failures(cluster: TestCluster): Promise<string[]> {
  const { text } = await cluster.request('GET', '/metrics');
  return text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_validating_admission_policy_check_total{'))
    .filter((line) => !/error_type="(no_error|invalid_error)"/.test(line));
}

/** An API server makes its OpenAPI of all served versions anew for each definition, and no policy asks for that. */
function unserved(crd: JsonObject): JsonObject {
  const spec = own(crd, 'spec') as JsonObject;
  const versions = (own(spec, 'versions') ?? []) as JsonObject[];
  return {
    ...crd,
    spec: { ...spec, versions: versions.map((version) => ({ ...version, served: false })) },
  };
}

/** Makes one more policy, which counts when those before it do: informers take them in their order. */
async function untilCounted(cluster: TestCluster, made: string[]): Promise<void> {
  const name = `last-${made.length}`;
  const api = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name } };
  const resource = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  await cluster.request('POST', policiesPath, {
    ...{ ...api, kind: 'ValidatingAdmissionPolicy' },
    spec: {
      matchConstraints: {
        resourceRules: [{ ...resource, operations: ['CREATE'], resourceNames: [name] }],
      },
      validations: [{ expression: 'false' }],
    },
  });
  await cluster.request('POST', bindingsPath, {
    ...{ ...api, kind: 'ValidatingAdmissionPolicyBinding' },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  made.push(`${policiesPath}/${name}`, `${bindingsPath}/${name}`);
  await until(
    'the policies to count',
    async () => {
      const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
      const { code } = await cluster.request('POST', path, { metadata: { name } });
      return code === 422 ? true : undefined;
    },
    { timeoutMs: 600_000 },
  );
}

function nameOf(crd: JsonObject): string {
  return metaOf(crd).name;
}
