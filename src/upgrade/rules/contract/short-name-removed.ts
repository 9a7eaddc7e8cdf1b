import { from } from '../../../rule/index.js';
import { nameChanges } from './requests.js';
import { defineContractRule } from './rule.js';

export const shortNameRemoved = defineContractRule({
  id: 'ShortNameRemoved',
  audience: 'display',
  fields: ['spec.names.shortNames'],
  checks: 'A short name is removed.',
  why: 'kubectl get with the short name, in runbooks and scripts, finds no such resource.',
  otherwise: 'error: the server doesn\'t have a resource type "wd"',
  instead: 'Keep the short name; there may be several.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { removed: 'short name "{name}" is removed', added: 'short name "{name}" is added' },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, shortNames: [wd, wg] } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, shortNames: [wg] } }',
    says: 'short name "wd" is removed',
  },
  compare: (pair) => nameChanges(pair, 'shortNames'),
});
