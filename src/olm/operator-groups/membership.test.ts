import { expect } from 'chai';
import { judgeMembership, type Membership, recoveryOf } from './membership.js';
import { aCsv, makeGroup } from './testing/objects.js';
import type { ClusterServiceVersion, OperatorGroup } from './objects.js';

function judged(
  csv: ClusterServiceVersion,
  groupsInNamespace: OperatorGroup[],
  otherGroups: OperatorGroup[] = [],
): Membership {
  return judgeMembership({ csv, groupsInNamespace, otherGroups, namespaces: [] });
}

const prodOnly = { matchLabels: new Map([['env', 'prod']]), matchExpressions: [] };
const rival = makeGroup({ name: 'h', namespace: 'other' });
const onlyAll = [{ type: 'AllNamespaces', supported: true }];

describe('judgeMembership', () => {
  const rows: [rule: string, membership: Membership, expected: [boolean, string, string | null]][] =
    [
      ['active', judged(aCsv(), [makeGroup()]), [true, 'active', null]],
      [
        'a copy is ignored',
        judged(aCsv({ reason: 'Copied' }), [makeGroup()]),
        [false, 'ignored', null],
      ],
      [
        'an unreadable API is ignored',
        judged(aCsv({ ownedCrds: [{ name: 'cats', version: 'v1', kind: 'Cat' }] }), [makeGroup()]),
        [false, 'ignored', null],
      ],
      ['no group', judged(aCsv(), []), [false, 'failed', 'NoOperatorGroup']],
      [
        'two groups',
        judged(aCsv(), [makeGroup(), makeGroup({ name: 'h' })]),
        [false, 'failed', 'TooManyOperatorGroups'],
      ],
      [
        'a selector that matches nothing',
        judged(aCsv(), [makeGroup({ targetNamespaces: [], selector: prodOnly })]),
        [false, 'failed', 'NoTargetNamespaces'],
      ],
      [
        'a group that OLM has not settled',
        judged(aCsv(), [makeGroup({ statusNamespaces: [] })]),
        [false, 'waiting', null],
      ],
      [
        'a group that OLM cannot settle',
        judged(aCsv(), [makeGroup({ targetNamespaces: [''], statusNamespaces: [] })]),
        [false, 'waiting', null],
      ],
      [
        'an empty status beside an empty annotation means all namespaces',
        judged(
          aCsv({
            installModes: onlyAll,
            annotations: new Map([
              ['olm.operatorGroup', 'g'],
              ['olm.operatorNamespace', 'ns'],
              ['olm.targetNamespaces', ''],
            ]),
          }),
          [makeGroup({ targetNamespaces: [], selector: prodOnly })],
        ),
        [true, 'active', null],
      ],
      [
        'an empty annotation is enough where OLM only rewrites the others',
        judged(
          aCsv({ installModes: onlyAll, annotations: new Map([['olm.targetNamespaces', '']]) }),
          [makeGroup({ statusNamespaces: [] })],
        ),
        [true, 'active', null],
      ],
      [
        'duplicate install modes',
        judged(aCsv({ installModes: [...onlyAll, ...onlyAll] }), [makeGroup()]),
        [false, 'failed', 'InvalidInstallModes'],
      ],
      [
        'unsupported targets',
        judged(aCsv({ installModes: onlyAll }), [makeGroup()]),
        [false, 'failed', 'UnsupportedOperatorGroup'],
      ],
      [
        'a conflict',
        judged(aCsv(), [makeGroup({ providedAPIs: null })], [rival]),
        [true, 'failed', 'InterOperatorGroupOwnerConflict'],
      ],
      [
        'a conflict that is already said',
        judged(
          aCsv({ reason: 'InterOperatorGroupOwnerConflict' }),
          [makeGroup({ providedAPIs: null })],
          [rival],
        ),
        [true, 'failed', 'InterOperatorGroupOwnerConflict'],
      ],
      [
        'a static group',
        judged(aCsv(), [makeGroup({ providedAPIs: null, staticProvidedAPIs: true })]),
        [true, 'failed', 'CannotModifyStaticOperatorGroupProvidedAPIs'],
      ],
      [
        'an annotation to be written first',
        judged(aCsv(), [makeGroup({ providedAPIs: null })]),
        [true, 'waiting', null],
      ],
    ];
  for (const [rule, { member, state, reason }, expected] of rows) {
    it(rule, () => expect([member, state, reason]).to.deep.equal(expected));
  }

  it('annotates members with the sorted targets', () => {
    const { annotations } = judged(aCsv(), [makeGroup({ targetNamespaces: ['z', 'a'] })]);
    expect([...annotations]).to.deep.equal([
      ['olm.operatorNamespace', 'ns'],
      ['olm.operatorGroup', 'g'],
      ['olm.targetNamespaces', 'a,z'],
    ]);
  });
});

describe('recoveryOf', () => {
  const rows: [reason: string, message: string | undefined][] = [
    ['NoOperatorGroup', 'InstallModes now support target namespaces'],
    ['TooManyOperatorGroups', 'InstallModes now support target namespaces'],
    ['NoTargetNamespaces', 'InstallModes now support target namespaces'],
    ['UnsupportedOperatorGroup', 'InstallModes now support target namespaces'],
    [
      'InterOperatorGroupOwnerConflict',
      'OperatorGroup no longer intersecting with conflicting owner',
    ],
    [
      'CannotModifyStaticOperatorGroupProvidedAPIs',
      'static OperatorGroup and intersecting groups now support providedAPIs',
    ],
    ['ComponentFailedNoRetry', undefined],
  ];
  for (const [reason, message] of rows) {
    it(`from ${reason}`, () => {
      const csv = aCsv({ phase: 'Failed', reason });
      expect(recoveryOf(csv, judged(csv, [makeGroup()]))?.message).to.equal(message);
    });
  }

  it('also after the APIs are added to the annotation', () => {
    const csv = aCsv({ phase: 'Failed', reason: 'InterOperatorGroupOwnerConflict' });
    expect(recoveryOf(csv, judged(csv, [makeGroup({ providedAPIs: null })]))?.phase).to.equal(
      'Pending',
    );
  });

  it('not while the conflict lasts, nor from another phase', () => {
    const csv = aCsv({ phase: 'Failed', reason: 'InterOperatorGroupOwnerConflict' });
    expect(recoveryOf(csv, judged(csv, [makeGroup({ providedAPIs: null })], [rival]))).to.equal(
      null,
    );
    const pending = aCsv({ phase: 'Pending', reason: 'NoOperatorGroup' });
    expect(recoveryOf(pending, judged(pending, [makeGroup()]))).to.equal(null);
  });
});
