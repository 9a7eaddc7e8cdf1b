/**
 * Objects of which controllers make CustomResourceDefinitions.
 *
 * - What comes in: an object of any kind.
 * - What goes out: the definitions that its controller makes of it, and where in the object each part
 *   of them comes from; nothing for an object of another kind.
 */
import { isObject, type JsonValue } from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { compositeResourceDefinitions } from './crossplane.js';
import type { DefinitionSource } from './derived.js';
import { apiResourceSchemas } from './kcp.js';
import { resourceGraphDefinitions } from './kro.js';

export type { DerivedDefinition } from './derived.js';

const sources: readonly DefinitionSource[] = [
  compositeResourceDefinitions,
  resourceGraphDefinitions,
  apiResourceSchemas,
];

export function definitionSource(value: JsonValue): DefinitionSource | undefined {
  if (!isObject(value)) return undefined;
  const kind = textAt(value, 'kind');
  const group = textAt(value, 'apiVersion')?.split('/')[0];
  return sources.find((source) => source.kind === kind && source.group === group);
}

export function mentionsSource(bytes: Buffer): boolean {
  return sources.some(({ kind }) => bytes.includes(kind));
}
