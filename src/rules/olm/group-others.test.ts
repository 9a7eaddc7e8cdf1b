import { aCsv, aGroup, anObject, describeRule } from './testing/harness.js';
import { groupInUse, unsupportedMembers } from './group-members.js';
import {
  groupRoleCollision,
  groupServiceAccount,
  multipleOperatorGroups,
} from './group-neighbours.js';
import {
  staticProtectionLost,
  staticProvidedApis,
  unreadableProvidedApis,
} from './static-group.js';

const onlyOwn = aCsv({ modes: ['OwnNamespace'] });

describeRule(unsupportedMembers, [
  { when: 'supported', object: aGroup(), cluster: [onlyOwn], says: [] },
  {
    when: 'not supported any more',
    object: aGroup({ spec: { targetNamespaces: ['ns', 'x'] } }),
    old: aGroup(),
    cluster: [onlyOwn],
    says: [
      'error: UnsupportedOperatorGroup awaits ClusterServiceVersion cats.v1: MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces',
    ],
  },
  {
    when: 'a member that is failed already',
    object: aGroup({ spec: {} }),
    cluster: [
      aCsv({ modes: ['OwnNamespace'], status: { phase: 'Failed', reason: 'NoOperatorGroup' } }),
    ],
    says: [/^warning: UnsupportedOperatorGroup awaits/],
  },
  {
    when: 'a copy is no member',
    object: aGroup({ spec: {} }),
    cluster: [aCsv({ modes: ['OwnNamespace'], metadata: { labels: { 'olm.copiedFrom': 'b' } } })],
    says: [],
  },
]);

describeRule(groupInUse, [
  { when: 'no members', object: aGroup(), says: [] },
  {
    when: 'another group is left',
    object: aGroup(),
    cluster: [aCsv(), aGroup({ name: 'h' })],
    says: [],
  },
  {
    when: 'active members',
    object: aGroup(),
    cluster: [aCsv()],
    says: ['warning: NoOperatorGroup awaits active members: cats.v1'],
  },
]);

describeRule(multipleOperatorGroups, [
  {
    when: 'the first',
    object: aGroup(),
    cluster: [aGroup({ name: 'h', namespace: 'other' })],
    says: [],
  },
  {
    when: 'the second',
    object: aGroup(),
    cluster: [aGroup({ name: 'h' })],
    says: [
      'warning: namespace ns has an OperatorGroup already: h; members fail with TooManyOperatorGroups',
    ],
  },
]);

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

const withAccount = aGroup({ spec: { targetNamespaces: ['ns'], serviceAccountName: 'sa' } });
describeRule(groupServiceAccount, [
  { when: 'none asked for', object: aGroup(), says: [] },
  {
    when: 'there',
    object: withAccount,
    cluster: [anObject('ServiceAccount', 'sa', 'ns')],
    says: [],
  },
  { when: 'not in view', object: withAccount, unknown: ['ServiceAccount'], says: [] },
  {
    when: 'in another namespace only',
    object: withAccount,
    cluster: [anObject('ServiceAccount', 'sa', 'other')],
    says: ['warning: ServiceAccount sa not found in namespace ns'],
  },
]);

const isStatic = { targetNamespaces: ['ns'], staticProvidedAPIs: true };
describeRule(staticProvidedApis, [
  { when: 'not static', object: aGroup(), cluster: [aCsv()], says: [] },
  {
    when: 'listed',
    object: aGroup({ spec: isStatic, provides: 'Cat.v1.pets' }),
    cluster: [aCsv()],
    says: [],
  },
  {
    when: 'a member’s API is not listed',
    object: aGroup({ spec: isStatic, provides: 'Dog.v1.pets' }),
    cluster: [aCsv()],
    says: [
      'error: static provided api operatorgroup cannot be modified by these apis: cats.v1 provides Cat.v1.pets',
    ],
  },
]);

describeRule(unreadableProvidedApis, [
  {
    when: 'readable, with blanks and empty entries',
    object: aGroup({ provides: 'Cat.v1.pets, ,Dog.v1.' }),
    says: [],
  },
  {
    when: 'too few dots',
    object: aGroup({ provides: 'Cat.v1.pets,Cat,cats.pets' }),
    says: ['warning: olm.providedAPIs has entries that OLM ignores: Cat, cats.pets'],
  },
]);

const protecting = aGroup({ spec: isStatic, provides: 'Cat.v1.pets,Dog.v1.pets' });
describeRule(staticProtectionLost, [
  { when: 'created', object: protecting, says: [] },
  { when: 'unchanged', object: protecting, old: protecting, says: [] },
  {
    when: 'one API less',
    object: aGroup({ spec: isStatic, provides: 'Cat.v1.pets' }),
    old: protecting,
    says: ['warning: these APIs are no longer protected by the group: Dog.v1.pets'],
  },
  {
    when: 'no longer static: members keep theirs',
    object: aGroup({ provides: 'Cat.v1.pets,Dog.v1.pets' }),
    old: protecting,
    cluster: [aCsv()],
    says: ['warning: these APIs are no longer protected by the group: Dog.v1.pets'],
  },
  { when: 'was not static', object: aGroup(), old: aGroup({ provides: 'Dog.v1.pets' }), says: [] },
]);
