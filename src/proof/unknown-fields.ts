/** spec.preserveUnknownFields, which definitions made before Kubernetes 1.22 may still have. */
import type { VersionDefinition } from '../apiserver/definition.js';
import { unknownFieldsChange } from './change.js';
import { pinValue, type Pin } from './pin.js';
import type { Walk } from './walk.js';

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
    candidates: () => names(before).map((name) => pinField(name)),
  });
}

/** One that is not declared. */
function names({ schema }: VersionDefinition): string[] {
  const free = ['undeclared', 'undeclaredField', 'anotherField'];
  return free.filter((name) => schema.properties?.has(name) !== true);
}

function pinField(name: string): Pin {
  return { kind: 'object', fields: new Map([[name, pinValue('a')]]) };
}
