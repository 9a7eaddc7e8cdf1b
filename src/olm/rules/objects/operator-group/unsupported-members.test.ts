import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { unsupportedMembers } from './group-failures.js';

const onlyOwn = aCsv({ modes: ['OwnNamespace'] });

describeRule(unsupportedMembers, [
  { when: 'supported', object: makeGroup(), cluster: [onlyOwn], says: [] },
  {
    when: 'not supported any more',
    object: makeGroup({ spec: { targetNamespaces: ['ns', 'x'] } }),
    old: makeGroup(),
    cluster: [onlyOwn],
    says: [
      {
        id: 'unsupported',
        data: {
          csv: 'cats.v1',
          reason: 'UnsupportedOperatorGroup',
          message:
            'MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces',
        },
      },
    ],
  },
  {
    when: 'a member that is failed already',
    object: makeGroup({ spec: {} }),
    cluster: [
      aCsv({ modes: ['OwnNamespace'], status: { phase: 'Failed', reason: 'NoOperatorGroup' } }),
    ],
    says: [
      {
        id: 'unsupported',
        data: {
          csv: 'cats.v1',
          reason: 'UnsupportedOperatorGroup',
          message:
            'AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces',
        },
        severity: 'warning',
      },
    ],
  },
  {
    when: 'a copy is no member',
    object: makeGroup({ spec: {} }),
    cluster: [aCsv({ modes: ['OwnNamespace'], metadata: { labels: { 'olm.copiedFrom': 'b' } } })],
    says: [],
  },
]);
