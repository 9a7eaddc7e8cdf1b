import { expect } from 'chai';
import { syncGroup, type GroupSync, type GroupSyncInput } from './group-sync.js';
import { aCsv, makeGroup } from './testing/objects.js';

function synced(changes: Partial<GroupSyncInput> = {}): GroupSync {
  return syncGroup({
    group: makeGroup(),
    otherGroups: [],
    csvs: [aCsv()],
    namespaces: [],
    serviceAccounts: null,
    ...changes,
  });
}

const dogs = aCsv({
  name: 'dogs.v1',
  ownedCrds: [{ name: 'dogs.pets', version: 'v1', kind: 'Dog' }],
});

describe('syncGroup: olm.providedAPIs', () => {
  const listed = makeGroup({ providedAPIs: 'Owl.v1.pets, Cat.v1.pets' });
  const rows: [rule: string, sync: GroupSync, annotation: string | null, removed: string[]][] = [
    ['surplus APIs go', synced({ group: listed }), 'Cat.v1.pets', ['Owl.v1.pets']],
    [
      'the last API goes too',
      synced({ group: listed, csvs: [] }),
      '',
      ['Cat.v1.pets', 'Owl.v1.pets'],
    ],
    ['nothing surplus: as it was', synced(), 'Cat.v1.pets', []],
    ['no annotation: none is made', synced({ group: makeGroup({ providedAPIs: null }) }), null, []],
    [
      'a static group keeps all',
      synced({ group: { ...listed, staticProvidedAPIs: true }, csvs: [] }),
      'Owl.v1.pets, Cat.v1.pets',
      [],
    ],
    [
      'a copy does not provide',
      synced({ csvs: [aCsv({ labels: new Map([['olm.copiedFrom', 'b']]) })] }),
      '',
      ['Cat.v1.pets'],
    ],
    [
      'a member of another namespace does not provide',
      synced({ csvs: [aCsv({ namespace: 'other' })] }),
      '',
      ['Cat.v1.pets'],
    ],
    [
      'a pending member with a new API stops it',
      synced({ group: listed, csvs: [aCsv(), { ...dogs, phase: 'Pending' }] }),
      'Owl.v1.pets, Cat.v1.pets',
      [],
    ],
    [
      'a new member without a phase stops it',
      synced({ group: listed, csvs: [aCsv(), { ...dogs, phase: '' }] }),
      'Owl.v1.pets, Cat.v1.pets',
      [],
    ],
    [
      'not one that is being deleted',
      synced({ group: listed, csvs: [aCsv(), { ...dogs, phase: '', isBeingDeleted: true }] }),
      'Cat.v1.pets',
      ['Owl.v1.pets'],
    ],
    [
      'not one that failed: its API is not added here',
      synced({ group: listed, csvs: [aCsv(), { ...dogs, phase: 'Failed' }] }),
      'Cat.v1.pets',
      ['Owl.v1.pets'],
    ],
  ];
  for (const [rule, { pruning }, annotation, removed] of rows) {
    it(rule, () => {
      expect([pruning.annotation, pruning.removed]).to.deep.equal([annotation, removed]);
    });
  }
});

describe('syncGroup: conditions', () => {
  it('marks every group of the namespace when there are several, each once', () => {
    const others = [
      makeGroup({ name: 'b', conditionTypes: ['MultipleOperatorGroup'] }),
      makeGroup({ name: 'c' }),
      makeGroup({ name: 'd', namespace: 'elsewhere' }),
    ];
    const { conditions } = synced({ otherGroups: others });
    expect(conditions.map(({ group, condition }) => [group, condition.reason])).to.deep.equal([
      ['c', 'MultipleOperatorGroupsFound'],
      ['g', 'MultipleOperatorGroupsFound'],
    ]);
    expect(conditions[0]?.condition.message).to.equal(
      'Multiple OperatorGroup found in the same namespace',
    );
  });

  it('removes stale conditions', () => {
    const group = makeGroup({
      conditionTypes: ['MultipleOperatorGroup', 'OperatorGroupServiceAccount', 'Mine'],
      serviceAccountName: 'sa',
    });
    const { removedConditions } = synced({ group, serviceAccounts: new Set(['sa']) });
    expect(removedConditions).to.deep.equal([
      'MultipleOperatorGroup',
      'OperatorGroupServiceAccount',
    ]);
  });

  it('leaves the condition of an account to which neither spec nor status refers', () => {
    const group = makeGroup({ conditionTypes: ['OperatorGroupServiceAccount'] });
    expect(synced({ group }).removedConditions).to.deep.equal([]);
    const once = { ...group, serviceAccountSynced: true };
    expect(synced({ group: once }).removedConditions).to.deep.equal([
      'OperatorGroupServiceAccount',
    ]);
  });

  it('stops at a missing service account', () => {
    const group = makeGroup({ serviceAccountName: 'sa', providedAPIs: 'Owl.v1.pets' });
    const sync = synced({ group, serviceAccounts: new Set() });
    expect(sync.error).to.equal(
      'failed to get service account, sa=sa serviceaccounts "sa" not found',
    );
    expect(sync.conditions.map(({ condition }) => condition)).to.deep.equal([
      {
        type: 'OperatorGroupServiceAccount',
        status: 'True',
        reason: 'ServiceAccountNotFound',
        message: 'ServiceAccount sa not found',
      },
    ]);
    expect(sync.pruning.annotation).to.equal('Owl.v1.pets');
    expect(sync.requeued).to.deep.equal([]);
  });

  it('asks for no service account when it does not know them', () => {
    expect(synced({ group: makeGroup({ serviceAccountName: 'sa' }) }).error).to.equal(null);
  });
});

describe('syncGroup: targets, annotations, requeues', () => {
  it('stops at targets that are an error', () => {
    const sync = synced({
      group: makeGroup({ targetNamespaces: ['', 'b'], statusNamespaces: ['x'] }),
    });
    expect(sync.error).to.equal('TargetNamespaces cannot contain NamespaceAll: [ b]');
    expect(sync.statusNamespaces).to.deep.equal(['x']);
  });

  it('requeues namespaces that joined or left, never ""', () => {
    const moved = synced({
      group: makeGroup({ targetNamespaces: ['b', 'c'], statusNamespaces: ['a', 'b'] }),
    });
    expect([moved.statusChanged, moved.requeuedNamespaces]).to.deep.equal([true, ['a', 'c']]);
    const widened = synced({ group: makeGroup({ targetNamespaces: [], statusNamespaces: ['a'] }) });
    expect([widened.statusNamespaces, widened.requeuedNamespaces]).to.deep.equal([[''], ['a']]);
    expect(synced().statusChanged).to.equal(false);
  });

  it('annotates members whose annotations differ', () => {
    const current = aCsv({
      annotations: new Map([
        ['olm.operatorGroup', 'g'],
        ['olm.operatorNamespace', 'ns'],
        ['olm.targetNamespaces', 'x'],
      ]),
    });
    expect(synced({ csvs: [current, dogs] }).annotated.map(({ csv }) => csv)).to.deep.equal([
      'dogs.v1',
    ]);
  });

  it('looks at every CSV of the cluster that shares an API, and says who recovers', () => {
    const rival = aCsv({
      name: 'rival',
      namespace: 'b',
      phase: 'Failed',
      reason: 'InterOperatorGroupOwnerConflict',
    });
    const sync = synced({
      csvs: [rival, dogs, aCsv({ name: 'copy', reason: 'Copied' })],
      otherGroups: [makeGroup({ name: 'r', namespace: 'b', providedAPIs: null })],
    });
    expect(sync.pruning.removed).to.deep.equal(['Cat.v1.pets']);
    expect(sync.requeued).to.deep.equal([
      {
        namespace: 'b',
        name: 'rival',
        apis: ['Cat.v1.pets'],
        recovery: {
          phase: 'Pending',
          reason: 'RequirementsUnknown',
          message: 'OperatorGroup no longer intersecting with conflicting owner',
        },
      },
      { namespace: 'ns', name: 'dogs.v1', apis: ['Dog.v1.pets'], recovery: null },
    ]);
  });

  it('aggregates roles over listed and provided APIs', () => {
    const { clusterRoles } = synced({ csvs: [dogs] });
    expect(
      clusterRoles.map((role) => role.aggregationRule?.clusterRoleSelectors.length),
    ).to.deep.equal([2, 2, 2]);
  });
});
