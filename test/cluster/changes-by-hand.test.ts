/**
 * Every pair written by hand, on a real API server: objects that the old definition took, applied by two
 * appliers, are read, updated, applied and created again under the new definition, and their status is
 * written. The verdict must deny what harms one of these requests, and allow what harms none.
 */
import { expect } from 'chai';
import { check, defaultPolicy } from '../../src/policy/index.js';
import { Judge, type ProofResult } from '../../src/upgrade/index.js';
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
  readonly version: string;
  /** The field that the change is in. */
  readonly root: Root;
  /** Where the root is written, after the name of an object. */
  readonly written: '' | '/status';
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly isAllowed: boolean;
  /** Findings that only warn of harm, as the policy says of their kind. */
  readonly mild: readonly string[];
  readonly samples: Sample[];
}

type Root = 'spec' | 'status';

const fieldOf = (field: JsonObject, root: Root = 'spec'): JsonObject =>
  object({ [root]: object({ f: field, ...(root === 'status' && { seen: { type: 'integer' } }) }) });

/** Where the change is: in the one version and its spec if not said. */
type Where = 'status' | 'subresource' | 'version';

interface Titled {
  readonly title: string;
  /** Schemas of whole objects. */
  readonly old: JsonObject;
  readonly next: JsonObject;
  readonly value?: JsonObject | undefined;
  readonly where?: Where | undefined;
}

const rows = [...harmless, ...harmful, ...repeats, ...reshaped];

const rowOf = ([title, old, next, value]: (typeof harmful)[number], where?: Where): Titled => {
  const root = where === 'status' || where === 'subresource' ? 'status' : 'spec';
  const place = where === undefined ? '' : ` (${where})`;
  return {
    ...{ title: `${title}${place}`, where, value },
    ...{ old: fieldOf(old, root), next: fieldOf(next, root) },
  };
};

const titled: readonly Titled[] = [
  ...rows.map((row) => rowOf(row)),
  ...rows.flatMap((row, index) => {
    const where = ([undefined, 'version', 'status'] as const)[index % 3];
    return where === undefined
      ? []
      : [rowOf(row, where === 'status' && index % 2 === 0 ? 'subresource' : where)];
  }),
  ...storedWriteRows
    .filter(({ scale }) => scale === undefined)
    .map(({ when, old, next }) => ({ title: when, old, next })),
];

const logic = ['allOf', 'anyOf', 'not'];

/** With a status subresource, where API servers take it: beside logic at the root they do not. */
function definition(
  index: number,
  schema: JsonObject,
  next = schema,
  where: Where | undefined = undefined,
  /** Of the version that stays. */
  other = schema,
): JsonObject {
  const names = { plural: `h${index}s`, singular: `h${index}`, kind: `H${index}` };
  const isPlain = ![schema, next].some((each) => logic.some((key) => Object.hasOwn(each, key)));
  const hasStatus = where !== 'status' && isPlain;
  const versionOf = (name: string, storage: boolean, of: JsonObject): JsonObject => ({
    ...{ name, served: true, storage },
    schema: {
      openAPIV3Schema: {
        ...of,
        properties: {
          status: object({ seen: { type: 'integer' } }),
          ...(own(of, 'properties') as JsonObject),
        },
      },
    },
    ...(hasStatus && { subresources: { status: {} } }),
  });
  const versions =
    where === 'version'
      ? [versionOf('v1beta1', false, schema), versionOf('v1', true, other)]
      : [versionOf('v1', true, schema)];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced', names: { ...names, listKind: `${names.kind}List` } },
      versions,
    },
  };
}

/** The new definition with a field, in each version, that tells when the API server goes by it. */
function marked(crd: JsonObject): JsonObject {
  const copy = structuredClone(crd);
  const marker = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const { spec } = copy as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: { properties: JsonObject } } }[] };
  };
  for (const { schema } of spec.versions) schema.openAPIV3Schema.properties['marker'] = marker;
  return copy;
}

/** An object that the old definition takes, where random ones are too seldom. */
function anyObject(index: number, schema: JsonObject, where?: Where): JsonValue | undefined {
  const refused = { ...schema, 'x-kubernetes-validations': [{ rule: 'false' }] };
  const [old, next] = [schema, refused].map((each) => definition(index, each, each, where, schema));
  const { results } = proveDocuments(old as JsonObject, next as JsonObject);
  return results.find(({ effect }) => effect === 'breaking')?.witness;
}

const judge = Judge.for(defaultPolicy);
const now = new Date('2026-06-01T00:00:00Z');

async function pairOf(
  index: number,
  { title, old: before, next: after, value, where }: Titled,
): Promise<Pair> {
  const old = definition(index, before, after, where);
  const next = definition(index, after, before, where, before);
  const root = where === 'status' || where === 'subresource' ? 'status' : 'spec';
  const version = where === 'version' ? 'v1beta1' : 'v1';
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
  const any = anyObject(index, before, where);
  const wild = Array.from({ length: triesEach }, () => of(wildObject(dice, before, after)));
  const given = value === undefined ? [] : [of({ [root]: { f: value } })];
  const samples = [
    ...witnesses,
    ...given,
    ...(any === undefined ? [] : [of(any as JsonObject)]),
    ...wild,
  ];
  return {
    ...{ title, old, next, kind: `H${index}`, version, root },
    written: where === 'subresource' ? '/status' : '',
    url: `/apis/${group}/${version}/namespaces/default/h${index}s`,
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

const rootOf = ({ root }: Pair, stored: JsonObject): JsonValue => own(stored, root) ?? null;

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

  function named({ kind, version, root }: Pair, written: JsonObject, name: string): JsonObject {
    const { metadata, ...body } = written;
    if (root !== 'status') delete body['status'];
    const { resourceVersion } = (metadata ?? {}) as { resourceVersion?: string };
    return {
      ...body,
      ...{ apiVersion: `${group}/${version}`, kind },
      metadata: { name, namespace: 'default', ...(resourceVersion && { resourceVersion }) },
    };
  }

  const readOf = async ({ url }: Pair, { name }: Sample): Promise<JsonObject> =>
    parseJson((await send('GET', `${url}/${name}`)).text) as JsonObject;

  /** Whether all appliers can apply what they applied, and nothing of the object changes by it. */
  async function appliesAgain(pair: Pair, sample: Sample): Promise<boolean> {
    for (const { manager, applied } of sample.appliers) {
      const { code, text } = await apply(pair.url, sample.name, applied, manager);
      if (code !== 200) return false;
      const answered = rootOf(pair, parseJson(text) as JsonObject);
      if (pair.written === '' && !holds(answered, rootOf(pair, sample.stored ?? {}))) return false;
    }
    return true;
  }

  /** Stores what the old definition takes, by two appliers where that is possible. */
  async function store(pair: Pair): Promise<void> {
    const kept: Sample[] = [];
    for (const sample of pair.samples) {
      if (sample.result === undefined && kept.length >= samplesEach) continue;
      const applied = named(pair, sample.written, sample.name);
      let { code, text } = await apply(pair.url, sample.name, applied, 'first');
      if (code === 201 && pair.written !== '') {
        const written = await merge(`${pair.url}/${sample.name}${pair.written}`, {
          status: own(applied, 'status') ?? {},
        });
        code = written.code === 200 ? 201 : written.code;
        text = written.text;
      }
      if (code !== 201) {
        if (sample.result === undefined) continue;
        throw new Error(`${pair.title}: the witness ${stringifyJson(applied)} is refused: ${text}`);
      }
      sample.stored = parseJson(text) as JsonObject;
      sample.appliers = [{ manager: 'first', applied }];
      const isKnown = kept.some(({ stored = {} }) =>
        holds(rootOf(pair, stored), rootOf(pair, sample.stored ?? {})),
      );
      if (isKnown && sample.result === undefined) continue;
      kept.push(sample);
    }
    for (const [at, sample] of kept.entries()) {
      const other = kept[(at + 1) % kept.length] as Sample;
      if (sample.result !== undefined || other === sample || pair.written !== '') continue;
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
    const accepted = new Set<string>();
    for (const [at, from] of pair.samples.entries()) {
      const { samples } = pair;
      const targets = [samples[(at + 1) % samples.length], samples[(at + 2) % samples.length]];
      const bodies = from.update ? [from.update] : targets.map((to) => to?.written ?? {});
      for (const [index, body] of bodies.entries()) {
        const { metadata = {} } = await readOf(pair, from);
        const update = named(pair, { ...body, metadata }, from.name);
        const { code } = await send(
          'PUT',
          `${pair.url}/${from.name}${pair.written}?dryRun=All`,
          update,
        );
        if (code === 200) accepted.add(`${from.name} ${index}`);
      }
    }
    return accepted;
  }

  const taken = new Map<Pair, Set<string>>();

  async function askAgain(pair: Pair): Promise<void> {
    const after = await transitions(pair);
    for (const sample of pair.samples) {
      const { name, stored = {}, harmed } = sample;
      const at = `${pair.url}/${name}`;
      const read = await readOf(pair, sample);
      const isWhole = (answer: JsonObject): boolean =>
        holds(answer, { [pair.root]: rootOf(pair, stored) });
      if (!isWhole(read)) harmed.add('read');
      const again = await send('PUT', `${at}?dryRun=All`, read);
      if (again.code !== 200) harmed.add('update');
      const label = { metadata: { annotations: { changed: 'yes' } } };
      if ((await merge(`${at}?dryRun=All`, label)).code !== 200) harmed.add('update');
      const { code } = await merge(`${at}/status`, { status: { seen: 1 } });
      if (![200, 404].includes(code)) harmed.add('status');
      const copy = named(pair, { ...stored, metadata: {} }, `${name}-copy`);
      const created = await send('POST', `${pair.url}?dryRun=All`, copy);
      if (created.code !== 201) harmed.add('create');
      if (!(await appliesAgain(pair, sample))) harmed.add('apply');
      const was = [...(taken.get(pair) ?? [])].filter((each) => each.startsWith(`${name} `));
      if (was.some((each) => !after.has(each))) harmed.add('transition');
    }
  }

  before('judge, store and replace', async () => {
    const all: Pair[] = [];
    for (const [index, row] of titled.entries()) all.push(await pairOf(index, row));
    await forAll(all, async ({ old }) => {
      const { code, text } = await send('POST', definitions, old);
      expect(code, text).to.equal(201);
    });
    await forAll(all, async (pair) => {
      await until(`${pair.url} to be served`, async () =>
        (await send('GET', pair.url)).code === 200 ? true : undefined,
      );
      await store(pair);
      taken.set(pair, await transitions(pair));
    });
    await forAll(all, async ({ next }) => {
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
    await forAll(all, async (pair) => {
      const [first] = pair.samples;
      const probe = { ...named(pair, first?.written ?? {}, 'probe'), marker: { is: 'kept' } };
      await until(`the new schema of ${pair.url}`, async () => {
        const { code, body } = await send('POST', `${pair.url}?dryRun=All`, probe);
        return code === 422 || body['marker'] !== undefined ? true : undefined;
      });
      await askAgain(pair);
    });
    pairs.push(...all);
  });

  const isHarmed = ({ samples }: Pair): boolean => samples.some(({ harmed }) => harmed.size > 0);
  const show = (pair: Pair): string =>
    [
      pair.title,
      ...pair.samples.map(
        ({ harmed, stored }) =>
          `${[...harmed].join()} ${stringifyJson(rootOf(pair, stored ?? {}))}`,
      ),
    ].join('\n  ');

  it('are put to it with several objects each', () => {
    const least = ({ written }: Pair): number => (written === '' ? 2 : 1);
    expect(pairs).to.have.length.of.at.least(400);
    expect(pairs.filter((pair) => pair.samples.length < least(pair)).map(show)).to.deep.equal([]);
    expect(pairs.filter(isHarmed)).to.have.length.of.at.least(150);
  });

  it('pass no harm, but that of absurd values, which is warned of', () => {
    const passed = pairs.filter((pair) => pair.isAllowed && isHarmed(pair));
    const warned = passed.filter(({ mild }) => mild.length > 0);
    console.log(
      `${pairs.length} pairs, ${pairs.filter(isHarmed).length} do harm; passed ${passed.length - warned.length}, warned of as absurd ${warned.length}`,
    );
    expect(passed.filter((pair) => !warned.includes(pair)).map(show)).to.deep.equal([]);
  });

  it('are not denied where they do no harm', () => {
    const denied = pairs.filter((pair) => !pair.isAllowed && !isHarmed(pair));
    expect(denied.map(show)).to.deep.equal([]);
  });

  it('leave to each witness the writes that its finding speaks of', () => {
    const wrong = pairs.flatMap(({ title, samples }) =>
      samples.flatMap(({ result, harmed, stored }) => {
        if (result?.effect !== 'breaking') return [];
        const said = result.stored as Partial<Record<Request, string>> | undefined;
        const is = (each: Request): string => `${each} ${harmed.has(each) ? 'refused' : 'taken'}`;
        const writes = (['create', 'update', 'status'] as const).filter((each) => said?.[each]);
        const answers = writes.map(is).join();
        const expected = writes
          .map((each) => `${each} ${said?.[each] === 'refused' ? 'refused' : 'taken'}`)
          .join();
        if (answers === expected && said !== undefined) return [];
        return [`${title}: ${answers}, not ${expected}, of ${stringifyJson(stored ?? {})}`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });
});
