import { expect } from 'chai';
import { judgeCopies, type Copies, type CopiesInput } from './copied-csvs.js';
import { aCsv, makeGroup } from './testing/objects.js';

const namespaces = ['ns', 'x', 'y', 'z'].map((name) => ({
  name,
  labels: new Map<string, string>(),
}));
const everywhere = makeGroup({ targetNamespaces: [], statusNamespaces: [''] });

function judged(changes: Partial<CopiesInput> = {}): Copies {
  return judgeCopies({
    csv: aCsv(),
    groupsInNamespace: [makeGroup()],
    otherGroups: [],
    namespaces,
    disableCopiedCSVs: false,
    protectedNamespaces: [],
    existing: [],
    ...changes,
  });
}

describe('judgeCopies: where', () => {
  const rows: [rule: string, copies: Copies, where: string, explained: RegExp | null][] = [
    [
      'into each target',
      judged({ groupsInNamespace: [makeGroup({ targetNamespaces: ['x', 'z'] })] }),
      'x z',
      null,
    ],
    ['everywhere but at home', judged({ groupsInNamespace: [everywhere] }), 'x y z', null],
    [
      'not for the own namespace alone',
      judged({ groupsInNamespace: [makeGroup({ targetNamespaces: ['ns'] })] }),
      '',
      /own namespace/,
    ],
    [
      'not into what does not exist',
      judged({ groupsInNamespace: [makeGroup({ targetNamespaces: ['x', 'q'] })] }),
      'x',
      /do not exist: q/,
    ],
    ['not before OLM saw it', judged({ csv: aCsv({ phase: '', reason: '' }) }), '', /phase/],
    ['not when the group does not fit', judged({ groupsInNamespace: [] }), '', /no operatorgroups/],
    [
      'not while the old failure stands',
      judged({ csv: aCsv({ phase: 'Failed', reason: 'UnsupportedOperatorGroup' }) }),
      '',
      /UnsupportedOperatorGroup/,
    ],
    [
      'failed for another reason: yes',
      judged({ csv: aCsv({ phase: 'Failed', reason: 'ComponentUnhealthy' }) }),
      'x',
      null,
    ],
    [
      'disabled: not for all namespaces',
      judged({ groupsInNamespace: [everywhere], disableCopiedCSVs: true }),
      '',
      /disableCopiedCSVs/,
    ],
    [
      'disabled: protected namespaces keep theirs',
      judged({
        groupsInNamespace: [everywhere],
        disableCopiedCSVs: true,
        protectedNamespaces: ['y', 'ns'],
      }),
      'y',
      /disableCopiedCSVs/,
    ],
    ['disabled: others go on', judged({ disableCopiedCSVs: true }), 'x', null],
  ];
  for (const [rule, { copies, explanation }, where, explained] of rows) {
    it(rule, () => {
      expect(copies.map((copy) => copy.namespace).join(' ')).to.equal(where);
      if (explained === null) expect(explanation).to.equal(null);
      else expect(explanation).to.match(explained);
    });
  }

  it('keeps annotations but the targets and kubectl’s, and labels but OLM’s components', () => {
    const csv = aCsv({
      annotations: new Map([
        ['mine', '1'],
        ['olm.targetNamespaces', 'x'],
        ['kubectl.kubernetes.io/last-applied-configuration', '{}'],
      ]),
      labels: new Map([
        ['team', 'a'],
        ['operators.coreos.com/cats.ns', ''],
      ]),
    });
    const [copy] = judged({ csv }).copies;
    expect([...(copy?.annotations.keys() ?? [])]).to.deep.equal([
      'mine',
      'olm.operatorNamespace',
      'olm.operatorGroup',
    ]);
    expect([...(copy?.labels ?? [])]).to.deep.equal([
      ['team', 'a'],
      ['olm.copiedFrom', 'ns'],
    ]);
    expect(copy?.status).to.deep.equal({
      phase: 'Succeeded',
      reason: 'Copied',
      message: 'The operator is running in ns but is managing this namespace',
    });
  });
});

describe('judgeCopies: what goes', () => {
  const copy = (namespace: string, parent: string | null = 'ns') =>
    aCsv({
      namespace,
      reason: 'Copied',
      annotations: parent === null ? new Map() : new Map([['olm.operatorNamespace', parent]]),
    });
  const rows: [rule: string, copies: Copies, gone: string][] = [
    ['a target keeps its copy', judged({ existing: [copy('x')] }), ''],
    ['no longer a target', judged({ existing: [copy('y'), copy('x')] }), 'y'],
    ['of another source: not ours to say', judged({ existing: [copy('y', 'elsewhere')] }), ''],
    ['without annotation', judged({ existing: [copy('x', null)] }), 'x'],
    [
      'its source is in conflict',
      judged({
        groupsInNamespace: [makeGroup({ providedAPIs: null })],
        otherGroups: [makeGroup({ name: 'h', namespace: 'b' })],
        existing: [copy('x')],
      }),
      'x',
    ],
    ...(['Failed', 'Pending'] as const).map((phase): [string, Copies, string] => [
      `its source was in conflict, and is ${phase}`,
      judged({
        csv: aCsv({ phase, reason: 'InterOperatorGroupOwnerConflict' }),
        existing: [copy('x')],
      }),
      phase === 'Failed' ? 'x' : '',
    ]),
    [
      'disabled, not protected',
      judged({
        groupsInNamespace: [everywhere],
        disableCopiedCSVs: true,
        protectedNamespaces: ['y'],
        existing: [copy('x'), copy('y')],
      }),
      'x',
    ],
    [
      'disabled: whatever came from the namespace, by its label and whatever its name',
      judged({
        groupsInNamespace: [everywhere],
        disableCopiedCSVs: true,
        existing: [
          { ...copy('x'), labels: new Map([['olm.copiedFrom', 'elsewhere']]) },
          { ...copy('y', 'elsewhere'), name: 'b', labels: new Map([['olm.copiedFrom', 'ns']]) },
        ],
      }),
      'y',
    ],
    [
      'disabled, and its source is not copied at all',
      judged({
        csv: aCsv({ phase: 'Failed', reason: 'UnsupportedOperatorGroup' }),
        groupsInNamespace: [everywhere],
        disableCopiedCSVs: true,
        existing: [copy('x')],
      }),
      '',
    ],
  ];
  for (const [rule, { deleted }, gone] of rows) {
    it(rule, () => expect(deleted.map((deletion) => deletion.namespace).join(' ')).to.equal(gone));
  }
});
