import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import {
  asDocumented,
  answer,
  describeGolden,
  goldenRows,
  sameJson,
  sharedRows,
} from './golden.js';

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

/** What PREFLIGHT.md says is compared for each profile. */
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

async function judge(profile: Profile, old: JsonValue, next: JsonValue): Promise<JsonObject> {
  return answer('crd', { old, new: next, profile });
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

describeGolden('crd', () => {
  const pairs = new Map(sharedRows('real/crd-pairs.jsonl.br').map((row) => [row.id, row]));
  for (const file of ['crd-synthetic.jsonl.br', 'crd-real.jsonl.br']) {
    const rows = goldenRows(file);
    for (const profile of ['olm-v1', 'crdify'] as const) {
      it(`${profile} on the ${rows.length} rows of ${file}`, async () => {
        const wrong: string[] = [];
        for (const row of rows) {
          const source = Object.hasOwn(row, 'old') ? row : pairs.get(row.id);
          const old = own(source ?? {}, 'old') ?? null;
          const next = own(source ?? {}, 'new') ?? null;
          const expected = own(row, profile) as unknown as Expected;
          const problem = await check(row.id, profile, expected, old, next);
          if (problem !== undefined) wrong.push(problem);
        }
        expect(wrong).to.deep.equal([]);
        // Each finding's effect is proven too, on machines that do other things meanwhile.
      }).timeout(300_000);
    }
  }
});
