/**
 * Random definitions on a real API server: each object created, each update of a stored one and each
 * write of its status must get the answer, with the errors, that our validator gives. Set
 * OLM_GUARD_DIFFERENTIAL=DEFINITIONS[,SEED] for more of them, or for others.
 */
import { expect } from 'chai';
import {
  compileValidator,
  type ObjectResult,
  type ObjectValidator,
} from '../../src/kubernetes/apiserver/validator.js';
import { type FieldError } from '../../src/kubernetes/apiserver/field-error.js';
import { parseJson, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { changedValue, Random, randomSchema, randomValue } from '../apiserver/random-schemas.js';
import type { Answer } from '../apiserver/request.js';
import { definitions, things } from './widgets.js';

const [wanted = 24, seed = 1] = (process.env['OLM_GUARD_DIFFERENTIAL'] ?? '24,1')
  .split(',')
  .map(Number);
const createsEach = 12;
const updatesEach = 8;

interface Subject {
  readonly random: Random;
  readonly path: string;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly validator: ObjectValidator;
  /** Stored before the definition became strict. */
  readonly stored: readonly JsonObject[];
}

function definitionOf(group: string, spec: JsonObject, status: JsonObject): JsonObject {
  // Tells whether the API server judges by this definition already.
  const marker: JsonObject = { type: 'string', enum: ['strict'] };
  return things(group, {
    served: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status, marker } } },
  });
}

function anythingGoes(group: string): JsonObject {
  const definition = definitionOf(group, {}, {});
  const [version] = (definition['spec'] as { versions: JsonObject[] }).versions;
  if (version === undefined) throw new Error('no version');
  version['schema'] = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  return definition;
}

interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** Texts are compared from the value on, which the API server prints and we do not. */
const sameError = (ours: FieldError, { reason, field, message }: Cause): boolean =>
  ours.type === reason && ours.field === field && message?.endsWith(ours.detail) === true;

/** Writes of the status are judged from the status down, so that places and texts begin elsewhere. */
const sameReason = (ours: FieldError, { reason }: Cause): boolean => ours.type === reason;

function differences(
  what: string,
  answer: Answer,
  ours: ObjectResult,
  same: typeof sameError,
): string[] {
  const theirs: readonly Cause[] = answer.body.details?.causes ?? [];
  const left = [...ours.errors];
  const unmatched = theirs.filter((cause) => {
    const found = left.findIndex((error) => same(error, cause));
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
  const accepted = answer.code === 200 || answer.code === 201;
  const isEqual =
    ours.valid === accepted && (answer.code === 400 || unmatched.length + left.length === 0);
  if (isEqual) return [];
  const show = ({ type, field, detail }: FieldError): string => `${type} ${field} ${detail}`;
  return [
    `${what}: ${answer.code} there, ${ours.valid} here; only there: ${JSON.stringify(unmatched)}; only here: ${JSON.stringify(left.map(show))}`,
  ];
}

describe('random definitions on a real API server', function () {
  this.timeout(240_000 + wanted * 5000);
  const cluster = useCluster();
  const subjects: Subject[] = [];
  const seen = { accepted: 0, refused: 0 };

  const send = (method: string, path: string, body: JsonObject): Promise<Answer> =>
    cluster().request(method, path, stringifyJson(body));

  const thing = (group: string, name: string, parts: JsonObject): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata: { name, namespace: 'default' },
    ...parts,
  });

  async function replaceDefinition(definition: JsonObject): Promise<Answer> {
    const { name } = definition['metadata'] as { name: string };
    return until(`${name} to be nobody else's for a moment`, async () => {
      const stored = await cluster().request('GET', `${definitions}/${name}`);
      const resourceVersion = stored.body.metadata?.resourceVersion ?? '';
      const metadata = { name, resourceVersion };
      const answer = await send('PUT', `${definitions}/${name}`, { ...definition, metadata });
      return answer.code === 409 ? undefined : answer;
    });
  }

  /** Objects that are stored while anything goes; then the definition becomes strict. */
  async function prepare(number: number): Promise<Subject | undefined> {
    const random = new Random(seed * 100_003 + number);
    const group = `r${number}.example.com`;
    const [spec, status] = [randomSchema(random), randomSchema(random)];
    const strict = definitionOf(group, spec, status);
    const dryRun = await send('POST', `${definitions}?dryRun=All`, strict);
    // Many a random default or rule is one that no definition may have.
    if (dryRun.code !== 201) return undefined;
    const path = `/apis/${group}/v1/namespaces/default/things`;
    expect((await send('POST', definitions, anythingGoes(group))).code).to.equal(201);
    const stored: JsonObject[] = [];
    for (let index = 0; index < updatesEach; index++) {
      const parts = { spec: randomValue(random, spec, 0.1) };
      const answer = await until(`${path} to be served`, async () => {
        const tried = await send('POST', path, thing(group, `s${index}`, parts));
        return tried.code === 404 ? undefined : tried;
      });
      // A null or a text as metadata within may be too much even then.
      if (answer.code === 201) stored.push(parseJson(answer.text) as JsonObject);
    }
    const replaced = await replaceDefinition(strict);
    expect(replaced.code).to.equal(200);
    // As it is stored: a 1.0 in an enum or a default has become a 1.
    const definition = parseJson(replaced.text) as JsonObject;
    await until(`${group} to be judged by its new schema`, async () => {
      const tried = await send('POST', `${path}?dryRun=All`, {
        ...thing(group, 'probe', {}),
        marker: 'none',
      });
      const causes = tried.body.details?.causes ?? [];
      return causes.some(({ field }) => field === 'marker') ? true : undefined;
    });
    return { random, path, spec, status, stored, validator: compileValidator(definition, 'v1') };
  }

  function compare(
    what: JsonObject,
    answer: Answer,
    ours: ObjectResult,
    found: string[],
    same = sameError,
  ): void {
    seen[ours.valid === true ? 'accepted' : 'refused']++;
    found.push(...differences(stringifyJson(what), answer, ours, same));
  }

  before('definitions that the API server takes, with objects stored before', async () => {
    let number = 0;
    const worker = async (): Promise<void> => {
      while (subjects.length < wanted && number < wanted * 10) {
        const subject = await prepare(number++);
        if (subject !== undefined) subjects.push(subject);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(subjects).to.have.length.of.at.least(wanted);
  });

  it('gives to creates the answers and errors that are given here', async () => {
    const found: string[] = [];
    for (const { random, path, spec, validator } of subjects) {
      const { group } = validator.definition;
      for (let index = 0; index < createsEach; index++) {
        const object = thing(group, `c${index}`, { spec: randomValue(random, spec) });
        const answer = await send('POST', `${path}?dryRun=All`, object);
        compare({ spec, object }, answer, validator.validateCreate(object), found);
      }
    }
    expect(found).to.deep.equal([]);
  });

  it('gives to updates of what was stored before the answers that are given here', async () => {
    const found: string[] = [];
    for (const { random, path, spec, stored, validator } of subjects) {
      for (const old of stored) {
        const object = { ...old, spec: changedValue(random, old['spec'] ?? null, spec) };
        const { name } = old['metadata'] as { name: string };
        const answer = await send('PUT', `${path}/${name}?dryRun=All`, object);
        const ours = validator.validateUpdate(object, old);
        compare({ spec, old: old['spec'] ?? null, object }, answer, ours, found);
      }
    }
    expect(found).to.deep.equal([]);
  });

  it('gives to writes of the status the answers that are given here', async () => {
    const found: string[] = [];
    for (const { random, path, status, stored, validator } of subjects) {
      for (const old of stored) {
        const object = { ...old, status: randomValue(random, status) };
        const { name } = old['metadata'] as { name: string };
        const answer = await send('PUT', `${path}/${name}/status?dryRun=All`, object);
        const ours = validator.validateStatus(object, old);
        compare({ status, object }, answer, ours, found, sameReason);
      }
    }
    expect(found).to.deep.equal([]);
  });

  it('has seen both answers often enough to mean something', () => {
    expect(seen.accepted).to.be.greaterThan(wanted * 4);
    expect(seen.refused).to.be.greaterThan(wanted * 4);
  });
});
