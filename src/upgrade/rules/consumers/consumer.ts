import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import { isObject, own, type JsonObject } from '../../../text/documents/index.js';
import { objectAt, valueAt } from '../../../text/documents/fields.js';
import type { Requirement } from './requirement.js';

export interface Consumer {
  readonly name: string;
  readonly needs: readonly Need[];
  readonly by?: 'rights';
  readonly requirement?: Requirement;
}

export interface Need {
  /** Every served version where it is left out; `preferred` is the one that API servers name first. */
  readonly version?: string | typeof preferred;
  readonly fields?: readonly FieldPath[];
  readonly subresource?: 'status' | 'scale';
}

/** The version of a consumer that names only a group and a kind. */
export const preferred = Symbol('preferred');

/** Names of fields from the root; items of lists and values of maps are no step, but for the key of a map. */
export type FieldPath = readonly string[];

const anyKey = '*';

/** About as many fields as the largest schema that API servers accept has. */
const maxFields = 100_000;

export function fieldsOfVersion({ schema }: DefinitionVersion): FieldPath[] {
  const found: FieldPath[] = [];
  const left: (readonly [JsonObject, FieldPath])[] = schema === undefined ? [] : [[schema, []]];
  for (let next = left.pop(); next !== undefined && found.length < maxFields; next = left.pop()) {
    const [node, path] = [itemOf(next[0]), next[1]];
    for (const [name, field] of Object.entries(objectAt(node, 'properties') ?? {})) {
      const at = [...path, name];
      found.push(at);
      if (isObject(field)) left.push([field, at]);
    }
    const values = objectAt(node, 'additionalProperties');
    if (values !== undefined) left.push([values, [...path, anyKey]]);
  }
  return found.sort((one, other) => one.length - other.length);
}

export function fieldsOfObject(object: JsonObject): FieldPath[] {
  const found: FieldPath[] = [];
  const left: (readonly [unknown, FieldPath])[] = [[object, []]];
  for (let next = left.pop(); next !== undefined && found.length < maxFields; next = left.pop()) {
    const [value, path] = next;
    if (Array.isArray(value)) for (const item of value as unknown[]) left.push([item, path]);
    if (!isObject(value)) continue;
    for (const [name, field] of Object.entries(value)) {
      if (path.length === 0 && ofEveryObject.has(name)) continue;
      const at = [...path, name];
      found.push(at);
      left.push([field, at]);
    }
  }
  return found.sort((one, other) => one.length - other.length);
}

const ofEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Whether a version has a field, or keeps it without knowing it. */
export function hasField({ schema }: DefinitionVersion, path: FieldPath): boolean {
  let node: JsonObject = schema ?? {};
  for (const [at, name] of path.entries()) {
    node = itemOf(node);
    const isOfEvery = at === 0 || own(node, 'x-kubernetes-embedded-resource') === true;
    if (isOfEvery && ofEveryObject.has(name)) return true;
    const field = valueAt(node, 'properties', name) ?? valueAt(node, 'additionalProperties');
    if (!isObject(field))
      return field === true || own(node, 'x-kubernetes-preserve-unknown-fields') === true;
    node = field;
  }
  return true;
}

function itemOf(schema: JsonObject): JsonObject {
  let node = schema;
  for (let items = own(node, 'items'); items !== undefined && isObject(items);) {
    node = items;
    items = own(node, 'items');
  }
  return node;
}
