import { expect } from 'chai';
import { FolderState } from '../cluster/olm-state/folder-state.js';
import type { Finding } from '../rule/finding.js';
import type { JsonObject } from '../text/documents/index.js';
import { check } from './check.js';
import { defaultPolicy } from './policy.js';

const now = new Date('2026-06-01T00:00:00Z');
const all = { annotations: { 'olm-guard.io/disable': 'all' } };
const labels = {
  'olm.operatorframework.io/owner-kind': 'ClusterExtension',
  'olm.operatorframework.io/owner-name': 'widgets',
};
const definition = (metadata: object = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com', ...metadata },
});
const ownerReferences = [
  {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    name: 'widgets',
    uid: 'u',
  },
];
const extension = {
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  metadata: { name: 'widgets', uid: 'u', ...all },
};
const owned = definition({ labels, ownerReferences });

const breaking: Finding = {
  rule: 'NoExistingFieldRemoved',
  family: 'crd-upgrade-safety',
  severity: 'error',
  message: 'a field is removed',
  effect: 'breaking',
  docs: '',
};

describe('a switch-off in a folder that stands for a cluster', () => {
  const rows: [name: string, folder: JsonObject[], stored: JsonObject, counts: boolean][] = [
    ['nowhere', [definition()], definition(), false],
    ['on the definition', [definition(all)], definition(all), true],
    ['on what owns it', [owned, extension], owned, true],
  ];
  for (const [name, folder, stored, counts] of rows) {
    it(`counts in reviews as in commands: ${name}`, async () => {
      for (const isAdmission of [true, false]) {
        expect(await decide(folder, stored, isAdmission), String(isAdmission)).to.equal(counts);
      }
    });
  }

  it('does not count where only the review says that it is stored', async () => {
    expect(await decide([definition()], definition(all), true)).to.equal(false);
    expect(await decide([], definition(all), true)).to.equal(false);
  });
});

async function decide(
  folder: JsonObject[],
  stored: JsonObject,
  isAdmission: boolean,
): Promise<boolean> {
  const { verdict } = await check(
    {
      subject: { groups: ['example.com'], name: 'widgets.example.com' },
      findings: [breaking],
      request: { object: { ...stored, spec: { scope: 'Cluster' } }, oldObject: stored },
    },
    defaultPolicy,
    { now, view: FolderState.of(folder).cluster, isAdmission },
  );
  return verdict.allowed;
}
