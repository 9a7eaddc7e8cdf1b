import { aCsv, makeGroup, aNamespace, describeRule } from '../testing/harness.js';
import { noTargetNamespaces } from './group-membership.js';

const prod = { selector: { matchLabels: { env: 'prod' } } };

describeRule(noTargetNamespaces, [
  {
    when: 'a match',
    object: aCsv(),
    cluster: [makeGroup({ spec: prod, status: [] }), aNamespace('a', { env: 'prod' })],
    says: [],
  },
  {
    when: 'no match',
    object: aCsv(),
    cluster: [makeGroup({ spec: prod, status: [] })],
    says: [
      'warning: NoTargetNamespaces: no targetNamespaces are matched operatorgroups namespace selection',
    ],
  },
]);
