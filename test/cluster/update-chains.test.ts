/**
 * Random chains of updates that the policy allows one by one, on a real API server: no object that was
 * stored before the first one, and never written since, is refused or loses a value when it gets a label.
 */
import { expect } from 'chai';
import {
  chainFields,
  changedSchema,
  fieldNames,
  isUpdateAllowed,
} from '../../src/policy/testing/chains.js';
import { samples } from '../../src/rule/testing/samples.js';
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { Dice } from '../../src/upgrade/proof/testing/dice.js';
import { wildObject } from '../../src/upgrade/proof/testing/wild-objects.js';
import { object } from '../../src/upgrade/rules/crd/testing/definition.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { definitions } from './widgets.js';

const group = 'chains.example.com';
const atOnce = 5;
const wanted = { chains: 30, steps: 4, tries: 12, objects: 6 };

interface Version {
  readonly spec: JsonObject;
  readonly served: boolean;
  readonly hasStatus: boolean;
}

interface State {
  readonly versions: Readonly<Record<string, Version>>;
  readonly storage: string;
  /** All that objects may be stored as. */
  readonly stored: readonly string[];
}

interface Stored {
  readonly name: string;
  readonly written: JsonObject;
  /** What a label through each version has answered before the first update. */
  readonly seen: Map<string, JsonObject>;
}

const whole = (spec: JsonObject): JsonObject =>
  object({ spec, status: object({ phase: { type: 'string' } }) });

const randomSpec = (dice: Dice): JsonObject =>
  object(Object.fromEntries(fieldNames.slice(0, 2).map((name) => [name, dice.pick(chainFields)])));

function firstState(dice: Dice): State {
  const spec = randomSpec(dice);
  const hasStatus = dice.chance(0.3);
  const v1 = { spec, served: true, hasStatus };
  const other = dice.chance(0.5) ? spec : changedSchema(dice, spec);
  const v2 = { spec: other, served: dice.chance(0.7), hasStatus };
  const versions: State['versions'] = dice.chance(0.6) ? { v1, v2 } : { v1 };
  return { versions, storage: 'v1', stored: ['v1'] };
}

/** A schema of one version or of all, a version that comes, is served or no longer, is stored, or a subresource. */
function nextState(dice: Dice, { versions, storage, stored }: State): State {
  const names = Object.keys(versions);
  const name = dice.pick(names);
  const version = versions[name] as Version;
  const withVersion = (changed: Version, of = name): State => ({
    ...{ versions: { ...versions, [of]: changed }, storage, stored },
  });
  const way = dice.next();
  if (way < 0.4) return withVersion({ ...version, spec: changedSchema(dice, version.spec) });
  if (way < 0.55) {
    const spec = changedSchema(dice, version.spec);
    const all = Object.entries(versions).map(([each, of]) => [each, { ...of, spec }] as const);
    return { versions: Object.fromEntries(all), storage, stored };
  }
  if (way < 0.7 && names.length < 3) {
    const spec = dice.chance(0.5) ? version.spec : changedSchema(dice, version.spec);
    return withVersion({ ...version, spec, served: true }, `v${names.length + 1}`);
  }
  if (way < 0.8) return withVersion({ ...version, served: !version.served });
  if (way < 0.9) return { versions, storage: name, stored: [...new Set([...stored, name])] };
  return withVersion({ ...version, hasStatus: !version.hasStatus });
}

/** @param step served as a version of its own, whose coming says that the API server goes by this definition */
function definitionOf(plural: string, state: State, step?: number): JsonObject {
  const kind = `K${plural}`;
  const versions = Object.entries(state.versions).map(([name, { spec, served, hasStatus }]) => ({
    ...{ name, served, storage: name === state.storage },
    schema: { openAPIV3Schema: whole(spec) },
    ...(hasStatus ? { subresources: { status: {} } } : {}),
  }));
  const probe = {
    ...{ name: `probe${step}`, served: true, storage: false },
    schema: { openAPIV3Schema: { type: 'object' } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions: step === undefined ? versions : [...versions, probe],
    },
    status: { storedVersions: [...state.stored] },
  };
}

const servedIn = ({ versions }: State): string[] =>
  Object.keys(versions).filter((name) => versions[name]?.served === true);

/** Paths of values that are there no longer, or are others. */
function lostIn(before: JsonValue, after: JsonValue | undefined, path: string): string[] {
  if (isObject(before) && isObject(after ?? null)) {
    return Object.keys(before).flatMap((key) =>
      lostIn(before[key] as JsonValue, own(after as JsonObject, key), `${path}.${key}`),
    );
  }
  return before === null || (after !== undefined && sameJson(before, after)) ? [] : [path];
}

const contentOf = ({ spec = {}, status = {} }: JsonObject): JsonObject => ({ spec, status });

describe('chains of updates on a real API server', () => {
  const cluster = useCluster();

  const urlOf = (plural: string, version: string): string =>
    `/apis/${group}/${version}/namespaces/default/${plural}`;

  const label = (plural: string, version: string, name: string) =>
    cluster().request(
      'PATCH',
      `${urlOf(plural, version)}/${name}?dryRun=All`,
      { metadata: { labels: { a: 'b' } } },
      { contentType: 'application/merge-patch+json' },
    );

  const isInForce = (plural: string, step: number): Promise<true> =>
    until(`step ${step} of ${plural}`, async () => {
      const { code } = await cluster().request('GET', urlOf(plural, `probe${step}`));
      return code === 200 ? true : undefined;
    });

  async function store(dice: Dice, plural: string, state: State): Promise<Stored[]> {
    const stored: Stored[] = [];
    const served = servedIn(state);
    for (let index = 0; index < wanted.objects; index++) {
      const version = dice.pick(served);
      const { spec } = state.versions[version] as Version;
      const name = `object${index}`;
      const written = {
        ...wildObject(dice, whole(spec), whole(spec)),
        ...{ apiVersion: `${group}/${version}`, kind: `K${plural}` },
        metadata: { name },
      };
      const { code } = await cluster().request('POST', urlOf(plural, version), written);
      if (code !== 201) continue;
      const seen = new Map<string, JsonObject>();
      for (const each of served) {
        const answer = await label(plural, each, name);
        // What one version writes, another one may refuse from the beginning.
        if (answer.code === 200) seen.set(each, contentOf(answer.body as unknown as JsonObject));
      }
      stored.push({ name, written, seen });
    }
    return stored;
  }

  /** Applies the step, if the API server takes it, and asks for all objects. */
  async function apply(plural: string, state: State, step: number): Promise<boolean> {
    const url = `${definitions}/${plural}.${group}`;
    const { body } = await cluster().request('GET', url);
    const resourceVersion = body.metadata?.resourceVersion ?? '';
    const made = definitionOf(plural, state, step);
    const metadata = { name: `${plural}.${group}`, resourceVersion };
    const { code } = await cluster().request('PUT', url, { ...made, metadata });
    if (code !== 200) return false;
    await isInForce(plural, step);
    return true;
  }

  it('harm no stored object, if each step is allowed', async function () {
    this.timeout(900_000);
    let [steps, asked] = [0, 0];

    async function follow(seed: number): Promise<void> {
      const dice = new Dice(seed);
      const plural = `chain${seed}s`;
      let state = firstState(dice);
      const first = definitionOf(plural, state, 0);
      const created = await cluster().request('POST', definitions, first);
      expect(created.code, created.text).to.equal(201);
      await isInForce(plural, 0);
      const objects = await store(dice, plural, state);
      const served = servedIn(state);
      const chain = [first];
      for (let tries = 0; tries < wanted.tries && chain.length <= wanted.steps; tries++) {
        const next = nextState(dice, state);
        const [old, made] = [state, next].map((each) => definitionOf(plural, each)) as [
          JsonObject,
          JsonObject,
        ];
        if (sameJson(old, made) || servedIn(next).length === 0) continue;
        if (!isUpdateAllowed(old, made)) continue;
        if (!(await apply(plural, next, tries + 1))) continue;
        state = next;
        chain.push(made);
        steps++;
        for (const { name, written, seen } of objects) {
          for (const version of servedIn(state)) {
            // A version that was not served shows no less than what the object is stored as.
            const before = seen.get(served.includes(version) ? version : 'v1');
            if (before === undefined) continue;
            const { code, body, text } = await label(plural, version, name);
            const said = JSON.stringify({ seed, version, text, written, chain });
            expect(code, said).to.equal(200);
            const lost = lostIn(before, contentOf(body as unknown as JsonObject), '');
            expect(lost, said).to.deep.equal([]);
            asked++;
          }
        }
      }
      await cluster().request('DELETE', `${definitions}/${plural}.${group}`);
    }

    const left = Array.from({ length: samples(wanted.chains) }, (_, index) => index + 1);
    const workers = Array.from({ length: atOnce }, async () => {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) await follow(seed);
    });
    await Promise.all(workers);
    expect(steps).to.be.greaterThan(samples(wanted.chains));
    expect(asked).to.be.greaterThan(samples(wanted.chains) * wanted.objects);
  });
});
