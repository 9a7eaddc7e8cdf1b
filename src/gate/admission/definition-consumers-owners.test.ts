import { expect } from 'chai';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { aCsv, makeCrd } from '../../olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../text/documents/index.js';
import { createReviewers } from './reviewers.js';
import { review, type Reviewed } from './review.js';
import type { ClusterView } from '../../cluster/view/view.js';
import type { Caller } from './disclosure.js';

/** Served in these versions. */
function vaults(...versions: string[]): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    ...makeCrd('vaults.example.com'),
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Vault', plural: 'vaults' },
      versions: ['v1alpha1', 'v1'].map((name) => ({
        ...{ name, served: versions.includes(name), storage: name === 'v1', schema },
      })),
    },
  };
}

function withdraw(
  caller: Caller,
  policy: Partial<Policy>,
  objects: readonly JsonObject[],
  mayList?: ClusterView['mayList'],
): Promise<Reviewed> {
  const state = FolderState.of(objects);
  const group = 'apiextensions.k8s.io';
  return review(
    {
      uid: '1',
      kind: { group, version: 'v1', kind: 'CustomResourceDefinition' },
      resource: { group, version: 'v1', resource: 'customresourcedefinitions' },
      name: 'vaults.example.com',
      operation: 'UPDATE',
      userInfo: { username: 'eve' },
      object: vaults('v1'),
      oldObject: vaults('v1alpha1', 'v1'),
    },
    createReviewers(state),
    {
      policy: { ...defaultPolicy, enforce: 'all', ...policy },
      view: mayList === undefined ? state.cluster : withRights(state.cluster, mayList),
      judge: () => Promise.reject(new Error('not asked here')),
      caller,
      now: new Date(0),
    },
  );
}

function withRights(view: ClusterView, mayList: NonNullable<ClusterView['mayList']>): ClusterView {
  return { get: view.get.bind(view), list: view.list.bind(view), mayList };
}

const owners = ['one', 'two'].map((namespace) =>
  aCsv({ name: 'vault.v1', namespace, owns: ['vaults.example.com'] }),
);
/** It requires the version that goes, or the one that stays. */
const requiring = (version: string): JsonObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  ...aCsv({
    ...{ name: 'shop.v1', namespace: 'shop', owns: [] },
    spec: {
      customresourcedefinitions: {
        required: [{ name: 'vaults.example.com', version, kind: 'Vault' }],
      },
    },
  }),
});
const unknown = 'whether several ClusterServiceVersions own it is not known: ';

describe('a version that goes from a definition', () => {
  it('is refused where several operators own it', async () => {
    const { response } = await withdraw('api-server', {}, owners);
    expect(response.status?.message).to.include(
      'several ClusterServiceVersions own the definition',
    );
  });

  it('is said not to be judged by its owners where they may not be told', async () => {
    const { response } = await withdraw('unauthenticated', {}, owners);
    expect(response.allowed).to.equal(true);
    expect(response.warnings?.join('\n')).to.include(
      `${unknown}the review came without the client certificate`,
    );
  });

  it('is refused there by a policy that denies what cannot be judged', async () => {
    for (const objects of [owners, []]) {
      const { response } = await withdraw('unauthenticated', { unjudged: 'deny' }, objects);
      expect(response.status?.message).to.include(unknown).and.not.include('vault.v1');
    }
  });

  it('is refused where another operator requires it', async () => {
    const { response } = await withdraw('api-server', {}, [requiring('v1alpha1')]);
    expect(response.allowed).to.equal(false);
    expect(response.status?.message).to.include(
      'ClusterServiceVersion shop/shop.v1 needs version v1alpha1, which is no longer served',
    );
  });

  it('names nobody whom the requester may not list', async () => {
    const objects = [requiring('v1alpha1')];
    const { response } = await withdraw('api-server', {}, objects, () => Promise.resolve(false));
    expect(JSON.stringify(response)).not.to.include('shop');
    expect(response.status?.message).to.include(
      'a ClusterServiceVersion that you may not list needs version v1alpha1',
    );
  });

  it('is allowed where other operators require what stays', async () => {
    const { response } = await withdraw('api-server', {}, [requiring('v1')]);
    expect(response.allowed).to.equal(true);
  });

  it('tells nothing of who requires it to a review that anybody could have sent', async () => {
    const { response } = await withdraw('unauthenticated', {}, [requiring('v1alpha1')]);
    expect(JSON.stringify(response)).not.to.include('shop').and.not.to.include('needs version');
  });
});
