/** Who relies on a definition, whether its update is reviewed or a plan that brings the update. */
import { expect } from 'chai';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import { ClusterError, type ClusterView } from '../../cluster/view/view.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { aCsv, makeGroup, makeObject } from '../../olm/rules/objects/testing/harness.js';
import { stringifyJson, type JsonObject } from '../../text/documents/index.js';
import type { Caller } from './disclosure.js';
import { review, type Reviewed } from './review.js';
import { createReviewers } from './reviewers.js';
import { judgeHere } from './testing/judge-here.js';

const rbac = 'rbac.authorization.k8s.io';
const all = { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } };

/** Its versions with their subresources; `v1` is stored. */
function widgets(versions: Readonly<Record<string, JsonObject>>): JsonObject {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com', uid: 'widgets' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: Object.entries(versions).map(([name, subresources]) => ({
        ...{ name, served: true, storage: name === 'v1', schema, subresources },
      })),
    },
    status: { storedVersions: ['v1'] },
  };
}

const before = widgets({ v1: all, v1beta1: all });
const withoutScale = widgets({ v1: { status: {} }, v1beta1: all });
const withoutStatus = widgets({ v1: { scale: all.scale }, v1beta1: all });
const withoutVersion = widgets({ v1: all });

function role(kind: 'Role' | 'ClusterRole', rule: JsonObject, more: JsonObject = {}): JsonObject {
  const namespace: JsonObject = kind === 'Role' ? { namespace: 'secret' } : {};
  const rules = [{ apiGroups: ['example.com'], verbs: ['update'], ...rule }];
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name: 'replicator', ...namespace },
    rules,
    ...more,
  };
}

const autoscaler = (kind = 'Widget', apiVersion = 'example.com/v1beta1'): JsonObject => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'big', namespace: 'secret' },
  spec: { scaleTargetRef: { apiVersion, kind, name: 'big' } },
});

const requiring = (name: string, version: string): JsonObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  ...aCsv({
    ...{ name, namespace: 'secret', owns: [] },
    spec: {
      customresourcedefinitions: {
        required: [{ name: 'widgets.example.com', version, kind: 'Widget' }],
      },
    },
  }),
});

const requirement: JsonObject = {
  apiVersion: 'apiextensions.openshift.io/v1alpha1',
  kind: 'CompatibilityRequirement',
  metadata: { name: 'secret-platform' },
  spec: {
    customResourceDefinitionSchemaValidation: { action: 'Deny' },
    compatibilitySchema: {
      customResourceDefinition: { type: 'YAML', data: stringifyJson(before) },
      requiredVersions: { defaultSelection: 'AllServed' },
    },
  },
  status: { crdName: 'widgets.example.com' },
};

interface Asked {
  readonly next: JsonObject;
  readonly objects?: readonly JsonObject[];
  readonly policy?: Partial<Policy>;
  readonly caller?: Caller;
  readonly view?: Partial<ClusterView>;
  readonly unknown?: readonly string[];
}

type Entry = (asked: Asked) => Promise<Reviewed>;

/** The request about a definition itself. */
const update: Entry = (asked) => {
  const of = { group: 'apiextensions.k8s.io', version: 'v1' };
  return answer(asked, {
    kind: { ...of, kind: 'CustomResourceDefinition' },
    resource: { ...of, resource: 'customresourcedefinitions' },
    name: 'widgets.example.com',
    object: asked.next,
    oldObject: before,
  });
};

/** The approval of a plan that brings the definition. */
const approve: Entry = (asked) => {
  const of = { group: 'operators.coreos.com', version: 'v1alpha1' };
  const resource = {
    kind: 'CustomResourceDefinition',
    name: 'widgets.example.com',
    manifest: stringifyJson(asked.next),
  };
  const planned = (approved: boolean): JsonObject =>
    makeObject('InstallPlan', 'p', 'ns', { spec: { approved }, status: { plan: [{ resource }] } });
  return answer(asked, {
    kind: { ...of, kind: 'InstallPlan' },
    resource: { ...of, resource: 'installplans' },
    name: 'p',
    namespace: 'ns',
    object: planned(true),
    oldObject: planned(false),
  });
};

type Request = Omit<Parameters<typeof review>[0], 'uid' | 'operation' | 'userInfo'>;

function answer({ objects = [], ...asked }: Asked, request: Request): Promise<Reviewed> {
  const { unknown = [], policy = {}, caller = 'api-server', view = {} } = asked;
  const state = FolderState.of([
    { apiVersion: 'operators.coreos.com/v1', ...makeGroup() },
    before,
    ...objects,
  ]);
  const { cluster } = state;
  state.unknown = (kind) =>
    unknown.includes(kind) ? `${kind} objects cannot be read: forbidden` : undefined;
  return review(
    { uid: '1', operation: 'UPDATE', userInfo: { username: 'eve' }, ...request },
    createReviewers(state),
    {
      // What the change itself does is not what these rows are about.
      policy: {
        ...defaultPolicy,
        modes: new Map(
          [
            ...['StatusSubresourceRemoved', 'ScaleSubresourceRemoved', 'ServedVersionRemoved'],
            ...['InstallPlanCRDSafety', 'StoredObjectsUnchecked'],
          ].map((rule) => [rule, 'audit'] as const),
        ),
        ...policy,
      },
      view: {
        get: (...each) => cluster.get(...each),
        list: (...each) => cluster.list(...each),
        ...view,
      },
      ...{ judge: judgeHere, caller, now: new Date(0) },
    },
  );
}

const said = ({ response }: Reviewed): string =>
  [response.status?.message ?? '', ...(response.warnings ?? [])].join('\n');

interface Row {
  readonly name: string;
  readonly next: JsonObject;
  readonly objects: readonly JsonObject[];
  /** Nothing is said of anybody without it. */
  readonly says?: string;
  readonly isDenied?: true;
}

const rights = 'has rights to the scale subresource of version v1, which is gone';
const rows: readonly Row[] = [
  {
    name: 'a version that a ClusterServiceVersion requires',
    next: withoutVersion,
    objects: [requiring('shop', 'v1beta1')],
    says: 'ClusterServiceVersion secret/shop needs version v1beta1, which is no longer served',
    isDenied: true,
  },
  {
    name: 'a version that stays',
    next: withoutVersion,
    objects: [requiring('shop', 'v1')],
  },
  ...(['Role', 'ClusterRole'] as const).map((kind) => ({
    name: `a subresource to which a ${kind} has rights`,
    next: withoutScale,
    objects: [role(kind, { resources: ['widgets/scale'] })],
    says: `${kind} ${kind === 'Role' ? 'secret/' : ''}replicator ${rights}`,
  })),
  {
    name: 'the status to which a role has rights',
    next: withoutStatus,
    objects: [role('Role', { resources: ['widgets', 'widgets/status'] })],
    says: 'Role secret/replicator has rights to the status subresource of version v1',
  },
  ...(
    [
      { resources: ['*'] },
      { resources: ['*/scale'] },
      { resources: ['widgets/*'] },
      { resources: ['widgets'] },
      { resources: ['widgets/status'] },
      { resources: ['gadgets/scale'] },
      { apiGroups: ['*'], resources: ['widgets/scale'] },
      { apiGroups: ['other.com'], resources: ['widgets/scale'] },
    ] as readonly JsonObject[]
  ).map((rule) => ({
    name: `a role accuses nobody: ${JSON.stringify(rule)}`,
    next: withoutScale,
    objects: [role('Role', rule)],
  })),
  {
    name: 'a role that OLM made',
    next: withoutScale,
    objects: [
      role(
        'ClusterRole',
        { resources: ['widgets/scale'] },
        {
          metadata: { name: 'made', labels: { 'olm.owner': 'shop' } },
        },
      ),
    ],
  },
  {
    name: 'a role that an API server has gathered',
    next: withoutScale,
    objects: [role('ClusterRole', { resources: ['widgets/scale'] }, { aggregationRule: {} })],
  },
  {
    name: 'scale that an autoscaler uses',
    next: withoutScale,
    objects: [autoscaler()],
    says: 'HorizontalPodAutoscaler secret/big uses the scale subresource of version v1, which is gone',
    isDenied: true,
  },
  {
    name: 'a version that an autoscaler names, while the preferred one stays',
    next: withoutVersion,
    objects: [autoscaler()],
  },
  {
    name: 'scale of another kind than that of an autoscaler',
    next: withoutScale,
    objects: [autoscaler('Gadget'), autoscaler('Widget', 'other.com/v1')],
  },
  {
    name: 'a version that a CompatibilityRequirement names',
    next: withoutVersion,
    objects: [requirement],
    says: 'CompatibilityRequirement secret-platform requires version v1beta1, which is not served',
    isDenied: true,
  },
];

for (const [entry, ask] of Object.entries({ update, approve })) {
  describe(`an update of a definition that others rely on (${entry})`, () => {
    for (const { name, next, objects, says, isDenied = false } of rows) {
      it(name, async () => {
        const reviewed = await ask({ next, objects });
        const sentences = said(reviewed);
        if (says === undefined) expect(sentences).not.to.match(/secret|replicator|made/);
        else expect(sentences).to.include(says);
        expect(reviewed.response.allowed, sentences).to.equal(!isDenied);
      });
    }

    it('names nobody whom the requester may not list', async () => {
      const view = { mayList: () => Promise.resolve(false) };
      for (const { next, objects, says } of rows) {
        const { response } = await ask({ next, objects, view });
        expect(JSON.stringify(response)).not.to.match(/secret|replicator/);
        if (says === undefined) continue;
        const kind = says.split(' ')[0] ?? '';
        expect(JSON.stringify(response)).to.include(`a ${kind} that you may not list`);
      }
    });

    it('names those of one namespace to whom it may list there', async () => {
      const isHere: ClusterView['mayList'] = (_, __, namespace) =>
        Promise.resolve(namespace === 'secret');
      const reviewed = await ask({
        ...{ next: withoutScale, objects: [autoscaler()], view: { mayList: isHere } },
      });
      expect(said(reviewed)).to.include('HorizontalPodAutoscaler secret/big uses');
    });

    const unlisted: ClusterView['list'] = (resource) =>
      resource.resource === 'horizontalpodautoscalers'
        ? Promise.reject(new ClusterError('forbidden', 403))
        : Promise.resolve([]);
    const unknown = ['Role', 'ClusterRole'];

    it('is said not to be judged by those who cannot be read, and denied where that is not enough', async () => {
      for (const [next, ...sentences] of [
        [
          withoutScale,
          'whether HorizontalPodAutoscalers use its scale subresource is not known: no right to list horizontalpodautoscalers.autoscaling',
          'whether Roles name widgets/scale is not known: ',
          'whether ClusterRoles name widgets/scale is not known: ',
        ],
      ] as const) {
        const asked = { next, unknown, view: { list: unlisted } };
        const lenient = await ask(asked);
        expect(lenient.response.allowed).to.equal(true);
        for (const each of sentences) expect(said(lenient)).to.include(each);
        const { response } = await ask({ ...asked, policy: { unjudged: 'deny' } });
        expect(response.allowed).to.equal(false);
        for (const each of sentences) expect(response.status?.message).to.include(each);
      }
    });

    it('asks for nobody where it takes nothing away', async () => {
      const wider = widgets({ v1: all, v1beta1: all, v1alpha1: {} });
      const { response } = await ask({
        ...{ next: wider, unknown, view: { list: unlisted }, policy: { unjudged: 'deny' } },
      });
      expect(response.allowed, response.status?.message).to.equal(true);
    });

    it('names a hundred of thousands, and counts the others for who may list them', async () => {
      const objects = Array.from({ length: 3_000 }, (_, index) =>
        requiring(`shop-${index}`, 'v1beta1'),
      );
      // Those that need nothing that goes are not in the way of those that do.
      const others = Array.from({ length: 3_000 }, (_, index) => requiring(`fine-${index}`, 'v1'));
      const asked = { next: withoutVersion, objects: [...others, ...objects] };
      const reviewed = await ask(asked);
      expect(JSON.stringify([reviewed.response, reviewed.decided])).to.include(
        'each of 2900 more ClusterServiceVersions needs version v1beta1',
      );
      const { response, decided } = await ask({
        ...{ ...asked, view: { mayList: () => Promise.resolve(false) } },
      });
      expect(response.allowed).to.equal(false);
      expect(JSON.stringify([response, decided])).not.to.match(/2900|shop-/);
    });
  });
}

describe('a review that anybody could have sent', () => {
  it('learns nothing of who relies on the definition', async () => {
    for (const { next, objects } of rows) {
      const { response } = await update({ next, objects, caller: 'unauthenticated' });
      expect(JSON.stringify(response)).not.to.match(/secret|replicator|that you may not list/);
    }
  });
});
