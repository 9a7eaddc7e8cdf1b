import { from } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { textOf } from './subresources.js';
import { defineContractRule } from './rule.js';

export const deprecationChanged = defineContractRule({
  id: 'DeprecationChanged',
  audience: 'display',
  fields: ['spec.versions[].deprecated', 'spec.versions[].deprecationWarning'],
  checks: 'A version becomes deprecated, or its deprecation says something else.',
  why: 'Every request in that version is answered with a warning, which kubectl and many clients print: the notice that the version will be removed.',
  otherwise: 'Warning: example.com/v1alpha1 Widget is deprecated',
  instead:
    'Nothing: this is how a version should go. Tell its users which version to move to in deprecationWarning.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    deprecated: 'the version is deprecated',
    deprecatedWith: 'the version is deprecated: {warning}',
    undeprecated: 'the version is no longer deprecated',
    reworded: 'the deprecation message changes',
  },
  example: {
    before: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true, deprecated: true }] }',
    says: 'the version is deprecated',
  },
  *compare({ shared }) {
    for (const { old: before, new: after } of shared) {
      const [was, is] = [before, after].map(({ document }) => own(document, 'deprecated') === true);
      const [old, now] = [before, after].map(({ document }) =>
        textOf(document, 'deprecationWarning'),
      );
      const common = {
        version: after.name,
        place: { side: 'new', keys: ['spec', 'versions', after.index] } as const,
      };
      if (is === true && was === false) {
        yield {
          ...common,
          id: now === '' ? 'deprecated' : 'deprecatedWith',
          data: { warning: now ?? '' },
        };
      } else if (was !== is) {
        yield { ...common, id: 'undeprecated', isHarmless: true };
      } else if (old !== now) {
        yield { ...common, id: 'reworded', isHarmless: true };
      }
    }
  },
});
