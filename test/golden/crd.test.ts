import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { asDocumented, answer, goldenRows, sameJson, type GoldenRow } from './golden.js';
import { linesOf } from '../reference/references.js';
import { describeReleases, releaseRows } from './releases.js';

type Profile = 'olm-v1' | 'crdify';

interface Expected {
  readonly allowed: boolean;
  readonly errors?: readonly JsonObject[];
  readonly message?: string;
  readonly panics?: boolean;
  readonly nondeterministic?: boolean;
}

const fields: Record<Profile, readonly string[]> = {
  'olm-v1': ['validator', 'message'],
  crdify: ['phase', 'version', 'property', 'validation'],
};

/** See "How they are compared" in data/README.md. */
function compared(profile: Profile, errors: readonly JsonObject[]): JsonValue {
  const rows = errors.map((error) =>
    fields[profile].map((field) => {
      const value = own(error, field) ?? null;
      return typeof value === 'string' ? asDocumented(value) : value;
    }),
  );
  if (profile === 'olm-v1') return rows;
  return [...new Set(rows.map((row) => JSON.stringify(row)))].sort();
}

/** Fixes are looked for where profile proof is asked about the same pairs; effects are the same in both. */
async function judge(profile: Profile, old: JsonValue, next: JsonValue): Promise<JsonObject> {
  return answer('crd', { old, new: next, profile, effects: profile === 'olm-v1', fixes: false });
}

async function check(
  id: string,
  profile: Profile,
  expected: Expected,
  old: JsonValue,
  next: JsonValue,
): Promise<string | undefined> {
  const said = await judge(profile, old, next);
  const verdict = own(said, 'verdict');
  const output = own(said, 'output');
  if (!isObject(verdict) || !isObject(output)) return `${id}: no verdict: ${JSON.stringify(said)}`;
  if (expected.panics === true || expected.nondeterministic === true) return undefined;
  if (own(verdict, 'allowed') !== expected.allowed) return `${id}: allowed differs`;
  const errors = (own(output, 'errors') ?? []) as JsonObject[];
  if (!sameJson(compared(profile, errors), compared(profile, expected.errors ?? []))) {
    return `${id}: errors differ`;
  }
  const text = own(output, 'message');
  return profile === 'olm-v1' && text !== asDocumented(expected.message ?? '')
    ? `${id}: message differs`
    : undefined;
}

/** `pairs` are the definitions of the rows, where the rows have none of their own. */
function itAgrees(rows: readonly GoldenRow[], pairs: readonly GoldenRow[] = rows): void {
  const sources = new Map(pairs.map((pair) => [pair.id, pair]));
  for (const profile of ['olm-v1', 'crdify'] as const) {
    it(`${profile} on ${rows.length} rows`, async () => {
      const wrong: string[] = [];
      for (const row of rows) {
        const source = sources.get(row.id) ?? {};
        const [old, next] = [own(source, 'old') ?? null, own(source, 'new') ?? null];
        const expected = own(row, profile) as unknown as Expected;
        const problem = await check(row.id, profile, expected, old, next);
        if (problem !== undefined) wrong.push(problem);
      }
      expect(wrong).to.deep.equal([]);
      // Each finding's effect is proven too, on machines that do other things meanwhile.
    }).timeout(300_000);
  }
}

describe('golden: crd', () => {
  itAgrees(goldenRows('crd-synthetic'));
});

describe('golden: crd, alternatives and options of crdify', () => {
  for (const file of ['crd-one-of', 'crd-options']) {
    const rows = goldenRows(file);
    it(`olm-v1.10 on ${rows.length} rows of ${file}`, async () =>
      expect(await differing(rows)).to.deep.equal([])).timeout(300_000);
  }

  async function differing(rows: readonly GoldenRow[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const row of rows) {
      const input = {
        old: own(row, 'old') ?? null,
        new: own(row, 'new') ?? null,
        crdify: own(row, 'crdify') ?? {},
      };
      const said = await answer('crd', { ...input, profile: 'olm-v1.10', effects: false });
      const [verdict, output, expected] = [said['verdict'], said['output'], row['expect']];
      if (!isObject(verdict) || !isObject(output) || !isObject(expected)) {
        wrong.push(`${row.id}: no verdict: ${JSON.stringify(said)}`);
        continue;
      }
      const lines = ({ errors }: JsonObject): string[] => [
        ...new Set((errors as JsonObject[]).map(line)),
      ];
      const [got, wanted] = [lines(output).sort(), lines(expected).sort()];
      const isSame = sameJson(got, wanted) && verdict['allowed'] === expected['allowed'];
      if (!isSame) wrong.push(`${row.id}: ${JSON.stringify({ got, wanted })}`);
    }
    return wrong;
  }

  /** The words of what no rule explains are a Go differ's own. */
  function line({ phase, version, property, validation, message }: JsonObject): string {
    const words = validation === 'unhandled' ? null : message;
    return JSON.stringify([phase, version, property, validation, words]);
  }
});

describe('golden: crd, what no rule explains', () => {
  for (const row of goldenRows('crd-unhandled')) {
    it(row.id, async () => {
      const input = { old: own(row, 'old') ?? null, new: own(row, 'new') ?? null };
      const said = await answer('crd', { ...input, profile: 'olm-v1.10', effects: false });
      const [output, expected] = [said['output'], row['expect']];
      if (!isObject(output) || !isObject(expected)) throw new Error(JSON.stringify(said));
      expect(linesOf(output['message'])).to.equal(linesOf(expected['message']));
    });
  }
});

describeReleases('golden: crd, on releases of public operators', () => {
  itAgrees(releaseRows('golden/crd-real.jsonl.br'), releaseRows('real/crd-pairs.jsonl.br'));
});
