import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { objectAt, textAt } from '../../../text/documents/fields.js';

export function subresource(
  { document }: DefinitionVersion,
  name: 'status' | 'scale',
): JsonObject | undefined {
  return objectAt(document, 'subresources', name);
}

export function textOf(object: JsonObject, name: string): string {
  return textAt(object, name) ?? '';
}
