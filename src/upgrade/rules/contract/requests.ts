/** Requests that show what clients notice: for one object `example` in the namespace `default`. */
import type { CustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import type { WitnessRequest } from '../../../rule/index.js';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
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
