import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedObjectsRefused = defineStoredRule({
  id: 'StoredObjectsRefused',
  aliases: ['StoredObject'],
  severity: 'error',
  about: 'content',
  checks: 'Stored objects that the new definition would refuse.',
  why: 'Creating such an object again from a backup fails, and so does a write that touches what is refused. API servers up to 1.29 refuse every write to it, also one that only adds a finalizer; later ones let most values pass that a write leaves as they were.',
  instead:
    'Change the objects so that they pass before the definition changes, or keep the constraint out of this version.',
  source: from.apiextensions('pkg/registry/customresource/validator.go', 'ValidateUpdate'),
  messages: {
    refused: '{refused} of {stored} would be refused: {examples}. {updates}',
    none: 'no {kind} is stored on this cluster: nothing breaks here, and what is denied is about objects from other clusters, backups and Git',
    withheld:
      'stored {kinds} would be refused; which and how many is for those who may list {name}',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: big, namespace: default }, spec: { size: 12 } }`,
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: '1 of 1 stored Widget would be refused',
    accepted: 'properties: { size: { type: integer, maximum: 12 } }',
  },
});
