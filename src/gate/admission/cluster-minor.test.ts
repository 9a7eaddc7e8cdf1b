/** By whose rules the gate and a scan judge numbers: those of the minors in the policy, else the cluster's. */
import { expect } from 'chai';
import { defaultPolicy } from '../../policy/policy.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import type { JsonObject } from '../../text/documents/index.js';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import { review, type Reviewed } from './review.js';
import { createReviewers } from './reviewers.js';
import { judgeHere } from './testing/judge-here.js';

const sized = (size: JsonObject): JsonObject =>
  exampleOfSpec({ type: 'object', properties: { size } });

/** Stored where numbers had no bounds. */
const stored: JsonObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'large', namespace: 'shop', resourceVersion: '7' },
  spec: { size: 3_000_000_000 },
};

function addFormat(version: string | null, kubernetes?: string): Promise<Reviewed> {
  const state = Object.assign(FolderState.of([stored]), { kubernetesVersion: version });
  const group = 'apiextensions.k8s.io';
  return review(
    {
      uid: '1',
      kind: { group, version: 'v1', kind: 'CustomResourceDefinition' },
      resource: { group, version: 'v1', resource: 'customresourcedefinitions' },
      ...{ name: 'widgets.example.com', operation: 'UPDATE', userInfo: { username: 'eve' } },
      oldObject: sized({ type: 'integer' }),
      object: sized({ type: 'integer', format: 'int32' }),
    },
    createReviewers(state),
    {
      policy: { ...defaultPolicy, ...(kubernetes !== undefined && { kubernetes }) },
      ...{ view: state.cluster, judge: judgeHere, caller: 'api-server', now: new Date(0) },
    },
  );
}

describe('a new format int32 at the gate', () => {
  for (const [version, kubernetes, isAllowed] of [
    [null, undefined, true],
    ['v1.35.4+k3s1', undefined, true],
    ['v1.36.1', undefined, false],
    ['v1.99.0', undefined, false],
    ['v1.35.4', '1.36', false],
    ['v1.36.1', '1.35', true],
    ['v1.36.1', 'cluster', false],
    ['v1.35.4', 'cluster..1.36', false],
    [null, 'cluster', true],
  ] as const) {
    const asked = kubernetes === undefined ? '' : ` and the policy asks ${kubernetes}`;
    it(`is ${isAllowed ? 'allowed' : 'denied'} where the cluster runs ${version ?? 'nobody knows what'}${asked}`, async () => {
      const { response } = await addFormat(version, kubernetes);
      expect(response.allowed).to.equal(isAllowed);
      const refused = '1 of 1 stored Widget would be refused: shop/large';
      expect(JSON.stringify(response).includes(refused)).to.equal(!isAllowed);
      if (!isAllowed) expect(response.status?.message).to.include('from 1.36 on');
    });
  }
});
