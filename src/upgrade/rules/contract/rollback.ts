import { defineRule, from } from '../../../rule/index.js';

export const rollbackRule = defineRule({
  id: 'Rollback',
  audience: 'objects',
  family: 'rollback',
  subject: 'rollback',
  severity: 'warning',
  checks:
    'Whether the old definition can be put in place of the new one again; only where it is asked for (--rollback, or mode audit or warn for rollback in the policy).',
  why: 'A release that fails is taken back in a hurry. By then objects may use what only the new definition knows: the old one drops it, or refuses every write of them; and objects that are stored in a new version keep the old definition out.',
  otherwise:
    'status.storedVersions[1]: Invalid value: "v2": missing from spec.versions; v2 was previously a storage version, and must remain in spec.versions',
  instead:
    'Ship new fields and values one release before anything writes them, and a new version one release before it is stored.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    possible: 'possible',
    until: 'possible until an object {conditions}',
    never: 'not possible: {reason}',
    unknown: 'not known to be possible: {reason}',
    refused: 'not needed: Kubernetes refuses the upgrade',
  },
  example: {
    before: 'properties: { mode: { type: string, enum: [a, b] } }',
    after: 'properties: { mode: { type: string, enum: [a, b, c] } }',
    says: 'possible until an object uses spec.mode=c',
    accepted:
      'properties: { mode: { type: string, enum: [a, b], description: one of the two modes } }',
  },
});
