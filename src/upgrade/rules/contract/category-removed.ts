import { from } from '../../../rule/index.js';
import { nameChanges } from './requests.js';
import { defineContractRule } from './rule.js';

export const categoryRemoved = defineContractRule({
  id: 'CategoryRemoved',
  audience: 'display',
  fields: ['spec.names.categories'],
  checks: 'A category is removed.',
  why: 'kubectl get with the category, and tools that ask for all of one, no longer list these objects.',
  instead: 'Keep the category.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { removed: 'category "{name}" is removed', added: 'category "{name}" is added' },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, categories: [all, gadgets] } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, categories: [gadgets] } }',
    says: 'category "all" is removed',
  },
  compare: (pair) => nameChanges(pair, 'categories'),
});
