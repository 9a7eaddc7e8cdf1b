import { expect } from 'chai';
import { FolderCluster } from '../cluster/view/folder.js';
import type { JsonObject } from '../text/documents/index.js';
import { ownersOf } from './owners.js';
import { defaultPolicy, type BypassSource } from './policy.js';

const v1 = 'olm.operatorframework.io';
const classic = 'operators.coreos.com';
const ownedBy = (name: string): JsonObject => ({
  [`${v1}/owner-kind`]: 'ClusterExtension',
  [`${v1}/owner-name`]: name,
});
const reference = (kind: string, name: string, uid: string): JsonObject => ({
  apiVersion: `${v1}/v1`,
  kind,
  name,
  uid,
});
const crd = (metadata: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com', ...metadata },
});
const extension = {
  apiVersion: `${v1}/v1`,
  kind: 'ClusterExtension',
  metadata: { name: 'ext', uid: 'u-ext' },
};
const revision = (kind: string, metadata: JsonObject): JsonObject => ({
  apiVersion: `${v1}/v1`,
  kind,
  metadata: { name: 'ext-1', uid: 'u-rev', ...metadata },
});
const subscription = (installedCSV?: string, uid = 'u-sub'): JsonObject => ({
  apiVersion: `${classic}/v1alpha1`,
  kind: 'Subscription',
  metadata: { name: 'sub', namespace: 'ns', uid },
  spec: { name: 'pkg' },
  status: installedCSV === undefined ? {} : { installedCSV },
});
const csv = (name: string, owned: readonly string[]): JsonObject => ({
  apiVersion: `${classic}/v1alpha1`,
  kind: 'ClusterServiceVersion',
  metadata: { name, namespace: 'ns', uid: `u-${name}` },
  spec: { customresourcedefinitions: { owned: owned.map((each) => ({ name: each })) } },
});
const component = { [`${classic}/pkg.ns`]: '' };

interface Row {
  readonly name: string;
  readonly object: JsonObject;
  readonly cluster: readonly JsonObject[];
  readonly sources?: readonly BypassSource[];
  readonly owners?: readonly string[];
  readonly problem?: RegExp;
}

const rows: readonly Row[] = [
  {
    name: 'an extension whose uid is in an owner reference',
    object: crd({
      labels: ownedBy('ext'),
      ownerReferences: [reference('ClusterExtension', 'ext', 'u-ext')],
    }),
    cluster: [extension],
    owners: ['ext'],
  },
  {
    name: 'not an extension that only labels name',
    object: crd({ labels: ownedBy('ext') }),
    cluster: [extension],
    problem: /ClusterExtension "ext" is named by a label and does not own it/,
  },
  {
    name: 'not an extension whose uid is another',
    object: crd({
      labels: ownedBy('ext'),
      ownerReferences: [reference('ClusterExtension', 'ext', 'u-earlier')],
    }),
    cluster: [extension],
    problem: /does not own it/,
  },
  {
    name: 'not an extension whose uid another kind claims to have',
    object: crd({
      labels: ownedBy('ext'),
      ownerReferences: [reference('ConfigMap', 'ext', 'u-ext')],
    }),
    cluster: [extension],
    problem: /does not own it/,
  },
  {
    name: 'not an extension that the owner reference names and no label',
    object: crd({ ownerReferences: [reference('ClusterExtension', 'ext', 'u-ext')] }),
    cluster: [extension],
  },
  ...['ClusterObjectSet', 'ClusterExtensionRevision'].flatMap((kind): Row[] => [
    {
      name: `the extension of the ${kind} that owns it`,
      object: crd({
        labels: ownedBy('ext'),
        ownerReferences: [reference(kind, 'ext-1', 'u-rev')],
      }),
      cluster: [
        extension,
        revision(kind, { ownerReferences: [reference('ClusterExtension', 'ext', 'u-ext')] }),
      ],
      owners: ['ext'],
    },
    {
      name: `not the extension of a ${kind} that belongs to another`,
      object: crd({
        labels: ownedBy('ext'),
        ownerReferences: [reference(kind, 'ext-1', 'u-rev')],
      }),
      cluster: [
        extension,
        revision(kind, { ownerReferences: [reference('ClusterExtension', 'other', 'u-other')] }),
      ],
      problem: /does not own it/,
    },
    {
      name: `not the extension of a ${kind} of that name which is another`,
      object: crd({
        labels: ownedBy('ext'),
        ownerReferences: [reference(kind, 'ext-1', 'u-gone')],
      }),
      cluster: [
        extension,
        revision(kind, { ownerReferences: [reference('ClusterExtension', 'ext', 'u-ext')] }),
      ],
      problem: /does not own it/,
    },
  ]),
  {
    name: 'not an extension that an owner reference names without a uid',
    object: crd({
      labels: ownedBy('ext'),
      ownerReferences: [
        reference('ClusterExtension', 'ext', ''),
        { apiVersion: `${v1}/v1`, kind: 'ClusterExtension', name: 'ext' },
      ],
    }),
    cluster: [extension],
    problem: /does not own it/,
  },
  {
    name: 'not the extension of a revision that has no uid, named without one',
    object: crd({
      labels: ownedBy('ext'),
      ownerReferences: [reference('ClusterObjectSet', 'ext-1', '')],
    }),
    cluster: [
      extension,
      revision('ClusterObjectSet', {
        uid: '',
        ownerReferences: [reference('ClusterExtension', 'ext', 'u-ext')],
      }),
    ],
    problem: /does not own it/,
  },
  {
    name: 'not the extension of a revision that belongs to one without a uid',
    object: crd({
      labels: ownedBy('ext'),
      ownerReferences: [reference('ClusterObjectSet', 'ext-1', 'u-rev')],
    }),
    cluster: [
      extension,
      revision('ClusterObjectSet', { ownerReferences: [reference('ClusterExtension', 'ext', '')] }),
    ],
    problem: /does not own it/,
  },
  {
    name: 'not a Subscription that an owner reference names without a uid',
    object: {
      apiVersion: `${classic}/v1alpha1`,
      kind: 'InstallPlan',
      metadata: {
        name: 'install-x',
        namespace: 'ns',
        labels: component,
        ownerReferences: [
          { apiVersion: `${classic}/v1alpha1`, kind: 'Subscription', name: 'sub', uid: '' },
        ],
      },
    },
    cluster: [subscription()],
    problem: /did not install it/,
  },
  {
    name: 'an extension from a file, which has no uid',
    object: crd({ labels: ownedBy('ext') }),
    cluster: [{ ...extension, metadata: { name: 'ext' } }],
    owners: ['ext'],
  },
  {
    name: 'an extension that is not there',
    object: crd({ labels: ownedBy('ext') }),
    cluster: [],
  },
  {
    name: 'the Subscription whose installed version owns the definition',
    object: crd({ labels: component }),
    cluster: [subscription('pkg.v1'), csv('pkg.v1', ['widgets.example.com'])],
    owners: ['sub', 'pkg.v1'],
  },
  {
    name: 'the Subscription alone, where the policy lists no csv',
    object: crd({ labels: component }),
    cluster: [subscription('pkg.v1'), csv('pkg.v1', ['widgets.example.com'])],
    sources: ['subscription'],
    owners: ['sub'],
  },
  {
    name: 'not a Subscription whose installed version owns other definitions',
    object: crd({ labels: component }),
    cluster: [subscription('pkg.v1'), csv('pkg.v1', ['gadgets.example.com'])],
    problem: /the Subscription to "pkg" in "ns" is named by a label and did not install it/,
  },
  {
    name: 'not a Subscription that has installed nothing',
    object: crd({ labels: component }),
    cluster: [subscription(), csv('pkg.v1', ['widgets.example.com'])],
    problem: /did not install it/,
  },
  {
    name: 'not a Subscription whose installed version is gone',
    object: crd({ labels: component }),
    cluster: [subscription('pkg.v1')],
    problem: /did not install it/,
  },
  {
    name: 'the Subscription of the installed version itself',
    object: {
      ...csv('pkg.v1', []),
      metadata: { name: 'pkg.v1', namespace: 'ns', labels: component },
    },
    cluster: [subscription('pkg.v1'), csv('pkg.v1', [])],
    owners: ['sub', 'pkg.v1'],
  },
  {
    name: 'not the Subscription of another version',
    object: {
      ...csv('pkg.v0', []),
      metadata: { name: 'pkg.v0', namespace: 'ns', labels: component },
    },
    cluster: [subscription('pkg.v1'), csv('pkg.v1', [])],
    problem: /did not install it/,
  },
  {
    name: 'the Subscription whose uid is in an owner reference of a plan',
    object: {
      apiVersion: `${classic}/v1alpha1`,
      kind: 'InstallPlan',
      metadata: {
        name: 'install-x',
        namespace: 'ns',
        labels: component,
        ownerReferences: [
          { apiVersion: `${classic}/v1alpha1`, kind: 'Subscription', name: 'sub', uid: 'u-sub' },
        ],
      },
    },
    cluster: [subscription()],
    owners: ['sub'],
  },
];

describe('owners', () => {
  for (const { name, object, cluster, sources, owners = [], problem } of rows) {
    it(`are ${name}`, async () => {
      const bypass = {
        ...defaultPolicy.bypass,
        sources: sources ?? (['clusterextension', 'subscription', 'csv'] as const),
      };
      const policy = { ...defaultPolicy, bypass };
      const found = await ownersOf(object, { policy, view: FolderCluster.of(cluster) });
      const names = found.objects.map((each) => (each.metadata as { name: string }).name);
      expect(names).to.deep.equal(owners);
      expect(found.problems).to.have.length(problem === undefined ? 0 : 1);
      if (problem !== undefined) expect(found.problems[0]).to.match(problem);
    });
  }

  it('are looked up for a bounded number of labels', async () => {
    const labels = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`${classic}/pkg.ns${index}`, '']),
    );
    let asked = 0;
    const view = {
      get: () => Promise.resolve(undefined),
      list: () => Promise.resolve((asked++, [])),
    };
    const bypass = { ...defaultPolicy.bypass, sources: ['subscription'] as const };
    const policy = { ...defaultPolicy, bypass };
    const { problems } = await ownersOf(crd({ labels }), { policy, view });
    expect(asked).to.equal(10);
    expect(problems).to.deep.equal(['labels name 1000 owners, of which 10 are looked up']);
  });
});
