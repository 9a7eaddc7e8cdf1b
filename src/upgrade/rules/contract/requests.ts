/** Requests that show what clients notice: for one object `example` in the namespace `default`. */
import type { CustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import type { WitnessRequest } from '../../../rule/index.js';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../text/documents/index.js';
import { valueAt } from '../../../text/documents/fields.js';
import type { ContractDifference, ContractPair } from './rule.js';

const exampleName = 'example';
const exampleNamespace = 'default';

export function nameIn(definition: CustomResourceDefinition, ...keys: string[]): string {
  const value = valueIn(definition.document, 'spec', ...keys);
  return typeof value === 'string' ? value : '';
}

export function valueIn(object: JsonObject, ...keys: string[]): JsonValue | undefined {
  return valueAt(object, ...keys) ?? undefined;
}

export function listPath(definition: CustomResourceDefinition, version: string): string {
  const namespace = definition.scope === 'Cluster' ? '' : `namespaces/${exampleNamespace}/`;
  return `/apis/${nameIn(definition, 'group')}/${version}/${namespace}${nameIn(definition, 'names', 'plural')}`;
}

export function objectPath(definition: CustomResourceDefinition, version: string): string {
  return `${listPath(definition, version)}/${exampleName}`;
}

export const notFound = { status: 404, reason: 'NotFound' } as const;

/** A version to send other requests in: the one that is stored, or else any that stays. */
export function usableVersion(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): string | undefined {
  const both = old.versions.filter(
    ({ name, served }) => served && next.version(name)?.served === true,
  );
  return (both.find(({ name }) => next.version(name)?.storage === true) ?? both[0])?.name;
}

/** A server-side apply by a manager `second`; `first` has applied another part of the object. */
export function applyRequest(
  definition: CustomResourceDefinition,
  version: string,
  body: JsonObject,
  answers: Pick<WitnessRequest, 'before' | 'after'>,
): WitnessRequest {
  return {
    verb: 'PATCH',
    path: `${objectPath(definition, version)}?fieldManager=second`,
    contentType: 'application/apply-patch+yaml',
    body,
    ...answers,
  };
}

export function exampleObject(
  definition: CustomResourceDefinition,
  version: string,
  object: JsonObject,
): JsonObject {
  const metadata: JsonObject = { name: exampleName };
  if (definition.scope !== 'Cluster') metadata['namespace'] = exampleNamespace;
  return {
    ...object,
    apiVersion: `${nameIn(definition, 'group')}/${version}`,
    kind: nameIn(definition, 'names', 'kind'),
    metadata,
  };
}

/** Names that a list of `spec.names` loses, or gains, which harms nothing. */
export function* nameChanges(
  { old, next }: ContractPair,
  list: string,
): Generator<ContractDifference<{ removed: string; added: string }>> {
  const [before, after] = [namesIn(old, list), namesIn(next, list)];
  const place = { side: 'new', keys: ['spec', 'names'] } as const;
  for (const name of before) {
    if (!after.has(name)) yield { place, id: 'removed', data: { name } };
  }
  for (const name of after) {
    if (!before.has(name)) yield { place, id: 'added', data: { name }, isHarmless: true };
  }
}

function namesIn(definition: CustomResourceDefinition, list: string): ReadonlySet<string> {
  const names = valueIn(definition.document, 'spec', 'names', list);
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
}

// A request as a kubectl command that a person can run.

const plain = /^[\w@%+=:,./-]+$/;

function quoted(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function kubectlCommand({ verb, path, contentType, body }: WitnessRequest): string {
  const text = body === undefined ? '' : stringifyJson(body);
  const stdin = `echo ${quoted(text)} | `;
  const url = new URL(path, 'https://cluster');
  if (contentType === 'application/apply-patch+yaml') {
    const manager = quoted(url.searchParams.get('fieldManager') ?? 'kubectl');
    const namespace = /\/namespaces\/([^/]+)\//.exec(url.pathname)?.[1];
    const where = namespace === undefined ? '' : ` -n ${quoted(namespace)}`;
    return `${stdin}kubectl apply --server-side --field-manager=${manager}${where} -f -`;
  }
  if (verb === 'PATCH') {
    const [, group = '', version = '', namespace, plural = '', name = '', subresource] =
      /^\/apis\/([^/]+)\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(
        url.pathname,
      ) ?? [];
    return [
      'kubectl patch',
      quoted(`${plural}.${version}.${group}`),
      quoted(name),
      ...(namespace === undefined ? [] : [`-n ${quoted(namespace)}`]),
      ...(subresource === undefined ? [] : [`--subresource=${quoted(subresource)}`]),
      '--type=merge -p',
      quoted(text),
    ].join(' ');
  }
  const raw = `--raw ${quoted(path)}`;
  if (verb === 'GET') return `kubectl get ${raw}`;
  return `${stdin}kubectl ${verb === 'POST' ? 'create' : 'replace'} ${raw} -f -`;
}

/** `200 before, 404 NotFound after: kubectl …` */
export function requestSentence(request: WitnessRequest): string {
  const { before, after } = request;
  const words = [before, after].map(({ status, reason }) =>
    reason === undefined ? String(status) : `${status} ${reason}`,
  );
  return `${words[0]} before, ${words[1]} after: ${kubectlCommand(request)}`;
}
