/** Reads the parts of a version beside its schema. */
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { objectAt, textAt } from '../../../text/documents/fields.js';

export function subresource(
  { document }: DefinitionVersion,
  name: 'status' | 'scale',
): JsonObject | undefined {
  return objectAt(document, 'subresources', name);
}

/** A text of an object, empty where it has none. */
export function textOf(object: JsonObject, name: string): string {
  return textAt(object, name) ?? '';
}
