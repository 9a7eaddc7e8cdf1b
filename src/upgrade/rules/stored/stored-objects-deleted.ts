import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedObjectsDeleted = defineStoredRule({
  id: 'StoredObjectsDeleted',
  severity: 'warning',
  about: 'content',
  checks: 'The deletion of a definition that still has objects.',
  why: 'A definition takes its objects with it, and with them what they own.',
  instead: 'Delete the objects first, or keep the definition.',
  source: from.apiextensions('pkg/controller/finalizer/crd_finalizer.go', 'deleteInstances'),
  messages: { deleted: 'deleting {name} deletes {stored} with it' },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after: '',
    says: 'deleting widgets.example.com deletes 1 stored Widget with it',
  },
});
