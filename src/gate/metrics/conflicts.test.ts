import { expect } from 'chai';
import { Registry } from 'prom-client';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { aCsv, makeGroup } from '../../olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../text/documents/index.js';
import { registerConflicts } from './conflicts.js';

async function counted(...objects: JsonObject[]): Promise<Record<string, number>> {
  const registry = new Registry();
  const apiVersion = 'operators.coreos.com/v1alpha1';
  const state = FolderState.of(
    objects.map((object) => ({
      apiVersion: object['kind'] === 'OperatorGroup' ? 'operators.coreos.com/v1' : apiVersion,
      ...object,
    })),
  );
  registerConflicts(registry, state);
  const text = await registry.metrics();
  const lines = [...text.matchAll(/^olm_guard_conflicting_objects\{rule="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(
    lines.map(([, rule = '', count]) => [rule, Number(count)] as const).filter(([, n]) => n > 0),
  );
}

describe('olm_guard_conflicting_objects', () => {
  it('is 0 where nothing stands in the way of anything', async () => {
    expect(await counted(makeGroup(), aCsv())).to.deep.equal({});
  });

  it('counts the groups of a namespace that has several', async () => {
    expect(await counted(makeGroup({ name: 'a' }), makeGroup({ name: 'b' }))).to.deep.equal({
      MultipleOperatorGroups: 2,
    });
  });

  it('counts owners of one definition', async () => {
    const found = await counted(makeGroup(), aCsv({ name: 'a' }), aCsv({ name: 'b' }));
    expect(found).to.deep.equal({ OwnerConflict: 2 });
  });
});
