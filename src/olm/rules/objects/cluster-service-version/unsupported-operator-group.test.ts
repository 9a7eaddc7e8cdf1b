import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { unsupportedOperatorGroup } from './group-membership.js';

const onlyAll = aCsv({ modes: ['AllNamespaces'] });

describeRule(unsupportedOperatorGroup, [
  { when: 'supported', object: onlyAll, cluster: [makeGroup({ spec: {} })], says: [] },
  {
    when: 'a group not settled yet counts as it selects',
    object: onlyAll,
    cluster: [makeGroup({ spec: {}, status: [] })],
    says: [],
  },
  {
    when: 'not supported',
    object: onlyAll,
    cluster: [makeGroup()],
    says: [
      'error: UnsupportedOperatorGroup: OwnNamespace InstallModeType not supported, cannot configure to watch own namespace (OperatorGroup g selects ns)',
    ],
  },
  {
    when: 'an old failure in the status hides nothing',
    object: aCsv({
      modes: ['OwnNamespace'],
      status: { phase: 'Failed', reason: 'InterOperatorGroupOwnerConflict' },
    }),
    cluster: [makeGroup({ spec: {} })],
    says: [/AllNamespaces InstallModeType.*selects all namespaces/],
  },
]);
