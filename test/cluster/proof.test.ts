/** Proofs on a real API server: witnesses break there too, and what is safe breaks nothing there either. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type ProofResult } from '../../src/upgrade/proof/index.js';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import {
  schemaPairs,
  valuesFor,
  type SchemaPair,
} from '../../src/upgrade/proof/testing/random-pairs.js';
import { isObject, own, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { install, objectsOf, replace } from './replaced-definition.js';

const wanted = { breaking: 60, safe: 60, objects: 50 };
const atOnce = 8;
const group = 'proof.example.com';

interface Case {
  readonly plural: string;
  readonly pair: SchemaPair;
  readonly results: readonly ProofResult[];
}

function definition(plural: string, spec: JsonObject, isNew = false): JsonObject {
  const kind = `K${plural}`;
  const names = { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec, ...(isNew ? { marker: { type: 'boolean' } } : {}) },
  };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  };
}

/** The same pairs in every run. */
function cases(
  prefix: string,
  isWanted: (results: readonly ProofResult[]) => boolean,
  count: number,
): Case[] {
  const found: Case[] = [];
  for (const [index, pair] of fc.sample(schemaPairs, { numRuns: 600, seed: 20 }).entries()) {
    if (found.length === count) break;
    const plural = `${prefix}${index}s`;
    const { results } = proveDocuments(
      definition(plural, pair.old),
      definition(plural, pair.new, true),
    );
    if (isWanted(results)) found.push({ plural, pair, results });
  }
  return found;
}

const isHarmless = ({ effect }: ProofResult): boolean => effect === 'safe' || effect === 'behavior';
const witnessOf = (results: readonly ProofResult[]): JsonObject | undefined =>
  results
    .filter(({ effect }) => effect === 'breaking')
    .map(({ witness }) => witness ?? null)
    .find((witness) => isObject(witness) && own(witness, 'old') === undefined) as
    JsonObject | undefined;

describe('a proof', () => {
  const cluster = useCluster();

  const named = (object: JsonObject, name: string): JsonObject => ({
    ...object,
    metadata: { name, namespace: 'default' },
  });

  const before = ({ plural, pair }: Case): JsonObject => definition(plural, pair.old);
  const after = ({ plural, pair }: Case): JsonObject => definition(plural, pair.new, true);

  async function each(all: readonly Case[], work: (one: Case) => Promise<void>): Promise<void> {
    const left = [...all];
    const workers = Array.from({ length: atOnce }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    });
    await Promise.all(workers);
  }

  it(`${wanted.breaking} witnesses are accepted before, kept, and refused after`, async function () {
    this.timeout(600_000);
    const breaking = cases(
      'broken',
      (results) => witnessOf(results) !== undefined,
      wanted.breaking,
    );
    expect(breaking).to.have.length(wanted.breaking);
    await each(breaking, async (one) => {
      const witness = witnessOf(one.results) as JsonObject;
      const url = objectsOf(before(one));
      await install(cluster(), before(one));
      const created = await cluster().request('POST', url, named(witness, 'witness'));
      expect(created.code, JSON.stringify(created.body)).to.equal(201);
      // Refused as it was written, or as it is stored with the old defaults.
      const bodies = [witness, created.body as unknown as JsonObject];
      const refuses = async (): Promise<boolean> => {
        for (const body of bodies) {
          const again = named({ ...body }, 'again');
          const { code } = await cluster().request('POST', `${url}?dryRun=All`, again);
          if (code === 422) return true;
        }
        return false;
      };
      await replace(cluster(), after(one), refuses);
      const { code } = await cluster().request('GET', `${url}/witness`);
      expect(code, 'it is still there').to.equal(200);
    });
  });

  it(`${wanted.safe} safe upgrades survive ${wanted.objects} objects each`, async function () {
    this.timeout(600_000);
    const safe = cases(
      'safe',
      (results) => results.length > 0 && results.every(isHarmless),
      wanted.safe,
    );
    expect(safe).to.have.length(wanted.safe);
    let accepted = 0;
    await each(safe, async (one) => {
      const url = `${objectsOf(before(one))}?dryRun=All`;
      await install(cluster(), before(one));
      const kept: JsonObject[] = [];
      const specs = fc.sample(valuesFor(one.pair.old), { numRuns: wanted.objects, seed: 5 });
      for (const [index, spec] of specs.entries()) {
        const kind = `K${one.plural}`;
        const object = named({ apiVersion: `${group}/v1`, kind, spec }, `o${index}`);
        const { code } = await cluster().request('POST', url, object);
        if (code === 201) kept.push(object);
      }
      accepted += kept.length;
      const [first] = kept;
      if (first === undefined) return;
      // The new schema keeps a field that the old one prunes.
      await replace(cluster(), after(one), async () => {
        const { body } = await cluster().request('POST', url, { ...first, marker: true });
        return body['marker'] === true;
      });
      for (const object of kept) {
        const { code, body } = await cluster().request('POST', url, object);
        expect(code, JSON.stringify([one.pair, object, body])).to.equal(201);
      }
    });
    expect(accepted).to.be.greaterThan(wanted.safe * 5);
  });

  const string = { type: 'string' };
  const integer = { type: 'integer' };
  const spec = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
  const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
  /** Of v1, and of v2 before and after. */
  const revealed: [name: string, written: JsonObject, before: JsonObject, after: JsonObject][] = [
    ['types', spec({ f: string }), spec({}), spec({ f: integer })],
    [
      'bounds',
      spec({ o: spec({ f: string }) }),
      spec({ o: spec({ a: string }) }),
      spec({ o: spec({ a: string, f: { ...string, maxLength: 2 } }) }),
    ],
    [
      'items',
      spec({ l: list(spec({ a: string, f: string })) }),
      spec({ l: list(spec({ a: string })) }),
      spec({ l: list(spec({ a: string, f: integer })) }),
    ],
  ];
  for (const [name, written, before, after] of revealed) {
    it(`what v1 has stored is refused by v2, which has pruned it so far: ${name}`, async () => {
      const plural = `revealed${name}`;
      const of = (read: JsonObject): JsonObject => {
        const made = definition(plural, written) as {
          spec: { versions: JsonObject[] };
        } & JsonObject;
        const schema = { openAPIV3Schema: spec({ spec: read }) };
        const version = { name: 'v2', served: true, storage: false, schema };
        return { ...made, spec: { ...made.spec, versions: [...made.spec.versions, version] } };
      };
      const [old, next] = [of(before), of(after)];
      const told = proveDocuments(old, next).results.filter(({ from }) => from !== undefined);
      expect(told.map(({ effect, version, from }) => [effect, version, from])).to.deep.equal([
        ['breaking', 'v2', 'v1'],
      ]);
      await install(cluster(), old);
      const [url, read] = [objectsOf(old), objectsOf(old).replace('/v1/', '/v2/')];
      const witness = named(told[0]?.witness as JsonObject, 'witness');
      const body = { ...witness, apiVersion: `${group}/v1` };
      expect((await cluster().request('POST', url, body)).code).to.equal(201);
      const copied = async (): Promise<number> => {
        const stored = await cluster().request('GET', `${read}/witness`);
        expect(stored.code).to.equal(200);
        const copy = named(stored.body as unknown as JsonObject, 'copy');
        return (await cluster().request('POST', `${read}?dryRun=All`, copy)).code;
      };
      expect(await copied(), 'as v2 has shown it so far').to.equal(201);
      await replace(cluster(), next, async () => (await copied()) === 422);
      const again = named(body, 'again');
      const { code } = await cluster().request('POST', `${url}?dryRun=All`, again);
      expect(code, 'v1 takes it still').to.equal(201);
    });
  }

  it('a rule that always holds is refused where one evaluation of it costs too much', async () => {
    const of = (more: JsonObject, isNew = false): JsonObject => {
      const items = { ...string, enum: ['a', 'b'] };
      const f = { ...{ type: 'array', maxItems: 60_000, items }, ...more };
      return definition('costlies', spec({ f }), isNew);
    };
    // Each item pays for all of it.
    const text = `self.all(x, ${"x == 'b' || ".repeat(30)}x == 'a')`;
    const [old, next] = [of({}), of({ 'x-kubernetes-validations': [{ rule: text }] }, true)];
    const { effect, results } = proveDocuments(old, next);
    expect(effect).to.equal('undecided');
    const told = results.map(({ reason }) => reason).join();
    expect(told).to.include('may cost more than an API server spends on one evaluation');
    await install(cluster(), old);
    const url = `${objectsOf(old)}?dryRun=All`;
    const many = (count: number): JsonObject =>
      named(
        {
          ...{ apiVersion: `${group}/v1`, kind: 'Kcostlies', marker: true },
          spec: { f: Array<string>(count).fill('a') },
        },
        'many',
      );
    const large = await cluster().request('POST', url, many(30_000));
    expect(large.code, 'before').to.equal(201);
    await replace(cluster(), next, async () => {
      const { body } = await cluster().request('POST', url, many(10));
      return body['marker'] === true;
    });
    const { code, text: answer } = await cluster().request('POST', url, many(30_000));
    expect(code, answer).to.equal(422);
    expect(answer).to.include('call cost exceeds limit');
  });
});
