import { expect } from 'chai';
import { IndexedView } from './indexed-view.js';
import { aCsv, makeGroup, makeObject } from '../rules/objects/testing/harness.js';

const settings = { globalCatalogNamespace: null, kubernetesVersion: null };
const cat = { group: 'pets', version: 'v1', kind: 'Cat' };

function names(values: readonly { name: string }[]): string {
  return values.map((value) => value.name).join(' ');
}

describe('IndexedView', () => {
  const groups = [
    makeGroup({ name: 'own' }),
    makeGroup({
      name: 'far',
      namespace: 'far',
      spec: { targetNamespaces: ['x'] },
      provides: 'Cat.v1.pets',
    }),
    makeGroup({ name: 'all', namespace: 'olm', spec: {} }),
    makeGroup({ name: 'unsettled', namespace: 'new', status: [] }),
  ];
  const rows: [rule: string, namespaces: string[], found: string][] = [
    ['a target and the global group', ['x'], 'far all'],
    ['own namespaces count', ['far'], 'far all'],
    ['each once', ['x', 'far'], 'far all'],
    ['a target of one that has no status yet', ['ns'], 'own unsettled all'],
    ['nobody but the global group', ['nowhere'], 'all'],
    ['all', [''], 'own far all unsettled'],
  ];
  for (const [rule, namespaces, found] of rows) {
    it(`groupsCovering: ${rule}`, () => {
      expect(names(new IndexedView(settings, groups).groupsCovering(namespaces))).to.equal(found);
    });
  }

  it('follows changes and deletions in every index', () => {
    const view = new IndexedView(settings, groups);
    expect(names(view.groupsProviding(cat))).to.equal('far');
    view.set(makeGroup({ name: 'far', namespace: 'far', spec: { targetNamespaces: ['y'] } }));
    expect(names(view.groupsProviding(cat))).to.equal('');
    expect(names(view.groupsCovering(['x']))).to.equal('all');
    expect(names(view.groupsCovering(['y']))).to.equal('far all');
    view.delete(makeGroup({ name: 'far', namespace: 'far' }));
    expect(names(view.groupsIn('far'))).to.equal('');
  });

  it('leaves copies out, also when one becomes a copy', () => {
    const view = new IndexedView(settings, [aCsv()]);
    expect(names(view.csvsOwningCrd('cats.pets'))).to.equal('cats.v1');
    view.set(aCsv({ metadata: { labels: { 'olm.copiedFrom': 'b' } } }));
    expect(names(view.csvsIn('ns'))).to.equal('');
  });

  it('distinguishes absent from unknown', () => {
    const view = new IndexedView({ ...settings, unknownKinds: new Set(['ClusterRole']) }, [
      makeObject('ServiceAccount', 'sa', 'ns'),
    ]);
    expect(view.lookUp('ServiceAccount', 'sa', 'ns')).to.have.property('kind');
    expect(view.lookUp('ServiceAccount', 'sa', 'b')).to.equal(undefined);
    expect(view.lookUp('ClusterRole', 'r')).to.equal(null);
    expect(view.rulesOf('sa', 'ns', 'ns')).to.equal(null);
    view.delete(makeObject('ServiceAccount', 'sa', 'ns'));
    expect(view.lookUp('ServiceAccount', 'sa', 'ns')).to.equal(undefined);
  });

  it('collects what bindings grant, by account, user and group', () => {
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    const bind = (kind: string, name: string, namespace: string, role: string, subject: object) =>
      makeObject(kind, name, namespace, {
        roleRef: { kind: role, name: 'r' },
        subjects: [{ ...subject }],
      });
    const view = new IndexedView(settings, [
      makeObject('Role', 'r', 'ns', { rules }),
      makeObject('ClusterRole', 'r', '', { rules }),
      bind('RoleBinding', 'a', 'ns', 'Role', { kind: 'ServiceAccount', name: 'sa' }),
      bind('RoleBinding', 'b', 'ns', 'ClusterRole', {
        kind: 'User',
        name: 'system:serviceaccount:ns:sa',
      }),
      bind('RoleBinding', 'c', 'other', 'ClusterRole', {
        kind: 'ServiceAccount',
        name: 'sa',
        namespace: 'ns',
      }),
      bind('ClusterRoleBinding', 'd', '', 'ClusterRole', {
        kind: 'Group',
        name: 'system:serviceaccounts:ns',
      }),
      bind('ClusterRoleBinding', 'e', '', 'ClusterRole', {
        kind: 'ServiceAccount',
        name: 'sa',
        namespace: 'other',
      }),
    ]);
    expect(view.rulesOf('sa', 'ns', 'ns')).to.have.lengthOf(3);
    expect(view.rulesOf('sa', 'ns', 'other')).to.have.lengthOf(2);
    expect(view.rulesOf('sa', 'ns', '')).to.have.lengthOf(1);
  });
});
