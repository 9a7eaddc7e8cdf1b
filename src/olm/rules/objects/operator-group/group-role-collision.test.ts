import { makeGroup, makeObject, describeRule } from '../testing/harness.js';
import { groupRoleCollision } from './group-surroundings.js';

describeRule(groupRoleCollision, [
  { when: 'free', object: makeGroup(), says: [] },
  { when: 'not in view', object: makeGroup(), unknown: ['ClusterRole'], says: [] },
  {
    when: 'its own',
    object: makeGroup(),
    cluster: [
      {
        kind: 'ClusterRole',
        metadata: { name: 'g-edit', labels: { 'olm.owner': 'g', 'olm.owner.namespace': 'ns' } },
      },
    ],
    says: [],
  },
  {
    when: 'somebody else’s',
    object: makeGroup(),
    cluster: [makeObject('ClusterRole', 'g-admin'), makeObject('ClusterRole', 'g-view')],
    says: [{ id: 'collision', data: { taken: ['g-admin', 'g-view'] } }],
  },
]);
