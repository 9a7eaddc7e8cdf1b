/**
 * What profile `proof` says about upgrades between real releases, beside the reference profiles, and
 * what it costs. Processor time, so that other work on the machine does not count.
 * Run: npx tsx bench/proof.ts
 */
import { type ProofJudgement } from '../src/upgrade/proof/index.js';
import { proveDocuments } from '../src/upgrade/proof/testing/prove-documents.js';
import { exampleOfSpec } from '../src/upgrade/rules/crd/example-definition.js';
import { judgeByReference, referenceProfiles } from '../src/upgrade/rules/crd/profiles.js';
import {
  isObject,
  own,
  parseJson,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../src/text/documents/index.js';
import { type Audience, type Effect, effects } from '../src/rule/finding.js';
import { judgeContractWithRequests } from '../src/upgrade/rules/contract/judge.js';
import { tell } from './measure.js';
import { renderTable } from '../src/report/table.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { UpgradePair } from '../src/upgrade/pair.js';

/** Of everything that is said about a pair. `growth`: of the time for a schema ten times as large; ten is linear, the rest is noise. */
const limits = { totalSeconds: 30, pairSeconds: 2, growth: 15 };

interface Pair {
  readonly id: string;
  readonly old: JsonValue;
  readonly new: JsonValue;
}

const audiences: readonly Audience[] = ['objects', 'clients', 'apply', 'readers', 'display'];

function* realPairs(): Generator<Pair> {
  for (const line of releaseLines('real/crd-pairs.jsonl.br')) {
    const row = parseJson(line);
    if (!isObject(row)) continue;
    const id = own(row, 'id');
    yield {
      id: typeof id === 'string' ? id : 'a pair without id',
      old: own(row, 'old') ?? null,
      new: own(row, 'new') ?? null,
    };
  }
}

/** Seconds of processor time. */
function cost<Result>(work: () => Result): { readonly seconds: number; readonly result: Result } {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, result };
}

function overRealPairs(): void {
  const counts = new Map<Effect, number>();
  const refused = new Map<string, number>();
  const slow: { readonly id: string; readonly seconds: number }[] = [];
  const hurt = new Map<Audience, { all: number; allowed: number }>();
  let [pairs, total, proofDenies, contracts, slowestContract, silent] = [0, 0, 0, 0, 0, 0];
  for (const { id, old, new: next } of realPairs()) {
    pairs++;
    for (const profile of referenceProfiles) {
      const denied = judgeByReference(UpgradePair.read(old, next), profile).allowed ? 0 : 1;
      refused.set(profile, (refused.get(profile) ?? 0) + denied);
    }
    const { seconds, result } = cost(() => proveDocuments(old, next));
    total += seconds;
    if (!result.allowed) proofDenies++;
    counts.set(result.effect, (counts.get(result.effect) ?? 0) + 1);
    const contract = cost(() => judgeContractWithRequests(UpgradePair.read(old, next)));
    contracts += contract.seconds;
    slowestContract = Math.max(slowestContract, contract.seconds);
    const { findings, results } = contract.result;
    if (results.length + result.results.length === 0 && !sameSpec(old, next)) silent++;
    const isHarmed = !result.allowed;
    const told = new Set(findings.flatMap(({ audience }) => audience ?? []));
    if (isHarmed) told.add('objects');
    for (const audience of told) {
      const count = hurt.get(audience) ?? { all: 0, allowed: 0 };
      count.all++;
      if (!isHarmed) count.allowed++;
      hurt.set(audience, count);
    }
    slow.push({ id, seconds: seconds + contract.seconds });
  }
  slow.sort((left, right) => right.seconds - left.seconds);
  const share = (count: number): string => `${count} (${((100 * count) / pairs).toFixed(1)} %)`;
  const rows = [
    ...referenceProfiles.map((profile) => {
      const denied = refused.get(profile) ?? 0;
      return [profile, share(pairs - denied), share(denied)];
    }),
    ['proof', share(pairs - proofDenies), share(proofDenies)],
  ];
  console.log(`${pairs} upgrades between consecutive releases\n`);
  console.log(renderTable(['profile', 'allowed', 'denied'], rows));
  console.log(
    renderTable(
      ['proof says', 'pairs'],
      effects.map((effect) => [effect, share(counts.get(effect) ?? 0)]),
    ),
  );
  console.log(
    renderTable(
      ['who is hurt', ...audiences],
      [
        ['pairs', ...audiences.map((each) => share(hurt.get(each)?.all ?? 0))],
        ['allowed by proof', ...audiences.map((each) => share(hurt.get(each)?.allowed ?? 0))],
      ],
    ),
  );
  console.log(
    `${silent} pairs differ without a result; the contract takes ${contracts.toFixed(1)} s for all, ${slowestContract.toFixed(2)} s for the slowest`,
  );
  const slowest = slow[0] ?? { id: 'none', seconds: 0 };
  for (const each of slow.slice(0, 5)) console.log(`  ${each.seconds.toFixed(2)} s  ${each.id}`);
  const what = `proof and contract, ${pairs} pairs`;
  tell({ what, value: total + contracts, unit: ' s', limit: limits.totalSeconds });
  tell({ what: `${what}: slowest`, value: slowest.seconds, unit: ' s', limit: limits.pairSeconds });
}

/** A definition with so many groups of fields, and one difference of each kind in every tenth. */
function grown(groups: number, side: 'old' | 'new'): JsonObject {
  const properties: JsonObject = {};
  for (let index = 0; index < groups; index++) {
    const isChanged = side === 'new' && index % 10 === 0;
    properties[`group${index}`] = {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: isChanged ? 40 : 63 },
        mode: { type: 'string', enum: isChanged ? ['a'] : ['a', 'b'] },
        ports: {
          type: 'array',
          items: { type: 'object', properties: { port: { type: 'integer' } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        ...(isChanged ? { added: { type: 'boolean' } } : {}),
      },
    };
  }
  return exampleOfSpec({ type: 'object', properties });
}

function sameSpec(old: JsonValue, next: JsonValue): boolean {
  const [before, after] = [old, next].map((each) => (isObject(each) ? own(each, 'spec') : null));
  return sameJson(before ?? null, after ?? null);
}

function overSizes(): void {
  const base = 10;
  for (let run = 0; run < 20; run++) proveDocuments(grown(base, 'old'), grown(base, 'new'));
  const rows: string[][] = [];
  let before: number | undefined;
  let worst = 0;
  for (const factor of [1, 10, 100]) {
    const [old, next] = [grown(base * factor, 'old'), grown(base * factor, 'new')];
    const { seconds, result } = best(() => proveDocuments(old, next));
    const times = before === undefined ? undefined : seconds / before;
    worst = Math.max(worst, times ?? 0);
    const growth = times === undefined ? '' : `× ${times.toFixed(1)}`;
    rows.push([
      `${factor}×`,
      `${(JSON.stringify(next).length / 1000).toFixed(0)} kB`,
      String(result.results.length),
      `${(seconds * 1000).toFixed(1)} ms`,
      growth,
    ]);
    before = seconds;
  }
  console.log('');
  console.log(renderTable(['schema', 'size', 'differences', 'time', 'growth for ten times'], rows));
  tell({
    what: 'proof: growth for ten times as much',
    ...{ value: worst, unit: '×', limit: limits.growth },
  });
}

/** The fastest of three runs: what the work itself costs. */
function best(work: () => ProofJudgement): { seconds: number; result: ProofJudgement } {
  return [1, 2, 3]
    .map(() => cost(work))
    .reduce((least, each) => (each.seconds < least.seconds ? each : least));
}

if (releasesMissing === undefined) overRealPairs();
else console.log(`real pairs: skipped, needs ${releasesMissing}`);
overSizes();
