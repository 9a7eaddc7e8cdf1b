import { makeGroup, describeRule } from '../testing/harness.js';
import { selectorSelectsAll } from './group-spec.js';
import { prod } from './testing/specs.js';

describeRule(selectorSelectsAll, [
  { when: 'matchLabels', object: makeGroup({ spec: prod }), says: [] },
  { when: 'no selector is meant to be global', object: makeGroup({ spec: {} }), says: [] },
  {
    when: 'an empty selector',
    object: makeGroup({ spec: { selector: {} } }),
    says: [{ id: 'empty' }],
  },
  {
    when: 'a label without matchLabels, as a folder shows it',
    object: makeGroup({ spec: { selector: { 'cool.io/prod': 'true' } } }),
    says: [{ id: 'stray', data: { stray: ['cool.io/prod'] } }],
  },
]);
