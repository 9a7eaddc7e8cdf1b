/** A new status subresource: from now on a create drops the status before the schema is asked. */
import type { SchemaNode, VersionDefinition } from '../../../kubernetes/index.js';
import { statusChange } from './change.js';
import { ordinary, pinFields } from '../pin.js';
import type { Walk } from './pair.js';

export function compareStatus(
  walk: Walk,
  before: VersionDefinition,
  after: VersionDefinition,
): void {
  if (before.hasStatus || !after.hasStatus || !asksForStatus(after.schema)) return;
  walk.add({
    place: undefined,
    proof: 'open',
    reason:
      'the status subresource is new: a create drops the status, and an object without one is refused',
    change: statusChange,
    candidates: () => [pinFields(['status', ordinary])],
  });
}

/** Whether an object without a status may be refused for that. */
function asksForStatus(node: SchemaNode): boolean {
  const { required, rules, minProperties } = node;
  return (
    required.includes('status') ||
    // Every object has apiVersion, kind and metadata.
    (minProperties ?? 0) > 3 ||
    rules.some(({ rule }) => rule.includes('status')) ||
    [...node.allOf, ...node.anyOf, ...node.oneOf].some(asksForStatus)
  );
}
