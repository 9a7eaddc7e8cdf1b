import { aGroup, anObject, describeRule } from '../testing/harness.js';
import { groupRoleCollision } from './group-role-collision.js';

describeRule(groupRoleCollision, [
  { when: 'free', object: aGroup(), says: [] },
  { when: 'not in view', object: aGroup(), unknown: ['ClusterRole'], says: [] },
  {
    when: 'its own',
    object: aGroup(),
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
    object: aGroup(),
    cluster: [anObject('ClusterRole', 'g-admin'), anObject('ClusterRole', 'g-view')],
    says: ['warning: ClusterRoles of that name belong to something else: g-admin, g-view'],
  },
]);
