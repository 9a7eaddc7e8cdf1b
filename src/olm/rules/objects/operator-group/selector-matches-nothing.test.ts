import { makeGroup, aNamespace, describeRule } from '../testing/harness.js';
import { selectorMatchesNothing } from './group-spec.js';
import { prod } from './testing/specs.js';

describeRule(selectorMatchesNothing, [
  {
    when: 'a match',
    object: makeGroup({ spec: prod }),
    cluster: [aNamespace('a', { env: 'prod' })],
    says: [],
  },
  {
    when: 'an invalid selector is another rule’s',
    object: makeGroup({ spec: { selector: { matchLabels: { '!': 'x' } } } }),
    says: [],
  },
  {
    when: 'no match',
    object: makeGroup({ spec: prod }),
    cluster: [aNamespace('a')],
    says: [{ id: 'matchesNothing' }],
  },
]);
