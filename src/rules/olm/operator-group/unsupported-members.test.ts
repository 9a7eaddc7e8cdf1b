import { aCsv, aGroup, describeRule } from '../testing/harness.js';
import { unsupportedMembers } from './unsupported-members.js';

const onlyOwn = aCsv({ modes: ['OwnNamespace'] });

describeRule(unsupportedMembers, [
  { when: 'supported', object: aGroup(), cluster: [onlyOwn], says: [] },
  {
    when: 'not supported any more',
    object: aGroup({ spec: { targetNamespaces: ['ns', 'x'] } }),
    old: aGroup(),
    cluster: [onlyOwn],
    says: [
      'error: OLM will fail ClusterServiceVersion cats.v1 with UnsupportedOperatorGroup: MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces',
    ],
  },
  {
    when: 'a member that is failed already',
    object: aGroup({ spec: {} }),
    cluster: [
      aCsv({ modes: ['OwnNamespace'], status: { phase: 'Failed', reason: 'NoOperatorGroup' } }),
    ],
    says: [/^warning: OLM will fail .* with UnsupportedOperatorGroup/],
  },
  {
    when: 'a copy is no member',
    object: aGroup({ spec: {} }),
    cluster: [aCsv({ modes: ['OwnNamespace'], metadata: { labels: { 'olm.copiedFrom': 'b' } } })],
    says: [],
  },
]);
