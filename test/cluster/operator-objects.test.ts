/**
 * Objects of public operators' kinds, made by us: a small one, a rich one, and rich ones with
 * something changed, for one kind of each project. A real API server must answer to their creation,
 * and to a status, as our validator does.
 */
import { expect } from 'chai';
import { Budget } from '../../src/upgrade/proof/budget.js';
import { Sampler } from '../../src/upgrade/proof/values/sampler.js';
import {
  compileValidator,
  type ObjectResult,
  type ObjectValidator,
} from '../../src/kubernetes/apiserver/validator.js';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { changedValue, Random, randomValue } from '../apiserver/random-schemas.js';
import type { Answer } from '../apiserver/request.js';
import { describeReleases, releaseLines } from '../golden/releases.js';
import { definitions } from './widgets.js';

const largestDefinition = 120_000;
const changedEach = 2;

interface Kind {
  readonly project: string;
  readonly definition: JsonObject;
  readonly version: string;
  readonly plural: string;
  readonly schema: JsonObject;
  readonly hasStatus: boolean;
}

/** The last kind of each project that is not too large, in its storage version. */
function kindsOfProjects(): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const line of releaseLines('real/crd-pairs.jsonl.br')) {
    if (line.length > largestDefinition) continue;
    const row = parseJson(line) as JsonObject;
    const project = (row['id'] as string).split('/')[0] ?? '';
    const kind = kindOf(project, row['new'] as JsonObject);
    if (kind !== undefined) kinds.set(project, kind);
  }
  return [...kinds.values()];
}

function kindOf(project: string, crd: JsonObject): Kind | undefined {
  const { spec, metadata } = crd as { spec: JsonObject; metadata: JsonObject };
  const { names, versions } = spec as unknown as {
    names: { plural: string };
    versions: (JsonObject & { name: string; storage: boolean })[];
  };
  const stored = versions.find(({ storage }) => storage);
  const schema = (stored?.['schema'] as JsonObject | undefined)?.['openAPIV3Schema'];
  if (stored === undefined || schema === undefined || !isObject(schema)) return undefined;
  const subresources = stored['subresources'];
  const rest = { ...spec, versions: [{ ...stored, served: true }] } as JsonObject;
  // Webhooks of the operator are not there.
  delete rest['conversion'];
  return {
    project,
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: metadata['name'] ?? '',
        annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
      },
      spec: rest,
    },
    version: stored.name,
    plural: names.plural,
    schema,
    hasStatus: subresources !== undefined && isObject(subresources) && 'status' in subresources,
  };
}

/** Objects that should fit, then the same with something changed somewhere. */
function objectsOf(
  { schema, version }: Kind,
  validator: ObjectValidator,
  random: Random,
): JsonObject[] {
  const { group, kind, namespaced } = validator.definition;
  const identity = { apiVersion: `${group}/${version}`, kind, namespaced };
  const fitting = [
    { branch: 0, richness: 1, useDefaults: false },
    { branch: 1, richness: 4, useDefaults: false },
  ].flatMap((variant): JsonObject[] => {
    const sampler = new Sampler(variant, new Budget(Infinity));
    const made = sampler.resource([validator.schema], undefined, identity);
    return made === undefined ? [] : [made];
  });
  const last = fitting.at(-1);
  const changed = Array.from({ length: last === undefined ? 0 : changedEach }, () => {
    const next: JsonObject = { ...last };
    const fields = Object.keys(next).filter((key) => !isIdentity(key));
    for (const key of fields) {
      const inner = own((schema['properties'] ?? {}) as JsonObject, key);
      const sub = inner !== undefined && isObject(inner) ? inner : {};
      next[key] = changedValue(random, next[key] ?? null, sub);
    }
    return next;
  });
  return [...fitting, ...changed];
}

const isIdentity = (key: string): boolean =>
  key === 'apiVersion' || key === 'kind' || key === 'metadata';

function withoutStatus(object: JsonObject): JsonObject {
  const rest = { ...object };
  delete rest['status'];
  return rest;
}

function difference(what: string, answer: Answer, ours: ObjectResult): string[] {
  const accepted = answer.code === 201 || answer.code === 200;
  const theirs = (answer.body.details?.causes ?? []).map(
    ({ reason, field }) => `${reason} ${field}`,
  );
  const here = ours.errors.map(({ type, field }) => `${type} ${field}`);
  const isSame =
    accepted === ours.valid && (answer.code === 400 || theirs.sort().join() === here.sort().join());
  return isSame ? [] : [`${what}: ${answer.code} ${theirs.join()} there, ${here.join()} here`];
}

describeReleases("objects of public operators' kinds on a real API server", () => {
  const cluster = useCluster();
  const kinds = kindsOfProjects();

  const send = (method: string, path: string, body: JsonObject): Promise<Answer> =>
    cluster().request(method, path, stringifyJson(body));

  async function serve({ definition, version, plural }: Kind): Promise<string> {
    const { group, scope } = definition['spec'] as { group: string; scope: string };
    const created = await send('POST', definitions, definition);
    expect(created.code, created.text).to.equal(201);
    const place = scope === 'Namespaced' ? '/namespaces/default' : '';
    const path = `/apis/${group}/${version}${place}/${plural}`;
    await until(`${plural} to be served`, async () =>
      (await cluster().request('GET', path)).code === 200 ? true : undefined,
    );
    return path;
  }

  it('60 objects and their status get the answers that are given here', async function () {
    this.timeout(240_000);
    const found: string[] = [];
    const seen = { accepted: 0, refused: 0, status: 0 };
    const compareKind = async (kind: Kind): Promise<void> => {
      const path = await serve(kind);
      const random = new Random(kind.project.length);
      const validator = compileValidator(kind.definition, kind.version);
      for (const [index, made] of objectsOf(kind, validator, random).entries()) {
        const metadata = { ...(made['metadata'] as JsonObject), name: `o${index}` };
        const object: JsonObject = { ...made, metadata };
        // A create leaves out a status that has a door of its own.
        const ours = validator.validateCreate(kind.hasStatus ? withoutStatus(object) : object);
        seen[ours.valid === true ? 'accepted' : 'refused']++;
        const answer = await send('POST', path, object);
        found.push(...difference(`${kind.project} ${stringifyJson(object)}`, answer, ours));
        if (answer.code !== 201 || !kind.hasStatus) continue;
        seen.status++;
        const old = parseJson(answer.text) as JsonObject;
        const status = own((kind.schema['properties'] ?? {}) as JsonObject, 'status');
        const schema = status !== undefined && isObject(status) ? status : {};
        const next = { ...old, status: randomValue(random, schema, 0.02) };
        const put = await send('PUT', `${path}/o${index}/status`, next);
        const accepted = put.code === 200;
        if (accepted !== validator.validateUpdate(next, old).valid) {
          found.push(`${kind.project} status ${stringifyJson(next)}: ${put.text}`);
        }
      }
    };
    const queue = [...kinds];
    const worker = async (): Promise<void> => {
      for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
        await compareKind(kind);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(found).to.deep.equal([]);
    expect(seen.accepted).to.be.greaterThan(20);
    expect(seen.accepted + seen.refused).to.be.greaterThan(60);
    expect(seen.status).to.be.greaterThan(15);
  });
});
