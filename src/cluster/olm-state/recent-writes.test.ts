import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { FolderState } from './folder-state.js';
import type { ChangeListener } from './object-store.js';
import { RecentWrites } from './recent-writes.js';

const group = (
  name: string,
  namespace = 'ns',
  generation = 1,
  more: JsonObject = {},
): JsonObject => ({
  apiVersion: 'operators.coreos.com/v1',
  kind: 'OperatorGroup',
  metadata: { name, namespace, generation },
  spec: { targetNamespaces: [namespace], ...more },
});

describe('writes that were allowed a moment ago', () => {
  const state = FolderState.of([group('stored')]);
  let listener: ChangeListener;
  let time: number;
  let recent: RecentWrites;

  beforeEach(() => {
    time = 0;
    recent = new RecentWrites({ onChange: (each) => (listener = each) }, () => time);
  });

  const names = (namespace = 'ns'): string[] =>
    recent
      .over(state)
      .view.groupsIn(namespace)
      .map(({ name }) => name)
      .sort();

  it('count beside what is stored, and in place of what they replace', () => {
    recent.add('OperatorGroup', group('new'));
    recent.add('OperatorGroup', group('stored', 'ns', 2));
    expect(names()).to.deep.equal(['new', 'stored']);
  });

  it('count until the watch shows them, or a later one', () => {
    recent.add('OperatorGroup', group('a', 'ns', 2));
    listener({ kind: 'OperatorGroup', object: group('a', 'ns', 1) });
    expect(recent.isEmpty).to.equal(false);
    listener({ kind: 'OperatorGroup', object: group('a', 'ns', 2) });
    expect(recent.isEmpty).to.equal(true);
    recent.add('OperatorGroup', group('a'));
    listener({ kind: 'OperatorGroup', old: group('a') });
    expect(recent.isEmpty).to.equal(true);
  });

  it('count for a while only: a write that was allowed may fail', () => {
    recent.add('OperatorGroup', group('a'));
    time = 4_999;
    expect(recent.isEmpty).to.equal(false);
    time = 5_000;
    expect(recent.isEmpty).to.equal(true);
  });

  it('have bounds, and whoever writes most forgets first', () => {
    recent.add('OperatorGroup', group('victim', 'other'));
    for (let index = 0; index < 2_000; index++) recent.add('OperatorGroup', group(`g${index}`));
    expect(names('other')).to.deep.equal(['victim']);
    expect(names().length).to.be.below(501);
    const targets = Array.from({ length: 50_000 }, (_, index) => `namespace-${index}`);
    for (let index = 0; index < 20; index++) {
      recent.add('OperatorGroup', group(`l${index}`, 'ns', 1, { targetNamespaces: targets }));
    }
    expect(names('other')).to.deep.equal(['victim']);
    expect(names().length).to.be.below(10);
  });

  it('are of kinds that stand in each other’s way', () => {
    recent.add('InstallPlan', { kind: 'InstallPlan', metadata: { name: 'a', namespace: 'ns' } });
    expect(recent.isEmpty).to.equal(true);
  });
});
