import { expect } from 'chai';
import { aCsv, makeGroup } from './testing/objects.js';
import type { OperatorGroup } from './objects.js';
import { grantPermissions, type OwnedRole } from './operator-permissions.js';

const rule = { verbs: ['get'], resources: ['pods'] };
const owned: OwnedRole<typeof rule>[] = [
  {
    kind: 'Role',
    name: 'r',
    labels: { 'olm.owner': 'cats.v1', 'olm.owner.namespace': 'ns' },
    rules: [rule],
  },
  { kind: 'RoleBinding', name: 'b', labels: {}, rules: [] },
];

function granted(group: OperatorGroup | null) {
  return grantPermissions(aCsv(), group, [{ serviceAccountName: 'sa', rules: [rule] }], owned);
}

describe('grantPermissions', () => {
  const rows: [
    rule: string,
    group: OperatorGroup | null,
    scope: string,
    namespaces: string[],
    kinds: string[],
  ][] = [
    ['no group grants nothing', null, 'none', [], []],
    ['an unsettled group grants nothing', makeGroup({ statusNamespaces: [] }), 'none', [], []],
    [
      'own namespace: nothing is copied',
      makeGroup({ targetNamespaces: ['ns'] }),
      'own-namespace',
      ['ns'],
      [],
    ],
    [
      'targets: copies everywhere but at home',
      makeGroup({ targetNamespaces: ['ns', 'x'] }),
      'target-namespaces',
      ['ns', 'x'],
      ['Role x', 'RoleBinding x'],
    ],
    [
      'all namespaces: lifted',
      makeGroup({ targetNamespaces: [], statusNamespaces: [''] }),
      'cluster',
      [''],
      ['ClusterRole ', 'ClusterRoleBinding '],
    ],
  ];
  for (const [rule, group, scope, namespaces, kinds] of rows) {
    it(rule, () => {
      const grants = granted(group);
      expect([grants.scope, grants.namespaces]).to.deep.equal([scope, namespaces]);
      expect(grants.roles.map((role) => `${role.kind} ${role.namespace ?? ''}`)).to.deep.equal(
        kinds,
      );
    });
  }

  it('adds a look at namespaces to lifted roles and keeps name and labels', () => {
    expect(granted(makeGroup({ statusNamespaces: [''] })).roles[0]).to.deep.equal({
      kind: 'ClusterRole',
      name: 'r',
      namespace: null,
      labels: { 'olm.owner': 'cats.v1', 'olm.owner.namespace': 'ns' },
      rules: [
        rule,
        { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['namespaces'] },
      ],
    });
  });

  it('marks copies with the copy of the CSV that owns them', () => {
    expect(granted(makeGroup()).roles[0]?.labels).to.deep.equal({
      'olm.copiedFrom': 'ns',
      'olm.managed': 'true',
      'olm.owner': 'cats.v1',
      'olm.owner.kind': 'ClusterServiceVersion',
      'olm.owner.namespace': 'x',
    });
  });
});
