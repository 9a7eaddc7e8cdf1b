import { aCsv, aGroup, aNamespace, describeRule } from './testing/harness.js';
import * as rules from './csv-membership.js';

const copy = aCsv({ metadata: { labels: { 'olm.copiedFrom': 'b' } } });
const prod = { selector: { matchLabels: { env: 'prod' } } };
const onlyAll = aCsv({ modes: ['AllNamespaces'] });
const isStatic = { targetNamespaces: ['ns'], staticProvidedAPIs: true };
const rival = aGroup({
  name: 'h',
  namespace: 'other',
  spec: { targetNamespaces: ['ns'] },
  provides: 'Cat.v1.pets',
});

describeRule(rules.noOperatorGroup, [
  { when: 'a group', object: aCsv(), cluster: [aGroup()], says: [] },
  { when: 'a copy', object: copy, says: [] },
  {
    when: 'none',
    object: aCsv(),
    says: ['warning: NoOperatorGroup: csv in namespace with no operatorgroups'],
  },
]);

describeRule(rules.tooManyOperatorGroups, [
  { when: 'one', object: aCsv(), cluster: [aGroup()], says: [] },
  {
    when: 'two',
    object: aCsv(),
    cluster: [aGroup(), aGroup({ name: 'h' })],
    says: [
      "error: TooManyOperatorGroups: csv created in namespace with multiple operatorgroups, can't pick one automatically",
    ],
  },
]);

describeRule(rules.noTargetNamespaces, [
  {
    when: 'a match',
    object: aCsv(),
    cluster: [aGroup({ spec: prod, status: [] }), aNamespace('a', { env: 'prod' })],
    says: [],
  },
  {
    when: 'no match',
    object: aCsv(),
    cluster: [aGroup({ spec: prod, status: [] })],
    says: [
      'warning: NoTargetNamespaces: no targetNamespaces are matched operatorgroups namespace selection',
    ],
  },
]);

describeRule(rules.invalidInstallModes, [
  { when: 'each once', object: aCsv(), cluster: [aGroup()], says: [] },
  {
    when: 'one twice',
    object: aCsv({ modes: ['OwnNamespace', 'OwnNamespace'] }),
    cluster: [aGroup()],
    says: [
      'error: InvalidInstallModes: InstallMode list contains duplicates, cannot make set: [{OwnNamespace true} {OwnNamespace true}]',
    ],
  },
]);

describeRule(rules.unsupportedOperatorGroup, [
  { when: 'supported', object: onlyAll, cluster: [aGroup({ spec: {} })], says: [] },
  {
    when: 'a group not settled yet counts as it selects',
    object: onlyAll,
    cluster: [aGroup({ spec: {}, status: [] })],
    says: [],
  },
  {
    when: 'not supported',
    object: onlyAll,
    cluster: [aGroup()],
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
    cluster: [aGroup({ spec: {} })],
    says: [/AllNamespaces InstallModeType.*selects all namespaces/],
  },
]);

describeRule(rules.interOperatorGroupOwnerConflict, [
  { when: 'alone', object: aCsv(), cluster: [aGroup()], says: [] },
  {
    when: 'another API',
    object: aCsv({ owns: ['dogs.pets'] }),
    cluster: [aGroup(), rival],
    says: [],
  },
  {
    when: 'a rival provides it',
    object: aCsv(),
    cluster: [aGroup(), rival],
    says: [
      'error: intersecting operatorgroups provide the same apis: Cat.v1.pets is already provided by OperatorGroup h of namespace other for namespace ns',
    ],
  },
  {
    when: 'the own group lists it too: OLM removes it first and then fails',
    object: aCsv(),
    cluster: [aGroup({ provides: 'Cat.v1.pets' }), rival],
    says: [/^error: intersecting/],
  },
  {
    when: 'each API is named',
    object: aCsv({ owns: ['cats.pets', 'dogs.pets'] }),
    cluster: [
      aGroup(),
      rival,
      aGroup({ name: 'i', namespace: 'third', spec: {}, provides: 'Dog.v1.pets' }),
    ],
    says: [/Cat\.v1\.pets .* h of/, /Dog\.v1\.pets .* i of/],
  },
]);

describeRule(rules.cannotModifyStaticGroup, [
  {
    when: 'listed',
    object: aCsv(),
    cluster: [aGroup({ spec: isStatic, provides: 'Cat.v1.pets' })],
    says: [],
  },
  { when: 'not static', object: aCsv(), cluster: [aGroup()], says: [] },
  {
    when: 'not listed',
    object: aCsv(),
    cluster: [aGroup({ spec: isStatic })],
    says: [
      'error: static provided api operatorgroup cannot be modified by these apis: OperatorGroup g does not list Cat.v1.pets',
    ],
  },
  {
    when: 'listed, and a rival provides it',
    object: aCsv(),
    cluster: [aGroup({ spec: isStatic, provides: 'Cat.v1.pets' }), rival],
    says: [/^error: static provided api.*OperatorGroup h/],
  },
  {
    when: 'not listed, and a rival provides it: the other rule’s',
    object: aCsv(),
    cluster: [aGroup({ spec: isStatic }), rival],
    says: [],
  },
]);
