import { expect } from 'chai';
import { aCsv, contextOf, makeGroup, describeRule } from '../testing/harness.js';
import {
  interOperatorGroupOwnerConflict,
  tooManyOperatorGroups,
  unsupportedOperatorGroup,
} from './group-membership.js';

describeRule(tooManyOperatorGroups, [
  { when: 'one', object: aCsv(), cluster: [makeGroup()], says: [] },
  {
    when: 'two',
    object: aCsv(),
    cluster: [makeGroup(), makeGroup({ name: 'h' })],
    says: [
      "error: TooManyOperatorGroups: csv created in namespace with multiple operatorgroups, can't pick one automatically",
    ],
  },
]);

describe('the fixes for a ClusterServiceVersion and its OperatorGroup', () => {
  const rival = makeGroup({ name: 'rival', namespace: 'zoo', provides: 'Cat.v1.pets' });
  for (const [rule, object, cluster, fix] of [
    [
      tooManyOperatorGroups,
      aCsv(),
      [makeGroup(), makeGroup({ name: 'second' })],
      'of ns first: g, second.',
    ],
    [unsupportedOperatorGroup, aCsv({ modes: [] }), [makeGroup()], 'or change OperatorGroup g.'],
    [interOperatorGroupOwnerConflict, aCsv(), [makeGroup(), rival], 'OperatorGroup zoo/rival, or'],
  ] as const) {
    it(`name the groups: ${rule.id}`, () => {
      const [found] = rule.judge(contextOf({ object, cluster: [...cluster] }));
      expect(found?.fix).to.include(fix);
    });
  }
});
