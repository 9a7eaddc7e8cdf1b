import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedObjectsLoseData = defineStoredRule({
  id: 'StoredObjectsLoseData',
  severity: 'error',
  about: 'content',
  checks: 'Stored objects that hold fields which the new definition drops.',
  why: 'The fields are gone with the next read, and the next write makes that final.',
  instead: 'Keep the field in the schema, or move its value elsewhere first.',
  source: from.apiextensions('pkg/apiserver/schema/pruning/algorithm.go', 'PruneWithOptions'),
  messages: {
    pruned: '{pruned} of {stored} would lose {losses}',
    withheld: 'stored {kinds} would lose data; which and how many is for those who may list {name}',
  },
  example: {
    before: `
      properties: { size: { type: integer }, color: { type: string } }
      ---
      { kind: Widget, metadata: { name: red, namespace: default }, spec: { color: red } }`,
    after: 'properties: { size: { type: integer } }',
    says: '1 of 1 stored Widget would lose spec.color: default/red',
    accepted: 'properties: { size: { type: integer }, color: { type: string, maxLength: 9 } }',
  },
});
