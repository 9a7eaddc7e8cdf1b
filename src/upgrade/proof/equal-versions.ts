/** Versions of one definition that differ in nothing that a proof looks at: what holds of one holds of the other. */
import {
  isObject,
  own,
  sameJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { objectsAt } from '../../text/documents/fields.js';
import type { CustomResourceDefinition } from '../crd/custom-resource-definition.js';
import type { ComparisonResult } from './decide.js';
import type { ProofResult } from './result.js';

/** Keys of a version entry that do not affect how objects are written and read. */
const besides = new Set(['name', 'served', 'storage', 'deprecated', 'deprecationWarning']);

/** Whether objects of both versions are written and read alike, and nothing asks which one it is. */
export function areEqualVersions(
  definition: CustomResourceDefinition,
  one: string,
  other: string,
): boolean {
  const [first, second] = [one, other].map((name) => definition.version(name));
  if (first === undefined || second === undefined) return false;
  return (
    sameJson(withoutBesides(first.document), withoutBesides(second.document)) &&
    !asksForVersion(first.schema ?? {})
  );
}

function withoutBesides(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !besides.has(key)));
}

/** Whether the schema may tell an object by its `apiVersion`. */
function asksForVersion(schema: JsonObject): boolean {
  const properties = own(schema, 'properties');
  const field = isObject(properties) ? own(properties, 'apiVersion') : undefined;
  const isPlain =
    field === undefined ||
    (isObject(field) && Object.keys(field).every((key) => key === 'type' || key === 'description'));
  const asksAll = ['allOf', 'anyOf', 'oneOf', 'not', 'enum'].some(
    (key) => own(schema, key) !== undefined,
  );
  const rules = JSON.stringify(objectsAt(schema, 'x-kubernetes-validations'));
  return !isPlain || asksAll || /apiVersion|\b(?:self|oldSelf)\b(?!\s*\.)/.test(rules);
}

export function ofVersion(
  { results, failedWitnesses }: ComparisonResult,
  version: string,
): ComparisonResult {
  const renamed = results.map((result): ProofResult => ({
    ...result,
    version,
    ...(result.witness === undefined ? {} : { witness: withVersion(result.witness, version) }),
  }));
  return { results: renamed, failedWitnesses };
}

export function withVersion(witness: JsonValue, version: string): JsonValue {
  if (!isObject(witness)) return witness;
  const apiVersion = own(witness, 'apiVersion');
  if (typeof apiVersion === 'string') {
    return { ...witness, apiVersion: `${apiVersion.split('/')[0] ?? ''}/${version}` };
  }
  return Object.fromEntries(
    Object.entries(witness).map(([side, object]) => [side, withVersion(object, version)]),
  );
}
