import { aCsv, makeGroup, describeRule, type GroupFields } from '../testing/harness.js';
import { operatorGroupIntersection } from './group-failures.js';

const rival = (fields: GroupFields = {}) =>
  makeGroup({
    name: 'h',
    namespace: 'other',
    spec: { targetNamespaces: ['ns'] },
    provides: 'Cat.v1.pets',
    ...fields,
  });

const clash =
  'intersecting operatorgroups provide the same apis: Cat.v1.pets is already provided by OperatorGroup h of namespace other for namespace ns';

describeRule(operatorGroupIntersection, [
  { when: 'nobody else', object: makeGroup(), cluster: [aCsv()], says: [] },
  {
    when: 'a rival elsewhere',
    object: makeGroup(),
    cluster: [aCsv(), rival({ spec: { targetNamespaces: ['x'] } })],
    says: [],
  },
  {
    when: 'a rival that provides something else',
    object: makeGroup(),
    cluster: [aCsv(), rival({ provides: 'Dog.v1.pets' })],
    says: [],
  },
  {
    when: 'a rival in the same namespace, where OLM compares no group',
    object: makeGroup(),
    cluster: [aCsv(), rival({ namespace: 'ns' })],
    says: [],
  },
  {
    when: 'an active member loses',
    object: makeGroup(),
    cluster: [aCsv(), rival()],
    says: [`error: ${clash}; OLM will fail ns/cats.v1 with InterOperatorGroupOwnerConflict`],
  },
  {
    when: 'a member of the rival loses',
    object: makeGroup({ provides: 'Cat.v1.pets' }),
    cluster: [aCsv({ namespace: 'other', name: 'theirs' }), rival()],
    says: [`error: ${clash}; OLM will fail other/theirs with InterOperatorGroupOwnerConflict`],
  },
  {
    when: 'a static rival protects without members',
    object: makeGroup(),
    cluster: [aCsv(), rival({ spec: { targetNamespaces: ['ns'], staticProvidedAPIs: true } })],
    says: [/^error: .* \(static\); OLM will fail .* with Inter/],
  },
  {
    when: 'two static groups claim the same',
    object: makeGroup({
      spec: { targetNamespaces: ['ns'], staticProvidedAPIs: true },
      provides: 'Cat.v1.pets',
    }),
    cluster: [rival({ spec: { targetNamespaces: ['ns'], staticProvidedAPIs: true } })],
    says: [/^error: /],
  },
  {
    when: 'an annotation that no member accounts for',
    object: makeGroup({ provides: 'Cat.v1.pets' }),
    cluster: [rival()],
    says: [`warning: ${clash}`],
  },
  {
    when: 'a member that its group fails already',
    object: makeGroup(),
    cluster: [aCsv({ status: { phase: 'Failed', reason: 'UnsupportedOperatorGroup' } }), rival()],
    says: [],
  },
  {
    when: 'a global group meets every rival',
    object: makeGroup({ spec: {} }),
    cluster: [aCsv(), rival({ spec: { targetNamespaces: ['far'] } })],
    says: [/^error: .*for namespaces far, other/],
  },
  {
    when: 'a rival that is global',
    object: makeGroup(),
    cluster: [aCsv(), rival({ spec: {} })],
    says: [/^error: /],
  },
  {
    when: 'a rival that OLM has given no status yet',
    object: makeGroup(),
    cluster: [aCsv(), rival({ status: [] })],
    says: [`error: ${clash}; OLM will fail ns/cats.v1 with InterOperatorGroupOwnerConflict`],
  },
  {
    when: 'a rival without status that is to be global',
    object: makeGroup(),
    cluster: [aCsv(), rival({ status: [], spec: {} })],
    says: [/^error: /],
  },
  {
    when: 'a rival without status whose selector matches another namespace',
    object: makeGroup(),
    cluster: [
      aCsv(),
      rival({ status: [], spec: { selector: { matchLabels: { kubernetes: 'no' } } } }),
    ],
    says: [],
  },
  {
    when: 'a narrower update is judged by what it selects, not by its old status',
    object: makeGroup({ status: ['x'] }),
    old: makeGroup({ spec: { targetNamespaces: ['x'] } }),
    cluster: [aCsv(), rival({ spec: { targetNamespaces: ['x'] } })],
    says: [],
  },
]);
