/** What stands in a version beside its schema. */
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';

export function subresource(
  { document }: DefinitionVersion,
  name: 'status' | 'scale',
): JsonObject | undefined {
  const subresources = own(document, 'subresources');
  const found = isObject(subresources ?? null) ? own(subresources as JsonObject, name) : undefined;
  return isObject(found) ? found : undefined;
}

/** A list of the version, without entries that are no objects. */
export function objectsOf({ document }: DefinitionVersion, name: string): JsonObject[] {
  const list = own(document, name);
  return Array.isArray(list) ? list.filter((each): each is JsonObject => isObject(each)) : [];
}

export function textOf(object: JsonObject, name: string): string {
  const value: JsonValue | undefined = own(object, name);
  return typeof value === 'string' ? value : '';
}
