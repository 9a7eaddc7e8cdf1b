/**
 * Every pair written by hand, on a real API server: objects that the old definition took, applied by two
 * appliers, are read, updated, applied and created again under the new definition, and their status is
 * written. The verdict must deny what harms one of these requests, and allow what harms none.
 */
import { expect } from 'chai';
import { check, defaultPolicy } from '../../src/policy/index.js';
import { Judge, type ProofResult } from '../../src/upgrade/index.js';
import type { StoredAnswers } from '../../src/rule/index.js';
import { Dice } from '../../src/upgrade/proof/testing/dice.js';
import { harmful, harmless } from '../../src/upgrade/proof/testing/kinds-of-change.js';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import { repeats, reshaped } from '../../src/upgrade/proof/testing/repeated-bounds.js';
import { wildObject } from '../../src/upgrade/proof/testing/wild-objects.js';
import { object } from '../../src/upgrade/rules/crd/testing/definition.js';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { definitions } from './widgets.js';
import { storedWriteRows } from './stored-write-rows.js';

const group = 'hand.example.com';
const atOnce = 6;
const samplesEach = 4;
const triesEach = 24;

/** Requests that a change may harm. */
type Request = 'read' | 'update' | 'status' | 'create' | 'apply' | 'transition';

interface Sample {
  readonly name: string;
  /** As it was written. */
  readonly written: JsonObject;
  /** Set for a witness. */
  readonly result?: ProofResult;
  /** The update that the witness of a transition rule is about. */
  readonly update?: JsonObject;
  /** As the old definition stores it, with what both appliers apply. */
  stored?: JsonObject;
  appliers: { readonly manager: string; readonly applied: JsonObject }[];
  readonly harmed: Set<Request>;
}

interface Pair {
  readonly title: string;
  readonly url: string;
  readonly kind: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly isAllowed: boolean;
  /** Findings that only warn of harm, as the policy says of their kind. */
  readonly mild: readonly string[];
  readonly samples: Sample[];
}

const fieldOf = (field: JsonObject): JsonObject => object({ spec: object({ f: field }) });

const titled: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ...[...harmless, ...harmful, ...repeats, ...reshaped].map(
    ([title, old, next]) => [title, fieldOf(old), fieldOf(next)] as const,
  ),
  ...storedWriteRows
    .filter(({ scale }) => scale === undefined)
    .map(({ when, old, next }) => [when, old, next] as const),
];

function definition(index: number, schema: JsonObject): JsonObject {
  const names = { plural: `h${index}s`, singular: `h${index}`, kind: `H${index}` };
  const properties = own(schema, 'properties') as JsonObject;
  const openAPIV3Schema = {
    ...schema,
    properties: { ...properties, status: object({ seen: { type: 'integer' } }) },
  };
  const subresources = { status: {} };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced', names: { ...names, listKind: `${names.kind}List` } },
      versions: [
        { name: 'v1', served: true, storage: true, subresources, schema: { openAPIV3Schema } },
      ],
    },
  };
}

const schemaIn = (crd: JsonObject): JsonObject =>
  (crd as unknown as { spec: { versions: { schema: { openAPIV3Schema: JsonObject } }[] } }).spec
    .versions[0]?.schema.openAPIV3Schema ?? {};

/** The new definition with a field that tells when the API server goes by it. */
function marked(crd: JsonObject): JsonObject {
  const copy = structuredClone(crd);
  const marker = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  (schemaIn(copy)['properties'] as JsonObject)['marker'] = marker;
  return copy;
}

/** An object that the old definition takes, where random ones are too seldom. */
function anyObject(index: number, schema: JsonObject): JsonValue | undefined {
  const refused = { ...schema, 'x-kubernetes-validations': [{ rule: 'false' }] };
  const { results } = proveDocuments(definition(index, schema), definition(index, refused));
  return results.find(({ effect }) => effect === 'breaking')?.witness;
}

const judge = Judge.for(defaultPolicy);
const now = new Date('2026-06-01T00:00:00Z');

async function pairOf(
  index: number,
  [title, before, after]: (typeof titled)[number],
): Promise<Pair> {
  const [old, next] = [definition(index, before), definition(index, after)];
  const { findings, proof, previous } = judge.upgrade(old, next);
  const question = { subject: { groups: [], name: '' }, findings, previous };
  const { verdict } = await check(question, defaultPolicy, { now });
  // Where the rules refuse nothing, there is no proof.
  const { results } = proof ?? proveDocuments(old, next);
  const dice = new Dice(index);
  const of = (written: JsonObject, more: Partial<Sample> = {}): Sample => ({
    ...{ name: '', written, appliers: [], harmed: new Set<Request>(), ...more },
  });
  const witnesses = results.flatMap((result) => {
    const { witness = null } = result;
    if (!isObject(witness) || !['breaking', 'data-loss'].includes(result.effect)) return [];
    const [stored, update] = [own(witness, 'old'), own(witness, 'new')] as JsonObject[];
    return [of(stored ?? witness, { result, ...(update && { update }) })];
  });
  const any = anyObject(index, before);
  const wild = Array.from({ length: triesEach }, () => of(wildObject(dice, before, after)));
  const samples = [...witnesses, ...(any === undefined ? [] : [of(any as JsonObject)]), ...wild];
  return {
    ...{ title, old, next, kind: `H${index}` },
    url: `/apis/${group}/v1/namespaces/default/h${index}s`,
    isAllowed: verdict.allowed,
    mild: results.filter(({ harm }) => harm !== undefined).map(({ reason }) => reason),
    samples: samples.map((sample, at) => ({ ...sample, name: `s${at}` })),
  };
}

/** Whether everything in the first value is in the second. */
function holds(all: JsonValue | undefined, some: JsonValue | undefined): boolean {
  if (isObject(some) && all !== undefined && isObject(all)) {
    return Object.entries(some).every(([key, value]) => holds(own(all, key), value));
  }
  if (Array.isArray(some) && Array.isArray(all)) {
    return some.length === all.length && some.every((each, at) => holds(all[at], each));
  }
  return stringifyJson(all ?? null) === stringifyJson(some ?? null);
}

const specOf = (stored: JsonObject): JsonValue => own(stored, 'spec') ?? null;

/** Does each in turn, several at once. */
async function forAll<T>(all: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

describe('pairs by hand on a real API server', function () {
  this.timeout(600_000);
  const cluster = useCluster();
  const pairs: Pair[] = [];
  const refusedDefinitions: string[] = [];

  const send = (
    method: string,
    path: string,
    body?: JsonValue,
    contentType?: string,
  ): Promise<Answer> =>
    cluster().request(
      method,
      path,
      body === undefined ? undefined : stringifyJson(body),
      contentType === undefined ? {} : { contentType },
    );
  const merge = (path: string, body: JsonObject): Promise<Answer> =>
    send('PATCH', path, body, 'application/merge-patch+json');
  const apply = (url: string, name: string, body: JsonObject, manager: string): Promise<Answer> =>
    send('PATCH', `${url}/${name}?fieldManager=${manager}`, body, 'application/apply-patch+yaml');

  function named({ kind }: Pair, written: JsonObject, name: string): JsonObject {
    const { metadata, status: _, ...body } = written;
    const finalMetadata = isObject(metadata ?? null) ? (metadata as JsonObject) : {};
    const { resourceVersion } = finalMetadata;
    const version = resourceVersion === undefined ? {} : { resourceVersion };
    return {
      ...body,
      ...{ apiVersion: `${group}/v1`, kind },
      metadata: { name, namespace: 'default', ...version },
    };
  }

  const readOf = async ({ url }: Pair, { name }: Sample): Promise<JsonObject> =>
    parseJson((await send('GET', `${url}/${name}`)).text) as JsonObject;

  /** Whether all appliers can apply what they applied, and nothing of the object changes by it. */
  async function appliesAgain(pair: Pair, sample: Sample): Promise<boolean> {
    for (const { manager, applied } of sample.appliers) {
      const { code, text } = await apply(pair.url, sample.name, applied, manager);
      if (code !== 200) return false;
      if (!holds(specOf(parseJson(text) as JsonObject), specOf(sample.stored ?? {}))) return false;
    }
    return true;
  }

  /** Stores what the old definition takes, by two appliers where that is possible. */
  async function store(pair: Pair): Promise<void> {
    const kept: Sample[] = [];
    for (const sample of pair.samples) {
      if (sample.result === undefined && kept.length >= samplesEach) continue;
      const applied = named(pair, sample.written, sample.name);
      const { code, text } = await apply(pair.url, sample.name, applied, 'first');
      if (code !== 201) {
        if (sample.result === undefined) continue;
        throw new Error(`${pair.title}: the witness ${stringifyJson(applied)} is refused: ${text}`);
      }
      sample.stored = parseJson(text) as JsonObject;
      sample.appliers = [{ manager: 'first', applied }];
      const isKnown = kept.some(({ stored = {} }) =>
        holds(specOf(stored), specOf(sample.stored ?? {})),
      );
      if (isKnown && sample.result === undefined) continue;
      kept.push(sample);
    }
    for (const [at, sample] of kept.entries()) {
      const other = kept[(at + 1) % kept.length] as Sample;
      if (sample.result !== undefined || other === sample) continue;
      const second = named(pair, other.written, sample.name);
      const { code, text } = await apply(pair.url, sample.name, second, 'second');
      if (code !== 200) continue;
      sample.stored = parseJson(text) as JsonObject;
      sample.appliers.push({ manager: 'second', applied: second });
      if (!(await appliesAgain(pair, sample))) sample.appliers = [];
    }
    pair.samples.splice(0, pair.samples.length, ...kept);
  }

  /** Updates from one sample to another that the API server takes. */
  async function transitions(pair: Pair): Promise<Set<string>> {
    const taken = new Set<string>();
    for (const [at, from] of pair.samples.entries()) {
      const { samples } = pair;
      const targets = [samples[(at + 1) % samples.length], samples[(at + 2) % samples.length]];
      const bodies = from.update ? [from.update] : targets.map((to) => to?.written ?? {});
      for (const [index, body] of bodies.entries()) {
        const { metadata = {} } = await readOf(pair, from);
        const update = named(pair, { ...body, metadata }, from.name);
        const { code } = await send('PUT', `${pair.url}/${from.name}?dryRun=All`, update);
        if (code === 200) taken.add(`${from.name} ${index}`);
      }
    }
    return taken;
  }

  const before = new Map<Pair, Set<string>>();

  async function askAgain(pair: Pair): Promise<void> {
    const after = await transitions(pair);
    for (const sample of pair.samples) {
      const { name, stored = {}, harmed } = sample;
      const at = `${pair.url}/${name}`;
      const read = await readOf(pair, sample);
      const isWhole = (answer: JsonObject): boolean => holds(answer, { spec: specOf(stored) });
      if (!isWhole(read)) harmed.add('read');
      const again = await send('PUT', `${at}?dryRun=All`, read);
      if (again.code !== 200) harmed.add('update');
      const label = { metadata: { annotations: { changed: 'yes' } } };
      if ((await merge(`${at}?dryRun=All`, label)).code !== 200) harmed.add('update');
      if ((await merge(`${at}/status`, { status: { seen: 1 } })).code !== 200) harmed.add('status');
      const copy = named(pair, { ...stored, metadata: {} }, `${name}-copy`);
      const created = await send('POST', `${pair.url}?dryRun=All`, copy);
      if (created.code !== 201) harmed.add('create');
      if (!(await appliesAgain(pair, sample))) harmed.add('apply');
      const was = [...(before.get(pair) ?? [])].filter((each) => each.startsWith(`${name} `));
      if (was.some((each) => !after.has(each))) harmed.add('transition');
    }
  }

  before_();
  function before_(): void {
    void 0;
  }

  it('are judged, stored and replaced', async () => {
    for (const [index, row] of titled.entries()) pairs.push(await pairOf(index, row));
    const taken: Pair[] = [];
    await forAll(pairs, async (pair) => {
      for (const crd of [marked(pair.next), pair.old]) {
        const isLast = crd === pair.old;
        const { code, text } = await send(
          'POST',
          `${definitions}${isLast ? '' : '?dryRun=All'}`,
          crd,
        );
        if (code !== 201) {
          refusedDefinitions.push(`${pair.title}: ${text}`);
          return;
        }
      }
      taken.push(pair);
    });
    console.log(new Date(), 'created', pairs.length, refusedDefinitions);
    pairs.splice(0, pairs.length, ...taken);
    for (const { url } of pairs) {
      await until(`${url} to be served`, async () =>
        (await send('GET', url)).code === 200 ? true : undefined,
      );
    }
    console.log(new Date(), 'served');
    await forAll(pairs, async (pair) => {
      await store(pair);
      before.set(pair, await transitions(pair));
    });
    console.log(new Date(), 'stored');
    await forAll(pairs, async ({ next }) => {
      const { name } = next['metadata'] as { name: string };
      await until(`${name} to be replaced`, async () => {
        const { body } = await send('GET', `${definitions}/${name}`);
        const metadata = { name, resourceVersion: body.metadata?.resourceVersion ?? '' };
        const answer = await send('PUT', `${definitions}/${name}`, { ...marked(next), metadata });
        if (answer.code === 409) return undefined;
        expect(answer.code, answer.text).to.equal(200);
        return true;
      });
    });
    console.log(new Date(), 'replaced');
    await forAll(pairs, async (pair) => {
      const probe = {
        ...named(pair, pair.samples[0]?.written ?? {}, 'probe'),
        marker: { is: 'kept' },
      };
      await until(`the new schema of ${pair.url}`, async () => {
        const { code, body } = await send('POST', `${pair.url}?dryRun=All`, probe);
        return code === 422 || body['marker'] !== undefined ? true : undefined;
      });
      await askAgain(pair);
    });
    console.log(new Date(), 'asked');
    const few = pairs
      .filter(({ samples }) => samples.length < 2)
      .map(({ title, samples }) => [title, samples.length]);
    console.log('few samples', few.length, few);
    const show = (pair: Pair): string =>
      `${pair.title}: ${pair.samples
        .filter(({ harmed }) => harmed.size > 0)
        .map(
          ({ stored, harmed, result }) =>
            `${[...harmed]} ${result ? 'W' : ''} ${stringifyJson(specOf(stored ?? {}))}`,
        )
        .join('; ')} mild ${pair.mild}`;
    const isHarmed = ({ samples }: Pair): boolean => samples.some(({ harmed }) => harmed.size > 0);
    console.log(
      'counts',
      pairs.length,
      pairs.filter(({ isAllowed }) => isAllowed).length,
      pairs.filter(isHarmed).length,
    );
    console.log('HARM PASSED', pairs.filter((p) => p.isAllowed && isHarmed(p)).map(show));
    console.log('HARMLESS DENIED', pairs.filter((p) => !p.isAllowed && !isHarmed(p)).map(show));
    const wrong = pairs.flatMap((p) =>
      p.samples.flatMap((s) => {
        const said = s.result?.stored as StoredAnswers | undefined;
        if (said === undefined)
          return s.result?.effect === 'breaking' ? [`${p.title} no stored`] : [];
        const is = (r: Request): string => (s.harmed.has(r) ? 'refused' : 'ok');
        const w = (a: string | undefined): string => (a === 'refused' ? 'refused' : 'ok');
        const a = [
          is('create'),
          is('update'),
          said.status === undefined ? '' : is('status'),
        ].join();
        const b = [
          w(said.create),
          w(said.update),
          said.status === undefined ? '' : w(said.status),
        ].join();
        return a === b
          ? []
          : [
              `${p.title}: said ${stringifyJson(said as never)} is ${a} ${stringifyJson(specOf(s.stored ?? {}))} ${s.update ? 'transition' : ''}`,
            ];
      }),
    );
    console.log('STORED WRONG', wrong);
  });
});
