/** InstallPlans whose definitions would harm what is stored, through the whole review. */
import { expect } from 'chai';
import type { ClusterView } from '../../cluster/view/view.js';
import type { JsonObject } from '../../text/documents/index.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { makeGroup, makeObject } from '../../olm/rules/objects/testing/harness.js';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import { olmReviewers } from './olm-objects.js';
import { review, type Reviewed } from './review.js';
import { judgeHere } from './testing/judge-here.js';

function definition(plural: string, replicas: JsonObject): JsonObject {
  const spec = { type: 'object', properties: { replicas } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com`, uid: plural },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: plural === 'widgets' ? 'Widget' : 'Gadget', plural },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
    status: { storedVersions: ['v1'] },
  };
}

const anyNumber = { type: 'integer' };
const atLeast5 = { type: 'integer', minimum: 5 };
const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'ns', resourceVersion: '7' },
  spec: { replicas: 3 },
};

interface Asked {
  /** Definitions that the plan's steps bring. */
  readonly steps: readonly JsonObject[];
  readonly stored?: readonly JsonObject[];
  readonly policy?: Partial<Policy>;
  readonly list?: ClusterView['list'];
}

/** A cluster with `widgets` and `gadgets` of any number of replicas, and a plan that is approved. */
async function approve({ steps, stored = [], policy = {}, list }: Asked): Promise<Reviewed> {
  const state = FolderState.of([
    { apiVersion: 'operators.coreos.com/v1', ...makeGroup() },
    definition('widgets', anyNumber),
    definition('gadgets', anyNumber),
    ...stored,
  ]);
  const plan = steps.map((object) => ({
    resource: {
      kind: 'CustomResourceDefinition',
      name: (object['metadata'] as { name: string }).name,
      manifest: JSON.stringify(object),
    },
  }));
  const planned = (approved: boolean): JsonObject =>
    makeObject('InstallPlan', 'p', 'ns', { spec: { approved }, status: { plan } });
  const of = { group: 'operators.coreos.com', version: 'v1alpha1' };
  const view = list === undefined ? state.cluster : { get: () => Promise.resolve(undefined), list };
  return review(
    {
      uid: '1',
      kind: { ...of, kind: 'InstallPlan' },
      resource: { ...of, resource: 'installplans' },
      name: 'p',
      namespace: 'ns',
      operation: 'UPDATE',
      object: planned(true),
      oldObject: planned(false),
    },
    olmReviewers(state),
    {
      // The rules about the schema have tests of their own.
      policy: { ...defaultPolicy, modes: new Map([['InstallPlanCRDSafety', 'audit']]), ...policy },
      view,
      judge: judgeHere,
      caller: 'api-server',
      now: new Date(0),
    },
  );
}

describe('InstallPlans and stored objects', () => {
  it('deny a plan that would break one, naming it', async () => {
    const { response } = await approve({
      steps: [definition('gadgets', anyNumber), definition('widgets', atLeast5)],
      stored: [widget],
    });
    expect(response.status?.message).to.match(
      /StoredObjectsRefused: CustomResourceDefinition widgets\.example\.com: 1 of 1 stored Widget would be refused: ns\/w/,
    );
    expect(response.status?.message).not.to.include('gadgets');
  });

  it('allow it when no object is in its way', async () => {
    const { decision, response } = await approve({ steps: [definition('widgets', atLeast5)] });
    expect(decision, response.status?.message).to.equal('allowed');
  });

  it('look once where two bundles bring the same definition', async () => {
    let lists = 0;
    const { response } = await approve({
      steps: [definition('widgets', atLeast5), definition('widgets', atLeast5)],
      list: () => {
        lists++;
        return Promise.resolve([widget]);
      },
    });
    expect(response.allowed).to.equal(false);
    expect(lists).to.equal(1);
  });

  it('warn of what could not be read', async () => {
    const { response } = await approve({
      steps: [definition('widgets', atLeast5)],
      list: () => Promise.reject(new Error('no answer')),
    });
    expect(response.allowed).to.equal(true);
    expect(response.warnings?.join()).to.match(/StoredObjectsUnchecked: .*no answer/);
  });

  it('do not look where the policy gives no time for it', async () => {
    const { decision } = await approve({
      steps: [definition('widgets', atLeast5)],
      stored: [widget],
      policy: { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 0 } },
    });
    expect(decision).to.equal('allowed');
  });
});
