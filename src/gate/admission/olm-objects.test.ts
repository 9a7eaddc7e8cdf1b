import { expect } from 'chai';
import { ClusterError, type ClusterView } from '../../cluster/view/view.js';
import type { JsonObject } from '../../text/documents/index.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import type { OlmState } from '../../cluster/olm-state/olm-state.js';
import { annotated } from '../../policy/testing/annotated.js';
import { makeCrd, aCsv, makeGroup, makeObject } from '../../olm/rules/objects/testing/harness.js';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import type { AdmissionRequest } from './admission-review.js';
import { olmReviewers } from './olm-objects.js';
import { UnfinishedError, type HeavyJudge, type Reviewer } from './reviewer.js';
import type { Caller } from './disclosure.js';
import { review, type Reviewed } from './review.js';
import { judgeHere } from './testing/judge-here.js';

const olmUser = 'system:serviceaccount:olm:olm-operator-serviceaccount';

function stateOf(...objects: JsonObject[]): FolderState {
  return FolderState.of(
    objects.map((object) => ({
      apiVersion:
        object['kind'] === 'OperatorGroup'
          ? 'operators.coreos.com/v1'
          : 'operators.coreos.com/v1alpha1',
      ...object,
    })),
  );
}

interface Asked {
  readonly resource?: string;
  readonly subResource?: string;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  readonly operation?: AdmissionRequest['operation'];
  readonly user?: string;
  readonly policy?: Partial<Policy>;
  readonly state?: OlmState;
  readonly caller?: Caller;
  readonly judge?: HeavyJudge;
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
  /** Of one replica, for several reviews. */
  readonly reviewers?: readonly Reviewer[];
  /** What the requester may list, as `RESOURCE` or `RESOURCE in NAMESPACE`; everything without it. */
  readonly readable?: { includes(what: string): boolean };
}

function ask(asked: Asked): Promise<Reviewed> {
  const { resource = 'operatorgroups', object = null, oldObject = null, user } = asked;
  const request: AdmissionRequest = {
    uid: '1',
    kind: { group: 'operators.coreos.com', version: 'v1', kind: 'Any' },
    resource: { group: 'operators.coreos.com', version: 'v1', resource },
    name: 'g',
    namespace: 'ns',
    operation: asked.operation ?? (oldObject === null ? 'CREATE' : 'UPDATE'),
    object,
    oldObject,
    subResource: asked.subResource,
    ...(user === undefined ? {} : { userInfo: { username: user } }),
    dryRun: asked.dryRun === true,
  };
  const state = asked.state ?? stateOf();
  return review(request, asked.reviewers ?? olmReviewers(state), {
    policy: { ...defaultPolicy, ...asked.policy },
    view: withRights(state.cluster, asked.readable),
    judge: asked.judge ?? judgeHere,
    caller: asked.caller ?? 'api-server',
    now: new Date(0),
    signal: asked.signal,
  });
}

function withRights(view: ClusterView, readable: Asked['readable']): ClusterView {
  if (readable === undefined) return view;
  const may: NonNullable<ClusterView['mayList']> = (_user, { resource }, namespace) =>
    Promise.resolve(
      readable.includes(namespace === undefined ? resource : `${resource} in ${namespace}`),
    );
  return {
    get: (...args) => view.get(...args),
    list: (...args) => view.list(...args),
    mayList: may,
  };
}

const toAll = makeGroup({ spec: { targetNamespaces: ['ns', ''] } });
const ownOnly = aCsv({ modes: ['OwnNamespace'] });
const elsewhere = makeGroup({ spec: { targetNamespaces: ['other'] } });

const withPermission = aCsv({
  spec: {
    install: {
      spec: {
        permissions: [
          {
            serviceAccountName: 'cats',
            rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
          },
        ],
      },
    },
  },
});

const failing: ClusterView = {
  get: () => Promise.reject(new ClusterError('no answer')),
  list: () => Promise.reject(new ClusterError('no answer')),
};

describe('reviews of OLM’s objects', () => {
  it('deny by rule, with every finding in the message and the causes', async () => {
    const { response, decision } = await ask({ object: toAll });
    expect(decision).to.equal('denied');
    expect(response.status?.message).to.match(
      /\nOperatorGroup ns\/g was refused by olm-guard:\nOperatorGroupTargets at \$\.spec\.targetNamespaces: TargetNamespaces cannot contain/,
    );
    expect(response.status?.details?.causes[0]).to.include({ reason: 'OperatorGroupTargets' });
  });

  it('deny a group whose member cannot follow, naming it', async () => {
    const { response } = await ask({
      object: elsewhere,
      oldObject: makeGroup(),
      state: stateOf(makeGroup(), ownOnly),
    });
    expect(response.status?.message).to.include('cats.v1');
  });

  it('never hold against a request what the old object has already', async () => {
    const before = await ask({
      object: { ...elsewhere, metadata: { name: 'g', namespace: 'ns', annotations: { a: 'b' } } },
      oldObject: elsewhere,
      state: stateOf(elsewhere, ownOnly),
    });
    expect(before.decision).to.equal('warned');
    expect(before.response.warnings?.join()).to.include('the old object has this already');
  });

  it('take for a copy what OLM writes, and never forgive what passed for one', async () => {
    const resource = 'clusterserviceversions';
    const labels = { 'olm.copiedFrom': 'elsewhere' };
    const copy = aCsv({ name: 'mine', metadata: { labels } });
    const state = stateOf(makeGroup(), aCsv());
    const created = await ask({ resource, object: copy, state, user: 'mallory' });
    expect(created.decision).to.equal('denied');
    expect(created.response.status?.message).to.match(
      /OwnerConflict.*trusted\.olmServiceAccounts/s,
    );
    expect((await ask({ resource, object: copy, state, user: olmUser })).decision).to.equal(
      'allowed',
    );
    // However it came there: taking the mark away is no bookkeeping, and the ratchet knows nothing of it.
    const bare = aCsv({ name: 'mine' });
    const bared = await ask({ resource, object: bare, oldObject: copy, state, user: 'mallory' });
    expect(bared.decision).to.equal('denied');
    const touched = { ...copy, metadata: { ...(copy['metadata'] as object), finalizers: ['a/b'] } };
    const kept = await ask({ resource, object: touched, oldObject: copy, state, user: 'mallory' });
    expect(kept.decision).to.equal('allowed');
  });

  describe('that come at once', () => {
    const deny = { modes: new Map([['MultipleOperatorGroups', 'deny' as const]]) };
    const groups = [makeGroup({ name: 'one' }), makeGroup({ name: 'two' })];
    type How = Partial<Asked> & { readonly dryRun?: boolean };

    it('pass one after the other', async () => {
      for (let round = 0; round < 20; round++) {
        const state = stateOf();
        const reviewers = olmReviewers(state);
        const asked = groups.map((object) => ask({ object, state, policy: deny, reviewers }));
        const allowed = (await Promise.all(asked)).filter(({ response }) => response.allowed);
        expect(allowed).to.have.lengthOf(1);
      }
    });

    const ghosts: readonly (readonly [string, How])[] = [
      ['a dry run', { dryRun: true }],
      ['what an unauthenticated client asks', { caller: 'unauthenticated' }],
      ['what is denied', { object: toAll }],
    ];
    for (const [what, how] of ghosts) {
      it(`are not in the way of others: ${what}`, async () => {
        const state = stateOf();
        const reviewers = olmReviewers(state);
        await ask({ object: groups[0] ?? null, state, policy: deny, reviewers, ...how });
        const next = await ask({ object: groups[1] ?? null, state, policy: deny, reviewers });
        expect(next.response.allowed).to.equal(true);
      });
    }

    it('speak for nobody by what they take away, for they may yet fail', async () => {
      const rival = makeGroup({
        name: 'h',
        namespace: 'other',
        provides: 'Cat.v1.pets, Dog.v1.pets',
      });
      const state = stateOf(
        makeGroup(),
        aCsv(),
        rival,
        aCsv({ namespace: 'other', name: 'theirs' }),
      );
      const claiming = makeGroup({
        spec: { targetNamespaces: ['ns', 'other'] },
        provides: 'Dog.v1.pets',
      });
      const widening = { object: claiming, oldObject: makeGroup(), state };
      expect((await ask(widening)).decision).to.equal('denied');
      const reviewers = olmReviewers(state);
      const resource = 'clusterserviceversions';
      const idle = aCsv({ owns: [] });
      const left = await ask({ resource, object: idle, oldObject: aCsv(), state, reviewers });
      expect(left.response.allowed).to.equal(true);
      expect((await ask({ ...widening, reviewers })).decision).to.equal('denied');
    });

    it('do not stand in their own way when they are sent again', async () => {
      const state = stateOf();
      const asked = {
        object: groups[0] ?? null,
        state,
        policy: deny,
        reviewers: olmReviewers(state),
      };
      expect((await ask(asked)).response.allowed).to.equal(true);
      expect((await ask(asked)).response.allowed).to.equal(true);
    });
  });

  it('warn about a second group, and deny it where the policy names the rule', async () => {
    const state = stateOf(makeGroup({ name: 'first' }));
    expect((await ask({ object: makeGroup(), state })).decision).to.equal('warned');
    const modes = new Map([['MultipleOperatorGroups', 'deny' as const]]);
    expect((await ask({ object: makeGroup(), state, policy: { modes } })).decision).to.equal(
      'denied',
    );
  });

  it('see a second group by a list of this moment', async () => {
    const state = withCluster(stateOf(), {
      get: () => Promise.resolve(undefined),
      list: () => Promise.resolve([makeGroup({ name: 'just-created' })]),
    });
    const { response } = await ask({ object: makeGroup(), state });
    expect(response.warnings?.join()).to.include('just-created');
  });

  it('go on with what is followed when the list fails', async () => {
    const state = withCluster(stateOf(makeGroup({ name: 'followed' })), failing);
    const { response } = await ask({ object: makeGroup(), state });
    expect(response.warnings?.join()).to.include('followed');
  });

  it('never deny OLM its annotations', async () => {
    const state = stateOf(ownOnly);
    const annotated: JsonObject = {
      ...elsewhere,
      metadata: { name: 'g', namespace: 'ns', annotations: { 'olm.providedAPIs': 'Cat.v1.pets' } },
    };
    const policy = { ratchet: false };
    const asked = { object: annotated, oldObject: elsewhere, state, policy };
    expect((await ask(asked)).decision).to.equal('denied');
    expect((await ask({ ...asked, user: olmUser })).decision).to.equal('warned');
    const changed = { ...annotated, spec: { targetNamespaces: ['third'] } };
    expect((await ask({ ...asked, object: changed, user: olmUser })).decision).to.equal('denied');
  });

  it('warn about a plan that OLM approves itself', async () => {
    const groups = [makeGroup(), makeGroup({ name: 'h' })];
    const object = makeObject('InstallPlan', 'p', 'ns', { spec: { approved: true } });
    const asked = { resource: 'installplans', object, state: stateOf(...groups) };
    expect((await ask(asked)).decision).to.equal('denied');
    expect((await ask({ ...asked, user: olmUser })).decision).to.equal('warned');
  });

  describe('warn about the steps of a plan that is approved already', () => {
    const withSteps = (...plan: JsonObject[]): JsonObject =>
      makeObject('InstallPlan', 'p', 'ns', { spec: { approved: true }, status: { plan } });
    const asked: Asked = {
      resource: 'installplans',
      subResource: 'status',
      object: withSteps({ resource: { kind: 'Secret', name: 's' } }),
      oldObject: withSteps(),
      state: stateOf(makeGroup(), makeGroup({ name: 'h' })),
    };

    it('when OLM writes them into the status', async () => {
      const { decision, response } = await ask(asked);
      expect(decision).to.equal('warned');
      expect(response.warnings?.join()).to.match(
        /InstallPlanOperatorGroup.*status writes are never/,
      );
    });

    it('once', async () => {
      const { object = null } = asked;
      expect((await ask({ ...asked, oldObject: object })).response.warnings).to.equal(undefined);
    });

    it('and never deny, whatever the policy', async () => {
      const policy = { unjudged: 'deny' as const, ratchet: false };
      for (const oldObject of [asked.oldObject ?? null, null]) {
        const { response } = await ask({ ...asked, oldObject, operation: 'UPDATE', policy });
        expect(response.allowed).to.equal(true);
        expect(response.warnings).not.to.equal(undefined);
      }
    });

    it('while the status of other kinds concerns nobody', async () => {
      const { response } = await ask({ object: toAll, subResource: 'status' });
      expect(response.warnings).to.equal(undefined);
    });
  });

  it('read definitions live before they compare them', async () => {
    const versions = (type: string) => ({
      group: 'pets',
      scope: 'Namespaced',
      names: { kind: 'Cat', plural: 'cats' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type } } } },
        },
      ],
    });
    const definition = (type: string) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      ...makeCrd('cats.pets', [], versions(type)),
    });
    const step = {
      resource: {
        kind: 'CustomResourceDefinition',
        name: 'cats.pets',
        manifest: JSON.stringify(definition('string')),
      },
    };
    const object = makeObject('InstallPlan', 'p', 'ns', {
      spec: { approved: true },
      status: { plan: [step] },
    });
    const read: string[] = [];
    const state = withCluster(stateOf(makeGroup()), {
      get: (_resource, name) => {
        read.push(name);
        return Promise.resolve(name === 'cats.pets' ? definition('integer') : undefined);
      },
      list: () => Promise.resolve([]),
    });
    const { response } = await ask({ resource: 'installplans', object, state });
    expect(read).to.include('cats.pets');
    expect(response.status?.message).to.match(/InstallPlanCRDSafety .*cats\.pets/);
  });

  describe('take switch-offs', () => {
    const annotations = { 'olm-guard.io/disable': 'operator-groups' };
    const off = (object: JsonObject): JsonObject =>
      annotated({ ...object, metadata: { ...(object['metadata'] as JsonObject), annotations } });
    const text = ({ response }: Reviewed): string => JSON.stringify(response);
    const named: JsonObject = {
      ...toAll,
      metadata: { ...(toAll['metadata'] as JsonObject), annotations },
    };

    it('of the stored group itself, and count and say them', async () => {
      const answer = await ask({ object: named, oldObject: off(makeGroup()) });
      expect(answer.decision).to.equal('bypassed');
      expect(answer.bypassed.map(({ bypass, family }) => [bypass.by, family])).to.deep.equal([
        ['operatorgroup', 'operator-groups'],
      ]);
      expect(answer.response.warnings?.join()).to.match(
        /operator-groups is switched off by annotation "olm-guard\.io\/disable" on OperatorGroup "g": 1 finding not enforced \(OperatorGroupTargets\)/,
      );
    });

    it('not of a group that the request alone annotates, or that came with it', async () => {
      const brought = await ask({ object: off(toAll), oldObject: makeGroup() });
      expect(brought.decision).to.equal('denied');
      expect(text(brought)).to.include('only this request brings it');
      const [record] = (off(toAll)['metadata'] as { managedFields: JsonObject[] }).managedFields;
      const oldObject = { ...off(makeGroup()) };
      oldObject['metadata'] = {
        ...(oldObject['metadata'] as JsonObject),
        managedFields: [record as JsonObject],
      };
      const untracked = await ask({ object: named, oldObject });
      expect(untracked.decision).to.equal('denied');
      expect(text(untracked)).to.include('does not count: nobody is recorded');
    });

    it('not where the policy lists other sources', async () => {
      const bypass = { ...defaultPolicy.bypass, sources: ['crd'] as const };
      const answer = await ask({ object: named, oldObject: off(makeGroup()), policy: { bypass } });
      expect(answer.decision).to.equal('denied');
      expect(text(answer)).to.include('does not count: the policy does not allow it');
    });

    it('of members and their Subscriptions, where the policy lists them', async () => {
      const member = aCsv();
      const subscription = (metadata: JsonObject): JsonObject => ({
        ...makeObject('Subscription', 'cats', 'ns', {
          spec: { name: 'cats' },
          status: { installedCSV: (member['metadata'] as { name: string }).name },
        }),
        metadata: { name: 'cats', namespace: 'ns', ...metadata },
      });
      const rows: [sources: Policy['bypass']['sources'], cluster: JsonObject[], by?: string][] = [
        [['csv'], [off(member)], 'csv'],
        [['csv'], [member]],
        [['subscription'], [off(member)]],
        [['subscription'], [member, off(subscription({}))], 'subscription'],
        [['crd'], [off(member), off(subscription({}))]],
      ];
      for (const [sources, cluster, by] of rows) {
        const bypass = { ...defaultPolicy.bypass, sources };
        const state = stateOf(...cluster);
        const answer = await ask({
          object: toAll,
          oldObject: makeGroup(),
          state,
          policy: { bypass },
        });
        expect(answer.bypassed.map(({ bypass: used }) => used.by)).to.deep.equal(
          by === undefined ? [] : [by],
        );
        expect(answer.decision).to.equal(by === undefined ? 'denied' : 'bypassed');
      }
    });

    it('of no single namespace for what protects the others, unless the policy says so', async () => {
      const rival = makeGroup({
        name: 'rival',
        namespace: 'theirs',
        spec: { targetNamespaces: ['shared'] },
        provides: 'Cat.v1.pets',
      });
      const modes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];
      const asked: Asked = {
        oldObject: off(makeGroup({ spec: { targetNamespaces: ['quiet'] } })),
        object: makeGroup({ spec: { targetNamespaces: ['shared'] }, status: ['quiet'] }),
        state: stateOf(aCsv({ modes }), rival),
      };
      const narrow = await ask(asked);
      expect(narrow.decision).to.equal('denied');
      expect(text(narrow)).to.include(
        'does not count for OperatorGroupIntersection, which protects other namespaces (bypass.clusterWide in the policy)',
      );
      const bypass = { ...defaultPolicy.bypass, clusterWide: true };
      expect((await ask({ ...asked, policy: { bypass } })).decision).to.equal('bypassed');
    });
  });

  it('take switch-offs of the owner as the cluster has it', async () => {
    const annotations = { 'olm-guard.io/disable': 'operator-groups' };
    const owner = annotated(
      makeObject('Subscription', 'cats', 'ns', {
        spec: { name: 'cats' },
        metadata: { name: 'cats', namespace: 'ns', annotations },
      }),
    );
    const labels = { 'operators.coreos.com/cats.ns': '' };
    const twice = [
      { type: 'OwnNamespace', supported: true },
      { type: 'OwnNamespace', supported: true },
    ];
    const asked = {
      resource: 'clusterserviceversions',
      oldObject: aCsv({ metadata: { labels } }),
      object: aCsv({ metadata: { labels }, spec: { installModes: twice } }),
      state: stateOf(makeGroup(), owner),
    };
    expect((await ask(asked)).decision).to.equal('denied');
    const bypass = { ...defaultPolicy.bypass, sources: ['subscription' as const] };
    expect((await ask({ ...asked, policy: { bypass } })).decision).to.equal('bypassed');
  });

  describe('tell what the requester may read:', () => {
    const secret = 'top-secret';
    const state = stateOf(makeGroup({ name: 'mine' }));
    const modes = new Map([['MultipleOperatorGroups', 'deny' as const]]);
    const all = [
      ...['operatorgroups', 'clusterserviceversions', 'subscriptions', 'catalogsources'],
      ...['clusterextensions', 'namespaces', 'clusterrolebindings'],
    ];
    const text = ({ response }: Reviewed): string => JSON.stringify(response);
    const asked: Asked = { object: makeGroup(), user: 'alice', state, policy: { modes } };

    it('names of its own namespace, to who may list there', async () => {
      const readable = ['operatorgroups in ns'];
      const answer = await ask({ ...asked, readable });
      expect(answer.decision).to.equal('denied');
      expect(answer.response.status?.message).to.include('OperatorGroup already: mine');
    });

    it('no names to who may not list, and decide all the same', async () => {
      const answer = await ask({ ...asked, readable: [] });
      expect(answer.decision).to.equal('denied');
      expect(answer.response.status?.message)
        .to.include('Any ns/g: its namespace has an OperatorGroup already')
        .and.match(
          /you may not list [a-z.]+, operatorgroups\.operators\.coreos\.com in namespace ns$/,
        )
        .and.include('; ask a cluster administrator to make the same request');
      expect(JSON.stringify(answer)).not.to.include('mine');
    });

    it('no names of other namespaces to who may list only its own', async () => {
      const rival = makeGroup({
        name: 'rival',
        namespace: secret,
        spec: { targetNamespaces: ['ns'] },
        provides: 'Cat.v1.pets',
      });
      const clash: Asked = { ...asked, state: stateOf(aCsv(), rival) };
      const told = await ask({ ...clash, readable: all });
      expect(text(told)).to.include(secret);
      const here = all.map((resource) => `${resource} in ns`);
      const untold = await ask({ ...clash, readable: here });
      expect(untold.response.status?.message).to.include(
        'Any ns/g spec: an OperatorGroup that shares a target namespace provides the same API',
      );
      const count = (answer: typeof told, words: string): number =>
        (answer.response.status?.message ?? '').split(words).length - 1;
      expect(count(untold, 'shares a target namespace'), 'said once').to.equal(1);
      expect(count(untold, 'ask a cluster administrator'), 'said once').to.equal(1);
      expect(count(told, 'hoose targets that share no namespace'), 'said once').to.equal(1);
      expect(text(untold)).not.to.match(/top-secret|rival/);
      expect(untold.decision).to.equal(told.decision);
      expect(untold.decided.map(({ finding }) => finding.rule)).to.deep.equal(
        told.decided.map(({ finding }) => finding.rule),
      );
    });

    it('no names for a creation that nobody vouches for, whoever it says is asking, and decide all the same', async () => {
      const rivals = ['rival', 'second'].map((name) =>
        makeGroup({
          name,
          namespace: secret,
          spec: { targetNamespaces: ['ns'] },
          provides: 'Cat.v1.pets',
        }),
      );
      const clash: Asked = { ...asked, state: stateOf(aCsv(), ...rivals), readable: all };
      const told = await ask(clash);
      const untold = await ask({ ...clash, caller: 'unverified' });
      expect(text(told)).to.match(/top-secret|rival/);
      expect(text(untold)).not.to.match(/top-secret|rival|second/);
      expect(untold.response.status?.message)
        .to.include(
          'No other object is named: nothing shows that the review came from an API server',
        )
        .and.match(
          /^To fix: narrow the targets of one group, or move both operators into one; see the others, if you may list them: kubectl get operatorgroups\.operators\.coreos\.com --all-namespaces --output=custom-columns='NAMESPACE:\S+,NAME:\.metadata\.name,\S+'$/m,
        );
      expect(untold.decision).to.equal(told.decision);
      const rulesOf = ({ decided }: Reviewed): string[] =>
        decided.map(({ finding }) => finding.rule);
      expect(rulesOf(untold)).to.deep.equal(rulesOf(told));
      // Nor how many there are.
      const one: Asked = { ...clash, state: stateOf(aCsv(), ...rivals.slice(0, 1)) };
      expect(text(await ask({ ...one, caller: 'unverified' }))).to.equal(text(untold));
    });

    it('what stands in the object itself, for a creation that nobody vouches for', async () => {
      const answer = await ask({ object: toAll, caller: 'unverified' });
      expect(answer.response.status?.message).to.include('TargetNamespaces cannot contain');
      const several = makeGroup({ spec: { targetNamespaces: ['ns', 'other'] } });
      const { response } = await ask({ object: several, caller: 'unverified' });
      expect(response.warnings?.[0]).to.match(
        /^SeveralTargetNamespaces: several target namespaces/,
      );
    });

    it('nothing to an unauthenticated client, and say so', async () => {
      const answer = await ask({ ...asked, caller: 'unauthenticated' });
      expect(answer.decision).to.equal('unjudged');
      expect(text(answer)).to.include('without the client certificate');
      expect(text(answer)).not.to.include('mine');
    });

    it('nothing to an unauthenticated client, and ask for nobody’s rights where nothing is told', async () => {
      const object = makeObject('CatalogSource', 'g', 'ns', { spec: { sourceType: 'nonsense' } });
      const own: Asked = { object, resource: 'catalogsources', caller: 'unauthenticated' };
      const [all, none] = [
        await ask({ ...own, readable: ['x'] }),
        await ask({ ...own, readable: [] }),
      ];
      expect(text(all)).to.equal(text(none)).and.include('CatalogSourceSpecInvalid');
      const asksFor: string[] = [];
      await ask({ ...own, readable: { includes: (what: string) => asksFor.push(what) > 0 } });
      expect(asksFor).to.deep.equal([]);
    });

    it('nothing to an unauthenticated client, who is denied where policy denies what cannot be judged', async () => {
      const policy = { unjudged: 'deny' as const };
      expect((await ask({ ...asked, caller: 'unauthenticated', policy })).decision).to.equal(
        'unjudged',
      );
    });

    it('nothing to who shows an object that the cluster has not', async () => {
      const update: Asked = {
        ...asked,
        resource: 'operatorgroups',
        object: elsewhere,
        oldObject: makeGroup(),
        state: stateOf(makeGroup(), ownOnly),
      };
      const answer = await ask({ ...update, caller: 'unverified' });
      expect(text(answer)).to.include('not the one in the cluster');
      expect(text(answer)).not.to.include('cats.v1');
      const live = {
        ...makeGroup(),
        metadata: { name: 'g', namespace: 'ns', uid: 'u', resourceVersion: '1' },
      };
      const shown = { oldObject: live, state: stateOf(live, ownOnly), readable: all };
      const told = await ask({ ...update, ...shown, caller: 'unverified' });
      expect(told.response.status?.message).to.include('cats.v1');
    });
  });

  describe('that nobody can read are denied:', () => {
    const rows: readonly [string, Asked][] = [
      ['an UPDATE without oldObject', { object: makeGroup(), operation: 'UPDATE' }],
      ['a DELETE without oldObject', { operation: 'DELETE' }],
      ['a CREATE without object', {}],
    ];
    for (const [name, asked] of rows) {
      it(name, async () => {
        const { decision, response } = await ask(asked);
        expect(decision).to.equal('denied');
        expect(response.status?.message).to.match(/bject: is missing from the review/);
      });
    }
  });

  describe('that cannot be judged are decided by policy:', () => {
    const rows: readonly [string, Asked][] = [
      ['groups that may not be read', { object: makeGroup(), state: without('OperatorGroup') }],
      [
        'bindings that may not be read',
        {
          resource: 'clusterserviceversions',
          object: withPermission,
          state: without('RoleBinding', stateOf(makeGroup()), {
            get: () => Promise.resolve(makeObject('ServiceAccount', 'cats', 'ns')),
            list: () => Promise.resolve([]),
          }),
        },
      ],
      [
        'one kind of objects that may not be read',
        {
          object: makeGroup({ spec: { targetNamespaces: ['ns'], serviceAccountName: 'sa' } }),
          state: withCluster(stateOf(), {
            get: () => Promise.reject(new ClusterError('is forbidden', 403)),
            list: () => Promise.resolve([]),
          }),
        },
      ],
      [
        'a cluster that stops answering',
        {
          object: makeGroup({ spec: { targetNamespaces: ['ns'], serviceAccountName: 'sa' } }),
          state: withCluster(stateOf(), failing),
        },
      ],
    ];
    for (const [name, asked] of rows) {
      it(name, async () => {
        const lenient = await ask(asked);
        expect(lenient.response.allowed).to.equal(true);
        expect(lenient.response.warnings).not.to.equal(undefined);
        const strict = await ask({ ...asked, policy: { unjudged: 'deny' } });
        // Counted alike, so that an observer sees what would be denied.
        for (const each of [lenient, strict]) {
          expect(each).to.include({ decision: 'unjudged', unjudged: strict.unjudged });
        }
        expect(strict.unjudged).to.match(/missing|may not be read|cannot be read/);
        expect(strict.response.allowed).to.equal(false);
        expect(strict.response.status?.message).to.match(/missing|may not be read|cannot be read/);
      });
    }
  });

  describe('go on when', () => {
    const rows: readonly [string, Asked, Reviewed['decision'], RegExp][] = [
      [
        'a target namespace is deleted meanwhile',
        {
          object: makeGroup({ spec: { targetNamespaces: ['ns', 'gone'] } }),
          state: withCluster(stateOf(), {
            get: () => Promise.resolve(undefined),
            list: () => Promise.resolve([]),
          }),
        },
        'warned',
        /TargetNamespaceMissing: target namespaces do not exist: ns, gone/,
      ],
      [
        'a group has no status yet: its spec counts',
        {
          resource: 'clusterserviceversions',
          object: ownOnly,
          state: stateOf({ ...elsewhere, status: {} }),
        },
        'denied',
        /UnsupportedOperatorGroup/,
      ],
      [
        'a member has no status yet: it counts as active',
        {
          object: elsewhere,
          oldObject: makeGroup(),
          state: stateOf(makeGroup(), { ...ownOnly, status: {} }),
        },
        'denied',
        /UnsupportedMembers/,
      ],
      [
        'a member is in a phase that nobody knows: it counts as active',
        {
          object: elsewhere,
          oldObject: makeGroup(),
          state: stateOf(makeGroup(), { ...ownOnly, status: { phase: 'Levitating' } }),
        },
        'denied',
        /UnsupportedMembers/,
      ],
      [
        'a catalog is in a state that nobody knows: it counts as not READY',
        {
          resource: 'subscriptions',
          object: makeObject('Subscription', 's', 'ns', { spec: { name: 'cats' } }),
          state: stateOf(
            makeGroup(),
            makeObject('CatalogSource', 'c', 'ns', {
              status: { connectionState: { lastObservedState: 'DREAMING' } },
            }),
          ),
        },
        'warned',
        /CatalogSourcesUnhealthy: catalog ns\/c is DREAMING/,
      ],
      [
        'an annotation is malformed',
        { object: makeGroup({ provides: 'Cat,,.,Dog.v1' }) },
        'warned',
        /UnreadableProvidedAPIs/,
      ],
    ];
    for (const [name, asked, decision, reason] of rows) {
      it(name, async () => {
        const { response, ...reviewed } = await ask(asked);
        expect(reviewed.decision).to.equal(decision);
        const said = [response.status?.message ?? '', ...(response.warnings ?? [])].join('\n');
        expect(said).to.match(reason);
      });
    }
  });

  it('survive objects of any shape', async () => {
    const shapes: JsonObject[] = [
      {},
      { metadata: null, spec: null, status: null },
      { metadata: { annotations: { 'olm.providedAPIs': 5 } }, spec: { targetNamespaces: 'x' } },
      { spec: { installModes: [null, 1, 'x'], selector: [] }, status: { phase: 'NoSuchPhase' } },
      {
        spec: { approved: true },
        status: { plan: [{ resource: { kind: 'CustomResourceDefinition', manifest: '{' } }, null] },
      },
    ];
    for (const resource of [
      'operatorgroups',
      'clusterserviceversions',
      'subscriptions',
      'installplans',
      'catalogsources',
    ]) {
      for (const object of shapes) {
        const { failure } = await ask({ resource, object, state: stateOf(makeGroup(), aCsv()) });
        expect(failure).to.equal(undefined);
      }
    }
  });
});

/** The state as a live one that asks this cluster. */
function withCluster(state: FolderState, cluster: ClusterView): OlmState {
  return {
    view: state.view,
    consumers: state.consumers,
    cluster,
    askedLive: new Set(['CustomResourceDefinition', 'ServiceAccount', 'Namespace'] as const),
    knownCatalogs: null,
    globalCatalogNamespace: 'olm',
    kubernetesVersion: null,
    objects: (kind) => state.objects(kind),
    count: (kind) => state.count(kind),
    kindStates: () => [],
    unknown: () => undefined,
    onChange: (listener) => state.onChange(listener),
    close: () => state.close(),
  };
}

/** A live state that has no right to read one kind. */
function without(kind: string, state = stateOf(), cluster = failing): OlmState {
  return {
    ...withCluster(state, cluster),
    unknown: (asked) => (asked === kind ? `${kind} objects may not be read` : undefined),
  };
}

describe('an InstallPlan of many bundles', () => {
  const bundle = (index: number): JsonObject => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: `bundle${index}`, namespace: 'ns' },
    data: { csv: `kind: ClusterServiceVersion\nmetadata: { name: cats.v${index} }\n` },
  });
  /** Its approval, with a step in each of so many bundles. */
  function approve(
    count: number,
    judge?: HeavyJudge,
    more: Pick<Asked, 'state' | 'signal' | 'policy' | 'user'> = {},
  ): Promise<Reviewed> {
    const at = { catalogSourceName: 'catalog', catalogSourceNamespace: 'ns', namespace: 'ns' };
    const bundles = Array.from({ length: count }, (_, index) => index);
    const plan = bundles.map((index) => ({
      status: 'Unknown',
      resource: {
        ...{ kind: 'ClusterServiceVersion', name: `cats.v${index}` },
        manifest: JSON.stringify({ kind: 'ConfigMap', name: `bundle${index}`, ...at }),
      },
    }));
    const metadata = { name: 'g', namespace: 'ns' };
    const written = (approved: boolean): JsonObject => ({
      ...{ kind: 'InstallPlan', metadata, spec: { approved }, status: { plan } },
    });
    return ask({
      ...{ resource: 'installplans', object: written(true), oldObject: written(false) },
      state: stateOf(makeGroup({}), ...bundles.map(bundle)),
      judge,
      ...more,
    });
  }
  const busy = (): Promise<never> => Promise.reject(new UnfinishedError('full', 'busy'));

  it('is read as far as plans go, and denied past that', async () => {
    const tooLarge = async (count: number): Promise<string[]> =>
      (await approve(count)).decided
        .filter(({ finding }) => finding.rule === 'InstallPlanBundleTooLarge')
        .map(({ finding, disposition }) => `${disposition}: ${finding.message}`);
    expect(await tooLarge(50)).to.deep.equal([]);
    expect(await tooLarge(51)).to.deep.equal([
      'denied: ClusterServiceVersion cats.v50 cannot be checked: a review reads no more than 50 bundles',
    ]);
  });

  it('is unjudged when others are in the way, and asks for no second bundle', async () => {
    let asked = 0;
    const { response } = await approve(5, () => {
      asked++;
      return busy();
    });
    expect([response.allowed, asked]).to.deep.equal([true, 1]);
    expect(response.warnings?.join()).to.include('ConfigMap ns/bundle0 was not read: full');
  });

  it('is denied when time runs out on its own bundles, whoever is in the way by then', async () => {
    let asked = 0;
    const { response } = await approve(5, (...args) => (asked++ < 2 ? judgeHere(...args) : busy()));
    expect(response.allowed).to.equal(false);
    expect(response.status?.message).to.include('ConfigMap ns/bundle2 was not read: full');
    expect(asked).to.equal(3);
  });

  it('is denied when its time ends before a ConfigMap is read, whoever was slow', async () => {
    const live = {
      ...withCluster(stateOf(makeGroup({})), failing),
      askedLive: new Set(['ConfigMap'] as const),
    };
    const state: OlmState = live;
    const late = await approve(1, undefined, { state, signal: AbortSignal.abort() });
    expect(late.response.allowed).to.equal(false);
    expect(late.response.status?.message).to.include('ConfigMap ns/bundle0 was not read in time');
    const early = await approve(1, undefined, { state });
    expect(early.response.allowed).to.equal(true);
    expect(early.response.warnings?.join()).to.include('InstallPlanUnchecked');
  });

  it('is denied with a step that could not be read, where policy denies what cannot be judged', async () => {
    const missing = { state: stateOf(makeGroup({})) };
    const unjudged = (more: Partial<Policy> = {}): Pick<Asked, 'state' | 'policy'> => ({
      ...missing,
      policy: { unjudged: 'deny', ...more },
    });
    const { response } = await approve(1, undefined, unjudged());
    expect(response.allowed).to.equal(false);
    expect(response.status?.message).to.match(
      /^To fix: let olm-guard read[^]*\nInstallPlanUnchecked: .*ConfigMap ns\/bundle0/m,
    );
    const accepted = { modes: new Map([['InstallPlanUnchecked', 'warn' as const]]) };
    for (const allowed of [
      await approve(1, undefined, unjudged(accepted)),
      await approve(1, undefined, { ...unjudged(), user: olmUser }),
    ]) {
      expect(allowed.response.allowed, allowed.response.status?.message).to.equal(true);
    }
    const { decided } = await approve(1, undefined, { policy: { unjudged: 'deny' } });
    expect(decided.map(({ finding }) => finding.rule)).to.not.include('InstallPlanUnchecked');
  });
});
