/** Source: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go. */
import type { ObjectValidator } from '../../kubernetes/index.js';
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import type { Clause, Fault } from '../../upgrade/index.js';

export interface Failure {
  readonly clause: 'unreachable' | 'certificate' | 'status' | 'late' | 'too-large' | 'unreadable';
  /** One sentence; it may quote the converter. */
  readonly reason: string;
}

export type Answer = { readonly body: JsonValue } | { readonly failure: Failure };

/** Puts one ConversionReview to a converter, within a deadline of its own. Never rejects. */
export type Convert = (review: JsonObject) => Promise<Answer>;

/** @param uid of the request; the answer must have the same */
export function conversionReview(
  uid: string,
  objects: readonly JsonObject[],
  desiredAPIVersion: string,
): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid, desiredAPIVersion, objects: [...objects] },
  };
}

export interface ConversionRequest {
  readonly from: string;
  readonly to: string;
  readonly uid: string;
  readonly objects: readonly JsonObject[];
  readonly validator: ObjectValidator;
}

export interface Judged {
  /** The answer as a whole cannot be used: an API server would fail the request. */
  readonly isRefused: boolean;
  readonly faults: readonly Fault[];
  readonly converted: readonly (JsonObject | undefined)[];
}

export function judgeAnswer(answer: Answer, asked: ConversionRequest): Judged {
  const { from, to, objects } = asked;
  const fail = (clause: Clause, detail?: string): Judged => ({
    isRefused: true,
    faults: [{ clause, from, to, count: 1, detail }],
    converted: objects.map(() => undefined),
  });
  if ('failure' in answer) return fail(answer.failure.clause, answer.failure.reason);
  const { body } = answer;
  if (!isObject(body) || own(body, 'kind') !== 'ConversionReview') {
    return fail('unreadable', 'the answer is no ConversionReview');
  }
  if (own(body, 'apiVersion') !== 'apiextensions.k8s.io/v1') {
    return fail('unreadable', 'the answer is not of apiextensions.k8s.io/v1, as the review was');
  }
  const response = own(body, 'response');
  if (!isObject(response)) return fail('unreadable', 'the answer has no response');
  if (own(response, 'uid') !== asked.uid) {
    return fail(
      'wrong-uid',
      `expected response.uid=${asked.uid}, got ${words(own(response, 'uid'))}`,
    );
  }
  const result = own(response, 'result');
  const status = isObject(result) ? own(result, 'status') : undefined;
  if (status !== 'Success') {
    const said = isObject(result) ? own(result, 'message') : undefined;
    return fail(
      'refused',
      typeof said === 'string' && said !== '' ? said : `status ${words(status)}`,
    );
  }
  const converted = own(response, 'convertedObjects');
  const list = Array.isArray(converted) ? converted : [];
  if (list.length !== objects.length) {
    return fail('wrong-count', `${objects.length} objects were asked for, ${list.length} came`);
  }
  const faults: Fault[] = [];
  let isRefused = false;
  const usable = objects.map((object, index): JsonObject | undefined => {
    const made = list[index];
    const found = identityFault(object, made, asked, list);
    if (found !== undefined || !isObject(made)) {
      isRefused = true;
      faults.push({ from, to, object, count: 1, ...(found ?? { clause: 'not-an-object' }) });
      return undefined;
    }
    const restored = restoreMetadata(object, made);
    for (const fault of contentFaults(object, made, restored, asked)) {
      faults.push({ from, to, object, count: 1, ...fault });
    }
    return restored;
  });
  return { isRefused, faults, converted: usable };
}

type Seen = Pick<Fault, 'clause' | 'detail' | 'path'>;

/** The fault in an object's identity that makes an API server refuse the whole answer. */
function identityFault(
  object: JsonObject,
  made: JsonValue | undefined,
  { validator }: ConversionRequest,
  list: readonly JsonValue[],
): Seen | undefined {
  if (!isObject(made)) return { clause: 'not-an-object', detail: 'an entry is no object' };
  const { group, version } = validator.definition;
  const apiVersion = own(made, 'apiVersion');
  if (apiVersion !== `${group}/${version}`) {
    return { clause: 'wrong-version', path: '^.apiVersion', detail: `it is ${words(apiVersion)}` };
  }
  if (own(made, 'kind') !== own(object, 'kind')) {
    return { clause: 'wrong-kind', path: '^.kind', detail: `it is ${words(own(made, 'kind'))}` };
  }
  const [before, after] = [own(object, 'metadata'), own(made, 'metadata')];
  if (!isObject(after) || !isObject(before)) {
    return { clause: 'changed-identity', path: '^.metadata', detail: 'metadata is missing' };
  }
  for (const key of ['name', 'namespace', 'uid']) {
    if (sameJson(own(before, key) ?? '', own(after, key) ?? '')) continue;
    const uid = own(before, 'uid');
    const isElsewhere = list.some((each) => {
      const meta = isObject(each) ? own(each, 'metadata') : undefined;
      return isObject(meta) && uid !== undefined && own(meta, 'uid') === uid;
    });
    // Found at another place, it was not changed but moved.
    return isElsewhere && own(after, 'uid') !== uid
      ? { clause: 'wrong-order' }
      : {
          clause: 'changed-identity',
          path: `^.metadata.${key}`,
          detail: `it is ${words(own(after, key))}`,
        };
  }
  return undefined;
}

/** All metadata but labels and annotations stays as it was, whatever the converter says. */
function restoreMetadata(object: JsonObject, made: JsonObject): JsonObject {
  const before = own(object, 'metadata') as JsonObject;
  const after = own(made, 'metadata') as JsonObject;
  const metadata: JsonObject = {};
  for (const [key, value] of Object.entries(before)) {
    if (key !== 'labels' && key !== 'annotations') metadata[key] = value;
  }
  for (const key of ['labels', 'annotations']) {
    const value = own(after, key);
    if (value !== undefined && value !== null) metadata[key] = value;
  }
  return { ...made, metadata };
}

function* contentFaults(
  object: JsonObject,
  made: JsonObject,
  restored: JsonObject,
  { validator }: ConversionRequest,
): Iterable<Seen> {
  const before = own(object, 'metadata') as JsonObject;
  const after = own(made, 'metadata') as JsonObject;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (key === 'labels' || key === 'annotations') continue;
    if (sameJson(own(before, key) ?? null, own(after, key) ?? null)) continue;
    yield { clause: 'changed-metadata', path: `^.metadata.${key}` };
  }
  const { valid, errors } = validator.validateCreate(restored);
  const [error] = errors;
  if (valid !== false || error === undefined) return;
  const { field, detail } = error;
  yield {
    clause: 'refused-by-schema',
    path: pathOf(field),
    detail: detail === '' ? String(error.type) : detail,
  };
}

/** The field of an error as a path of the schema: `^.spec.list[*].name`. */
function pathOf(field: string): string {
  const inner = field.replaceAll(/\[[^\]]*\]/g, '[*]');
  return inner === '' || inner === '<nil>' ? '^' : `^.${inner}`;
}

function words(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing';
  const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? '');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
