import { from } from '../../../rule/index.js';
import { nameIn } from './requests.js';
import { defineContractRule } from './rule.js';

export const singularChanged = defineContractRule({
  id: 'SingularChanged',
  audience: 'display',
  fields: ['spec.names.singular'],
  checks: 'The singular name changes.',
  why: 'kubectl get with the old singular, in runbooks and scripts, finds no such resource.',
  otherwise: 'error: the server doesn\'t have a resource type "widget"',
  instead: 'Keep spec.names.singular; add the other one as a short name.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { changed: 'the singular changes from "{before}" to "{after}"' },
  example: {
    before: 'spec: { names: { plural: widgets, kind: Widget, singular: widget } }',
    after: 'spec: { names: { plural: widgets, kind: Widget, singular: gadget } }',
    says: 'the singular changes from "widget" to "gadget"',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map(
      (definition) =>
        nameIn(definition, 'names', 'singular') ||
        nameIn(definition, 'names', 'kind').toLowerCase(),
    ) as [string, string];
    if (before === after) return;
    yield {
      id: 'changed',
      data: { before, after },
      place: { side: 'new', keys: ['spec', 'names', 'singular'] },
    };
  },
});
