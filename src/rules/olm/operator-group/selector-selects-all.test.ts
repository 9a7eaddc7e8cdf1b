import { aGroup, describeRule } from '../testing/harness.js';
import { selectorSelectsAll } from './selector-selects-all.js';
import { prod } from './testing/specs.js';

describeRule(selectorSelectsAll, [
  { when: 'matchLabels', object: aGroup({ spec: prod }), says: [] },
  { when: 'no selector is meant to be global', object: aGroup({ spec: {} }), says: [] },
  {
    when: 'an empty selector',
    object: aGroup({ spec: { selector: {} } }),
    says: ['warning: spec.selector selects all namespaces: it is empty'],
  },
  {
    when: 'a label without matchLabels, as a folder shows it',
    object: aGroup({ spec: { selector: { 'cool.io/prod': 'true' } } }),
    says: [
      'warning: spec.selector selects all namespaces: "cool.io/prod" stands directly beneath selector',
    ],
  },
]);
