import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { noOperatorGroup } from './group-membership.js';

const copy = aCsv({ metadata: { labels: { 'olm.copiedFrom': 'b' } } });

describeRule(noOperatorGroup, [
  { when: 'a group', object: aCsv(), cluster: [makeGroup()], says: [] },
  { when: 'a copy that OLM makes', object: copy, isByOlm: true, says: [] },
  {
    when: 'what says that it is a copy',
    object: copy,
    says: ['warning: NoOperatorGroup: csv in namespace with no operatorgroups'],
  },
  {
    when: 'none',
    object: aCsv(),
    says: ['warning: NoOperatorGroup: csv in namespace with no operatorgroups'],
  },
]);
