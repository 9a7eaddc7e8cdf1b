/**
 * What a proof says of writes to stored objects, on a real API server: the witness is stored under the
 * old definition; under the new one its metadata can be changed, or no update is accepted.
 */
import { expect } from 'chai';
import { type ProofResult } from '../../src/upgrade/proof/index.js';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import { wildPair } from '../../src/upgrade/proof/testing/wild-pairs.js';
import { newestMinor } from '../../src/kubernetes/index.js';
import { judgeDefinition } from '../../src/kubernetes/definition/testing/judge-definition.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { install, objectsOf, replace } from './replaced-definition.js';
import { storedWriteRows, type StoredWriteRow } from './stored-write-rows.js';

const group = 'writes.example.com';
const wild = { pairs: 400, wanted: 60 };
const atOnce = 6;

function definition(plural: string, schema: JsonValue, scale?: JsonObject): JsonObject {
  const kind = `K${plural}`;
  const names = { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` };
  const version = {
    ...{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
    ...(scale === undefined ? {} : { subresources: { scale } }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  };
}

/** A schema whose spec holds a list of texts. */
function list(more: JsonObject = {}): JsonObject {
  const values = { type: 'array', items: { type: 'string' }, ...more };
  const spec = { type: 'object', properties: { list: values } };
  return { type: 'object', properties: { spec } };
}

interface Pair {
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly results: readonly ProofResult[];
}

function proven(
  plural: string,
  { old, next, scale }: Omit<StoredWriteRow, 'when' | 'stored'>,
): Pair {
  const [before, after] = [definition(plural, old, scale), definition(plural, next, scale)];
  return { old: before, next: after, results: proveDocuments(before, after).results };
}

const inOneWord = (stored: ProofResult['stored']): string =>
  stored?.update === 'refused' ? 'stuck' : 'updatable';

const breaks = ({ effect }: ProofResult): boolean => effect === 'breaking';

/** What is stored, and what is refused when it is created under the new definition. */
function objectsOfWitness(result: ProofResult): { stored: JsonObject; isTransition: boolean } {
  const witness = result.witness ?? null;
  if (!isObject(witness)) throw new Error(`${result.path} has no witness`);
  const before = own(witness, 'old');
  return { stored: (before ?? witness) as JsonObject, isTransition: before !== undefined };
}

describe('writes of stored objects that a new definition refuses', () => {
  const cluster = useCluster();

  const named = (object: JsonObject, name: string): JsonObject => ({
    ...object,
    metadata: { ...(own(object, 'metadata') as JsonObject), name, namespace: 'default' },
  });

  /** What the API server says to an update of each witness: in one word, beside what the proof says. */
  async function answersTo({ old, next, results }: Pair): Promise<[string, string][]> {
    const url = objectsOf(old);
    const broken = results.filter(breaks);
    await install(cluster(), old);
    for (const [index, result] of broken.entries()) {
      const { stored } = objectsOfWitness(result);
      const { code, body } = await cluster().request('POST', url, named(stored, `w${index}`));
      expect(code, JSON.stringify([body, stored])).to.equal(201);
    }
    // A field that only the new definition keeps tells when it is served.
    const { versions } = next['spec'] as {
      versions: { schema: { openAPIV3Schema: JsonObject } }[];
    };
    const schema = versions[0]?.schema.openAPIV3Schema as JsonObject;
    schema['properties'] = {
      ...(own(schema, 'properties') as JsonObject),
      marker: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    };
    const probe = named({ ...objectsOfWitness(broken[0] as ProofResult).stored }, 'probe');
    await replace(cluster(), next, async () => {
      const marked = { ...probe, marker: { is: 'kept' } };
      const { body, code } = await cluster().request('POST', `${url}?dryRun=All`, marked);
      return code === 422 || own(body as JsonObject, 'marker') !== undefined;
    });
    const answers: [string, string][] = [];
    for (const [index, { path, stored: answered }] of broken.entries()) {
      const stored = inOneWord(answered);
      const patch = { metadata: { annotations: { changed: 'yes' } } };
      const contentType = 'application/merge-patch+json';
      const { code, body } = await cluster().request('PATCH', `${url}/w${index}`, patch, {
        contentType,
      });
      const word = code === 200 ? 'updatable' : code === 422 ? 'stuck' : JSON.stringify(body);
      answers.push([`${path} ${stored}`, `${path} ${word}`]);
    }
    return answers;
  }

  for (const [index, row] of storedWriteRows.entries()) {
    it(`${row.when}: ${row.stored}`, async () => {
      const pair = proven(`rows${index}s`, row);
      const broken = pair.results.filter(breaks);
      expect(broken.map(({ stored }) => inOneWord(stored))).to.deep.equal([row.stored]);
      const isSince = row.stored === 'updatable' && row.isAlways !== true;
      expect(broken[0]?.storedFrom).to.equal(isSince ? '1.30' : undefined);
      for (const [said, answered] of await answersTo(pair)) expect(answered).to.equal(said);
    });
  }

  it('a list that becomes a set is stored with a value twice: it may get another one twice', async () => {
    const pair = proven('sets', {
      old: list(),
      next: list({ 'x-kubernetes-list-type': 'set' }),
    });
    expect(pair.results.find(breaks)?.stored).to.deep.equal({
      create: 'refused',
      update: 'accepted',
    });
    await answersTo(pair);
    const contentType = 'application/merge-patch+json';
    const patch = { spec: { list: ['a', 'a', 'b', 'b'] } };
    const url = `${objectsOf(pair.old)}/w0`;
    const { code } = await cluster().request('PATCH', url, patch, { contentType });
    expect(code).to.equal(200);
  });

  it(`${wild.wanted} random pairs with every keyword: each as the proof says`, async function () {
    this.timeout(600_000);
    const pairs: Pair[] = [];
    for (let seed = 1; seed <= wild.pairs && pairs.length < wild.wanted; seed++) {
      const { before, after, from, to } = wildPair(seed);
      if (from !== to) continue;
      const pair = proven(`wild${seed}s`, { old: before, next: after });
      const isTaken = [pair.old, pair.next].every(
        (each) => judgeDefinition(each, undefined, [newestMinor]).length === 0,
      );
      if (isTaken && pair.results.some(breaks)) pairs.push(pair);
    }
    expect(pairs).to.have.length(wild.wanted);
    const answers: [string, string][] = [];
    const workers = Array.from({ length: atOnce }, async () => {
      for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
        answers.push(...(await answersTo(pair)));
      }
    });
    await Promise.all(workers);
    expect(answers.length).to.be.at.least(wild.wanted);
    expect(answers.filter(([said, answered]) => said !== answered)).to.deep.equal([]);
  });
});
