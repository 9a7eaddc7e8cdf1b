import { locationOf } from '../../crd/place.js';
import type { SchemaSpot } from '../../crd/difference.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import type { VersionPair } from './rule.js';
import { textOf } from './subresources.js';

/** Whether the field is inside an atomic list or map, before and after. */
export function isInsideAtomic({ old, new: next }: VersionPair, spot: SchemaSpot): boolean {
  const { keys } = locationOf({ side: 'new', version: next.index, spot });
  const within = keys.slice(keys.indexOf('openAPIV3Schema') + 1);
  return [old.schema, next.schema].every((schema) => isAtomicAbove(schema, within));
}

/** Whether a list inside it, whose items appliers share, is replaced as a whole if it is. */
export function holdsMergedList(schema: JsonValue | undefined): boolean {
  if (!isObject(schema ?? null)) return false;
  const { type, properties, additionalProperties } = schema as JsonObject;
  if (isAtomic(schema as JsonObject)) return false;
  if (type === 'array') return true;
  const fields = isObject(properties ?? null) ? Object.values(properties as JsonObject) : [];
  return [...fields, additionalProperties].some(holdsMergedList);
}

function isAtomicAbove(
  schema: JsonObject | undefined,
  keys: readonly (string | number)[],
): boolean {
  let value: unknown = schema;
  for (const key of keys) {
    if (!isObject(value) && !Array.isArray(value)) return false;
    if (isObject(value) && isAtomic(value)) return true;
    value = isObject(value) ? own(value, String(key)) : (value as unknown[])[Number(key)];
  }
  return false;
}

function isAtomic(schema: JsonObject): boolean {
  if (textOf(schema, 'type') === 'array') {
    const listType = textOf(schema, 'x-kubernetes-list-type');
    return listType === '' || listType === 'atomic';
  }
  return textOf(schema, 'x-kubernetes-map-type') === 'atomic';
}
