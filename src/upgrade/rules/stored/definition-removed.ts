import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const definitionRemoved = defineStoredRule({
  id: 'DefinitionRemoved',
  severity: 'error',
  about: 'content',
  checks:
    'Definitions that the old release has and the new one does not, where both are whole: two folders, charts or bundles.',
  why: 'Whatever deletes what is gone from Git or from a chart deletes the definition with all its objects; otherwise these stay, and no release looks after them.',
  instead:
    'Keep the definition, with served: false for versions that may go, until its objects are gone; or exempt this rule with the reason.',
  source: from.apiextensions('pkg/controller/finalizer/crd_finalizer.go', 'deleteInstances'),
  messages: {
    gone: '{name} is only in {old}: if it is deleted from the cluster, its stored objects go with it',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '',
    says: 'widgets.example.com is only in OLD',
  },
});
