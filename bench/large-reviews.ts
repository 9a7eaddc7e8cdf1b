/** Reviews of updates, mostly large ones: real pairs where they are at hand, else made up ones. */
import { exampleOfSpec } from '../src/upgrade/rules/crd/example-definition.js';
import { parseJson, stringifyJson, type JsonObject } from '../src/text/documents/index.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';

export interface LargeReview {
  readonly name: string;
  readonly body: Buffer;
}

const count = 10;

/** In the new definition of every review, in place of which {@link attempt} writes a number. */
const attemptAnnotation = 'bench.olm-guard.io/attempt';
const noAttempt = '00000000';

/** The review with another object each time, so that no answer to an earlier one is its answer. */
export function attempt(body: Buffer, number: number): Buffer {
  const at = body.indexOf(`"${attemptAnnotation}":"${noAttempt}"`) + attemptAnnotation.length + 4;
  const changed = Buffer.from(body);
  changed.write(String(number).padStart(noAttempt.length, '0'), at, 'latin1');
  return changed;
}

/** The ten largest pairs as the API server would send them. */
export function largeReviews(): LargeReview[] {
  return bySize((lines) => lines.slice(0, count));
}

/** Ten pairs from the largest to the smallest, at equal distances. */
export function mixedReviews(): LargeReview[] {
  return bySize((lines) => {
    const distance = Math.floor(lines.length / count);
    return lines.filter((_, index) => index % distance === 0).slice(0, count);
  });
}

/** Ten of those that are under 50 kB, at equal distances. */
export function smallReviews(): LargeReview[] {
  if (releasesMissing !== undefined) return [madeUpReview(100)];
  return bySize((lines) => {
    const small = lines.filter(({ length }) => length < 50_000);
    const distance = Math.floor(small.length / count);
    return small.filter((_, index) => index % distance === 0).slice(0, count);
  });
}

/** Small enough for the thread that tries small reviews first, and of more seconds than a proof may take. */
export function hardReviews(): LargeReview[] {
  const fields = (count: number, of: (index: number) => JsonObject): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, of(index)]));
  const rules = (isNew: boolean): JsonObject => ({
    properties: fields(300, () => ({ type: 'integer' })),
    'x-kubernetes-validations': Array.from({ length: 300 }, (_, index) => ({
      rule: `self.f${index} + self.f${(index * 3 + 1) % 300} ${isNew ? '<' : '<='} ${index}`,
    })),
  });
  const alternatives = (isNew: boolean): JsonObject => ({
    properties: fields(240, () => ({ type: 'string' })),
    allOf: Array.from({ length: 240 }, (_, index) => ({
      anyOf: [index, (index * 3 + 1) % 240, ...(isNew ? [(index * 7) % 240] : [])].map((each) => ({
        required: [`f${each}`],
      })),
    })),
  });
  const patterns = (isNew: boolean): JsonObject => ({
    properties: fields(400, (index) => ({
      type: 'string',
      pattern: `^a{${index}}[a-z]*${isNew ? 'x' : ''}$`,
    })),
  });
  return Object.entries({ rules, alternatives, patterns }).map(([name, schema]) => {
    const [old, next] = [false, true].map((isNew) => ({
      ...exampleOfSpec({ type: 'object', ...schema(isNew) }),
      status: { storedVersions: ['v1'] },
    }));
    return { name, body: review(old ?? {}, next ?? {}) };
  });
}

function bySize(choose: (lines: readonly string[]) => readonly string[]): LargeReview[] {
  if (releasesMissing !== undefined) return [madeUpReview()];
  const lines = releaseLines('real/crd-pairs.jsonl.br');
  lines.sort((left, right) => right.length - left.length);
  return choose(lines).map((line) => {
    const { id, old, new: next } = parseJson(line) as { id: string } & JsonObject;
    return { name: id, body: review(old as JsonObject, next as JsonObject) };
  });
}

function review(oldObject: JsonObject, object: JsonObject): Buffer {
  const gvr = { group: 'apiextensions.k8s.io', version: 'v1' };
  const kind = { ...gvr, kind: 'CustomResourceDefinition' };
  const resource = { ...gvr, resource: 'customresourcedefinitions' };
  const metadata = oldObject['metadata'] as JsonObject;
  const attempted = withAnnotation(object, attemptAnnotation, noAttempt);
  const request = {
    ...{ uid: 'f5a3ea7c-3ab0-4a0e-8d5b-0f6f3c0f2c11', kind, resource },
    ...{ requestKind: kind, requestResource: resource, name: metadata['name'] },
    ...{ operation: 'UPDATE', userInfo: { username: 'admin' }, object: attempted },
    ...{ oldObject, dryRun: false },
  };
  return Buffer.from(
    stringifyJson({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request }),
  );
}

function withAnnotation(object: JsonObject, name: string, value: string): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  const annotations = { ...(metadata['annotations'] as JsonObject | undefined), [name]: value };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** By default half a megabyte on each side; one field in fifty lost its bound. */
export function madeUpReview(fields = 2500): LargeReview {
  const definition = (isNew: boolean): JsonObject => {
    const properties: JsonObject = {};
    for (let index = 0; index < fields; index++) {
      properties[`field${index}`] = {
        description:
          `Field ${index} says how much of it there should be at most, as a number. `.repeat(2),
        type: 'integer',
        ...(isNew && index % 50 === 0 ? {} : { maximum: index }),
      };
    }
    const definition = exampleOfSpec({ type: 'object', properties });
    return { ...definition, status: { storedVersions: ['v1'] } };
  };
  return { name: 'made up', body: review(definition(false), definition(true)) };
}
