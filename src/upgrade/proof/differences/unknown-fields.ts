/** Fields that are kept though the schema around them does not say so. */
import type { SchemaNode, VersionDefinition } from '../../../kubernetes/index.js';
import { unknownFieldsChange } from './change.js';
import { Draft } from '../draft.js';
import { pinValue } from '../pin.js';
import type { Walk } from './pair.js';

/** Stored objects may hold whatever was written; from now on only declared fields are kept. */
export function compareUnknownFields(
  walk: Walk,
  before: VersionDefinition,
  after: VersionDefinition,
): void {
  if (!before.preserveUnknownFields || after.preserveUnknownFields) return;
  walk.add({
    place: undefined,
    proof: 'open',
    reason: 'spec.preserveUnknownFields is no longer true: undeclared fields are pruned',
    change: unknownFieldsChange,
    candidates: () =>
      names(before).map((name) => ({ kind: 'object', fields: new Map([[name, pinValue('a')]]) })),
  });
}

function names({ schema }: VersionDefinition): string[] {
  const free = ['undeclared', 'undeclaredField', 'anotherField'];
  return free.filter((name) => schema.properties?.has(name) !== true);
}

/**
 * The schema with x-kubernetes-preserve-unknown-fields wherever it holds: items of a list have it from
 * the list, and everything from `isOfAll`, the definition's own preserveUnknownFields. Sound: what is
 * pruned, and what is accepted, stays the same.
 */
export function withKeptFields(node: SchemaNode, isOfAll: boolean, isKept = isOfAll): SchemaNode {
  if (!isOfAll && !isKept && !node.holds('unknownFields')) return node;
  const mayKeep = !node.intOrString && node.additionalProperties === undefined;
  const keeps = node.preserveUnknownFields || (isKept && mayKeep && isOpen.has(node.type));
  const draft = new Draft(node);
  draft.set('preserveUnknownFields', keeps && (node.type !== 'array' || node.items === undefined));
  for (const [name, field] of node.properties ?? []) {
    draft.setField(name, withKeptFields(field, isOfAll));
  }
  const { items, additionalProperties: others } = node;
  if (items !== undefined) draft.set('items', withKeptFields(items, isOfAll, keeps));
  if (others?.schema !== undefined) {
    const schema = withKeptFields(others.schema, isOfAll);
    if (schema !== others.schema) draft.set('additionalProperties', { ...others, schema });
  }
  return draft.finish();
}

const isOpen: ReadonlySet<string> = new Set(['', 'object', 'array']);
