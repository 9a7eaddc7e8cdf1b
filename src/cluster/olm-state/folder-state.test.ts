import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  aCsv,
  makeGroup,
  aNamespace,
  makeObject,
} from '../../olm/rules/objects/testing/harness.js';
import { FolderState } from './folder-state.js';

const group = { apiVersion: 'operators.coreos.com/v1', ...makeGroup() };
const csv = { apiVersion: 'operators.coreos.com/v1alpha1', ...aCsv() };

describe('the state of OLM in a folder', () => {
  it('has the objects of OLM’s groups, and no copies', () => {
    const copy = {
      ...csv,
      ...aCsv({ namespace: 'b', metadata: { labels: { 'olm.copiedFrom': 'ns' } } }),
    };
    const knative = {
      apiVersion: 'messaging.knative.dev/v1',
      ...makeObject('Subscription', 's', 'ns', { spec: {} }),
    };
    const state = FolderState.of([group, csv, copy, knative]);
    expect(state.view.groupsIn('ns').map(({ name }) => name)).to.deep.equal(['g']);
    expect(state.count('ClusterServiceVersion')).to.equal(1);
    expect(state.count('Subscription')).to.equal(0);
  });

  it('does not say that something is missing of a kind that was not exported', () => {
    const state = FolderState.of([group]);
    expect(state.unknown('Namespace')).to.equal('the folder has no Namespace objects');
    expect(state.view.lookUp('ServiceAccount', 'a', 'ns')).to.equal(null);
    expect(state.unknown('OperatorGroup')).to.equal(undefined);
    const full = FolderState.of([
      { apiVersion: 'v1', ...aNamespace('ns') },
      { apiVersion: 'v1', ...makeObject('ServiceAccount', 'b', 'ns') },
    ]);
    expect(full.unknown('Namespace')).to.equal(undefined);
    expect(full.view.lookUp('ServiceAccount', 'a', 'ns')).to.equal(undefined);
  });

  it('takes OpenShift’s global catalog namespace where it exists', () => {
    expect(FolderState.of([]).globalCatalogNamespace).to.equal('olm');
    const namespace = { apiVersion: 'v1', ...aNamespace('openshift-marketplace') };
    expect(FolderState.of([namespace]).globalCatalogNamespace).to.equal('openshift-marketplace');
    const said = FolderState.of([namespace], { globalCatalogNamespace: 'mine' });
    expect(said.globalCatalogNamespace).to.equal('mine');
  });

  describe('that is watched', () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-state-'));
    const file = join(folder, 'group.yaml');
    after(() => rmSync(folder, { recursive: true }));

    it('follows its files, and keeps what it had while one cannot be read', async () => {
      writeFileSync(file, JSON.stringify(group));
      const problems: unknown[] = [];
      let problem: () => void = () => undefined;
      const failed = new Promise<void>((resolve) => (problem = resolve));
      const state = await FolderState.read(folder, {
        watch: true,
        onProblem: (error) => {
          problems.push(error);
          problem();
        },
      });
      writeFileSync(file, 'a: [1');
      await failed;
      expect(state.count('OperatorGroup')).to.equal(1);
      const changed = new Promise<void>((resolve) => state.onChange(() => resolve()));
      writeFileSync(file, JSON.stringify(csv));
      await changed;
      await new Promise((resolve) => setImmediate(resolve));
      expect(state.count('OperatorGroup')).to.equal(0);
      expect(state.count('ClusterServiceVersion')).to.equal(1);
      expect(
        await state.cluster.list({ group: 'operators.coreos.com', resource: 'operatorgroups' }),
      ).to.deep.equal([]);
      await state.close();
    });
  });
});
