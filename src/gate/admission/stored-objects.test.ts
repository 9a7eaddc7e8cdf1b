/** The gate's answers about stored objects, over a view and a judge of the test's own. */
import { expect } from 'chai';
import type { Connection } from '../../cluster/view/connection.js';
import { LiveCluster } from '../../cluster/view/live.js';
import { ClusterError, type ClusterView } from '../../cluster/view/view.js';
import { exampleOfSpec } from '../../upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../rule/finding.js';
import { annotated } from '../../policy/testing/annotated.js';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import type { AdmissionRequest } from './admission-review.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { review } from './review.js';
import { UnfinishedError, type HeavyJudge, type Reviewer } from './reviewer.js';
import type { Caller } from './disclosure.js';
import { withStoredObjects } from './stored-objects.js';
import { StoredScans } from './stored-scan.js';
import { judgeHere } from './testing/judge-here.js';

function definition(size: JsonObject): JsonObject {
  return {
    ...exampleOfSpec({ type: 'object', properties: { size } }),
    metadata: { name: 'widgets.example.com', uid: 'u1' },
    status: { storedVersions: ['v1'] },
  };
}

const widgets = (sizes: readonly number[]): JsonObject[] =>
  sizes.map((size, index) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: `w${index}`, namespace: 'ns1', resourceVersion: '7' },
    spec: { size },
  }));

const small = definition({ type: 'integer' });
const atLeast5 = definition({ type: 'integer', minimum: 5 });

const view = (list: ClusterView['list']): ClusterView => ({
  get: () => Promise.resolve(undefined),
  list,
});
const holding = (objects: JsonObject[]): ClusterView => view(() => Promise.resolve(objects));

const request = (more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  uid: 'r1',
  userInfo: { username: 'alice' },
  kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  resource: {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
  },
  name: 'widgets.example.com',
  operation: 'UPDATE',
  oldObject: small,
  object: atLeast5,
  ...more,
});

interface Asked {
  readonly cluster: ClusterView;
  readonly policy?: Partial<Policy>;
  readonly reviewer?: Reviewer;
  readonly more?: Partial<AdmissionRequest>;
  readonly judge?: HeavyJudge;
  readonly caller?: Caller;
  readonly isHurried?: boolean;
}

async function ask({ cluster, policy = {}, reviewer, more = {}, ...rest }: Asked) {
  const { response, decided } = await review(
    request(more),
    [reviewer ?? withStoredObjects(customResourceDefinitionReviewer)],
    {
      judge: rest.judge ?? judgeHere,
      view: cluster,
      caller: rest.caller ?? 'api-server',
      isHurried: rest.isHurried ?? false,
      now: new Date(0),
      policy: { ...defaultPolicy, ...policy },
    },
  );
  const ours: Finding[] = decided
    .filter(({ finding }) => finding.family === 'stored-objects')
    .map(({ finding }) => finding);
  return { response, ours, decided };
}

const terminating = (finalizers: readonly string[], more: JsonObject = {}): JsonObject => ({
  ...small,
  ...more,
  metadata: {
    name: 'widgets.example.com',
    uid: 'u1',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: [...finalizers],
  },
});
const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
const hold = 'example.com/hold';

describe('a definition that is being deleted', () => {
  const policy = { modes: new Map([['StoredObjectsDeleted', 'deny' as const]]) };
  const free = async (
    before: readonly string[],
    after: readonly string[],
    { objects = 1, ...more }: Partial<AdmissionRequest> & { objects?: number } = {},
  ) =>
    ask({
      cluster: holding(widgets(Array.from({ length: objects }, () => 9))),
      policy,
      more: { oldObject: terminating(before), object: terminating(after), ...more },
    });

  it('keeps its last finalizer while it has objects, whichever way it is removed', async () => {
    for (const more of [{}, { subResource: 'status' }]) {
      const { response } = await free([hold], [], more);
      expect(response.allowed).to.equal(false);
      expect(response.status?.message).to.include(
        'deleting widgets.example.com deletes 1 stored Widget with it',
      );
    }
    expect((await free([hold, cleanup], [])).response.allowed).to.equal(false);
  });

  it('lets controllers remove their finalizers, and the API server its own', async () => {
    const apiServer = { userInfo: { username: 'system:apiserver' } };
    for (const freed of [
      free([hold], [], { objects: 0 }),
      free([hold, 'example.com/other'], [hold]),
      free([hold, cleanup], [cleanup]),
      free([cleanup, hold], [hold], { ...apiServer, subResource: 'status' }),
      free([cleanup], [], { ...apiServer, subResource: 'status' }),
    ]) {
      const { response } = await freed;
      expect(response, JSON.stringify(response)).to.deep.equal({ uid: 'r1', allowed: true });
    }
  });

  it('is told to stay when it is deleted with finalizers that are not of Kubernetes', async () => {
    const deletion = (finalizers: readonly string[]) =>
      free([], [], {
        objects: 0,
        operation: 'DELETE',
        object: null,
        oldObject: {
          ...small,
          metadata: { name: 'widgets.example.com', finalizers: [...finalizers] },
        },
      });
    expect((await deletion([cleanup, hold])).response.warnings).to.deep.equal([
      'DeletionPending: widgets.example.com stays and is served until its finalizer example.com/hold is removed; objects created meanwhile are lost with it',
    ]);
    expect((await deletion([cleanup])).response.warnings).to.equal(undefined);
    expect((await deletion(['foregroundDeletion'])).response.warnings?.join()).to.include(
      'until its finalizer foregroundDeletion is removed',
    );
  });
});

describe('a version that objects may be stored in', () => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [
    { name: 'v1', served: true, storage: true, schema },
    { name: 'v1beta1', served: true, storage: false, schema },
  ];
  const written = '2026-02-01T00:00:00Z';
  const statusOf = (manager: string): JsonObject => ({
    manager,
    subresource: 'status',
    time: written,
    fieldsV1: { 'f:status': { 'f:storedVersions': {} } },
  });
  const of = (count: number, storedVersions: string[], writer?: string): JsonObject => ({
    ...small,
    metadata: {
      name: 'widgets.example.com',
      uid: 'u1',
      generation: 3,
      managedFields: [
        { manager: 'm', time: written },
        ...(writer === undefined ? [] : [statusOf(writer)]),
      ],
    },
    spec: { ...(small['spec'] as JsonObject), versions: versions.slice(0, count) },
    status: { storedVersions },
  });
  const migration = (type: string, creationTimestamp: string): JsonObject => ({
    metadata: { name: 'svm', creationTimestamp },
    spec: { resource: { group: 'example.com', resource: 'widgets' } },
    status: { conditions: [{ type, status: 'True' }] },
  });
  const record = (generation: number, leaving = 'v1beta1'): JsonObject => ({
    data: {
      'widgets.example.com': JSON.stringify({ uid: 'u1', generation, versions: [leaving] }),
    },
  });
  const change = async (
    what: 'drop' | 'trim',
    {
      objects = 1,
      migrations = [],
      map,
      unjudged = 'allow',
      old = of(2, ['v1'], 'kubectl-edit'),
    }: {
      objects?: number;
      old?: JsonObject;
      migrations?: JsonObject[];
      map?: JsonObject;
      unjudged?: Policy['unjudged'];
    } = {},
  ) => {
    const cluster: ClusterView = {
      get: ({ resource }) => Promise.resolve(resource === 'configmaps' ? map : undefined),
      list: ({ resource }) =>
        Promise.resolve(
          resource === 'storageversionmigrations'
            ? migrations
            : widgets(Array.from({ length: objects }, () => 9)),
        ),
    };
    const more: Partial<AdmissionRequest> =
      what === 'drop'
        ? { oldObject: old, object: of(1, ['v1']) }
        : {
            subResource: 'status',
            oldObject: of(2, ['v1beta1', 'v1']),
            object: of(2, ['v1']),
          };
    const { ours, response } = await ask({ cluster, more, policy: { unjudged } });
    const unproven = ours.filter(({ rule }) => rule === 'StoredVersionUnproven');
    return { allowed: response.allowed, message: unproven[0]?.message };
  };

  it('is told when nothing shows that none is, and kept where policy denies what is not judged', async () => {
    const warned = await change('drop');
    expect(warned.allowed).to.equal(true);
    expect(warned.message).to.match(
      /nothing shows that none of 1 stored Widget is stored in it \(status\.storedVersions was written by kubectl-edit; .*migrate run widgets\.example\.com --leaving v1beta1$/,
    );
    expect((await change('drop', { unjudged: 'deny' })).allowed).to.equal(false);
    const trimmed = await change('trim', { unjudged: 'deny' });
    expect(trimmed.allowed).to.equal(true);
    expect(trimmed.message).to.match(/^v1beta1 is taken out of status\.storedVersions/);
  });

  it('goes silently when only API servers wrote status.storedVersions, which never named it', async () => {
    const untouched = await change('drop', { old: of(2, ['v1']), unjudged: 'deny' });
    expect(untouched).to.deep.equal({ allowed: true, message: undefined });
    const cleared = { ...of(2, ['v1']), metadata: { name: 'widgets.example.com', uid: 'u1' } };
    expect((await change('drop', { old: cleared, unjudged: 'deny' })).allowed).to.equal(false);
  });

  it('is not believed to be migrated by what failed or came before', async () => {
    for (const unproven of [
      { migrations: [migration('Failed', '2026-03-01T00:00:00Z')] },
      { migrations: [migration('Succeeded', '2026-01-01T00:00:00Z')] },
      { map: record(2) },
      { map: record(3, 'v1alpha1') },
      { map: { data: { 'widgets.example.com': '{' } } },
    ]) {
      expect((await change('drop', { ...unproven, unjudged: 'deny' })).allowed).to.equal(false);
    }
  });

  it('goes silently once it is shown to be migrated', async () => {
    for (const shown of [
      { objects: 0 },
      { migrations: [migration('Succeeded', '2026-03-01T00:00:00Z')] },
      { map: record(3) },
    ]) {
      for (const what of ['drop', 'trim'] as const) {
        const { allowed, message } = await change(what, { ...shown, unjudged: 'deny' });
        expect({ allowed, message }).to.deep.equal({ allowed: true, message: undefined });
      }
    }
  });
});

describe('stored objects at the gate', () => {
  it('names who breaks in the denial, beside what the profile says', async () => {
    const { response, ours } = await ask({ cluster: holding(widgets([9, 1, 2])) });
    expect(ours.map(({ rule }) => rule)).to.deep.equal(['StoredObjectsRefused']);
    expect(response.status?.message)
      .to.include(
        '2 of 3 stored Widgets would be refused: ns1/w1 spec.size: Invalid value: spec.size in body should be greater than or equal to 5; ns1/w2 spec.size: Invalid value. ',
      )
      .and.to.include('minimum');
  });

  it('says that none is stored, where it may list them', async () => {
    const { response } = await ask({ cluster: holding([]) });
    expect(response.allowed).to.equal(false);
    expect(response.status?.message).to.include('no Widget is stored on this cluster');
    const refusing = view(() => Promise.reject(new ClusterError('forbidden', 403)));
    const { response: unseen } = await ask({ cluster: refusing });
    expect(unseen.status?.message).to.not.include('is stored on this cluster');
  });

  it('does not say so of many objects that a proof shows to be safe', async () => {
    const enumeration = { type: 'integer', enum: [6, 7] };
    const [oldObject, object] = [enumeration, { ...enumeration, minimum: 5 }].map(definition);
    const change = { oldObject: oldObject ?? null, object: object ?? null };
    for (const [count, isSaid] of [
      [0, true],
      [501, false],
    ] as const) {
      const cluster = holding(widgets(Array.from({ length: count }, () => 6)));
      const policy = { enforce: 'all' as const };
      const { response } = await ask({ cluster, policy, more: change });
      expect(response.allowed).to.equal(false);
      const isFound = response.status?.message?.includes('no Widget is stored on this cluster');
      expect(isFound, String(count)).to.equal(isSaid);
    }
  });

  it('says who breaks and where in one sentence, without a value', async () => {
    const kept = widgets(Array.from({ length: 1201 }, () => 5));
    const broken = ['ns1/a', 'ns1/b', 'ns2/c'].map((key): JsonObject => {
      const [namespace = '', name = ''] = key.split('/');
      const metadata = { name, namespace, resourceVersion: '7' };
      return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { colour: 'secret' } };
    });
    const colour = { type: 'string' };
    const [old, next] = [[], ['size']].map((required) => {
      const whole = definition({ type: 'integer' });
      const [version] = (whole.spec as { versions: { schema: JsonObject }[] }).versions;
      const properties = { size: { type: 'integer' }, colour };
      const spec = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
      if (version !== undefined) {
        version.schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      }
      return whole;
    });
    const { response } = await ask({
      cluster: holding([...kept, ...broken]),
      more: { oldObject: old ?? null, object: next ?? null },
    });
    expect(response.status?.message?.split('\n').at(-2)).to.equal(
      '3 of 1,204 stored Widgets would be refused: ns1/a spec.size: Required value; ns1/b spec.size: Required value; ns2/c spec.size: Required value. ' +
        'Creating such an object, or restoring it from a backup, fails; all of them can still be updated as long as the refused fields stay as they are (Kubernetes 1.30 and later)',
    );
    expect(response.status?.message).not.to.include('secret');
  });

  it('blames no object for a rule that the API server compiled and we cannot', async () => {
    const ruled = definition({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'ofNewerServers(self)' }],
    });
    const { ours } = await ask({ cluster: holding(widgets([1, 2])), more: { object: ruled } });
    expect(ours.map(({ rule, severity }) => `${severity} ${rule}`)).to.deep.equal([
      'warning StoredObjectsUnchecked',
    ]);
  });

  it('says nothing when every object stays acceptable', async () => {
    expect((await ask({ cluster: holding(widgets([5, 6])) })).ours).to.deep.equal([]);
  });

  it('does not list anything for a change of words', async () => {
    const described = definition({ type: 'integer', description: 'how large' });
    const cluster = view(() => Promise.reject(new Error('was asked')));
    expect((await ask({ cluster, more: { object: described } })).ours).to.deep.equal([]);
  });

  it('tells of a right that is missing only where objects may come to harm', async () => {
    const forbidden = view(() => Promise.reject(new ClusterError('no', 403)));
    const of = async (size: JsonObject, policy: Partial<Policy> = {}): Promise<string[]> => {
      const { ours } = await ask({
        cluster: forbidden,
        policy,
        more: { object: definition(size) },
      });
      return ours.map(({ id = '' }) => id);
    };
    expect(await of({ type: 'integer', minimum: 5 })).to.deep.equal(['noRight']);
    expect(await of({ type: 'integer', nullable: true })).to.deep.equal([]);
    // Without a proof, nothing shows that no object is harmed.
    expect(await of({ type: 'integer', nullable: true }, { enforce: 'all' })).to.deep.equal([
      'noRight',
    ]);
  });

  const failures: [name: string, error: Error, sentence: RegExp, effect: string | undefined][] = [
    [
      'a right that was not given: said once, undenied',
      new ClusterError('forbidden', 403),
      /^not checked: no right to list widgets\.example\.com$/,
      undefined,
    ],
    [
      'a conversion webhook that is down',
      new ClusterError('conversion webhook for example.com/v1 failed', 500),
      /not checked: v1: conversion webhook for example\.com\/v1 failed/,
      'undecided',
    ],
    [
      'a kind that is gone',
      new ClusterError('not found', 404),
      /not checked: v1: not found/,
      'undecided',
    ],
    ['a fault of our own', new TypeError('oops'), /not checked: oops/, 'undecided'],
  ];
  for (const [name, error, sentence, effect] of failures) {
    it(`says what was not checked: ${name}`, async () => {
      const { ours } = await ask({ cluster: view(() => Promise.reject(error)) });
      expect(ours.map(({ message }) => message)).to.have.length(1);
      expect(ours[0]?.message).to.match(sentence);
      expect(ours[0]?.effect).to.equal(effect);
    });
  }

  it('goes on past the budget, and the next attempt gets the answer', async () => {
    let release: ((objects: JsonObject[]) => void) | undefined;
    let lists = 0;
    const slow = view(() => {
      lists++;
      return new Promise((resolve) => (release = resolve));
    });
    const reviewer = withStoredObjects(customResourceDefinitionReviewer);
    const policy = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 0.01 } };
    const first = await ask({ cluster: slow, policy, reviewer });
    expect(first.ours[0]?.message).to.include('the next attempt gets its answer');
    release?.(widgets([1]));
    const patient = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 20 } };
    const second = await ask({ cluster: slow, policy: patient, reviewer });
    expect(second.ours[0]?.message).to.include('1 of 1 stored Widget would be refused');
    expect(lists).to.equal(1);
  });

  it('believes a finished scan ten times as long as it took: whoever mends objects tries again', async () => {
    let now = 0;
    const reviewer = withStoredObjects(
      customResourceDefinitionReviewer,
      new StoredScans(() => now),
    );
    let sizes = [1];
    const cluster = view(() => {
      now += 100;
      return Promise.resolve(widgets(sizes));
    });
    expect((await ask({ cluster, reviewer })).ours).to.have.length(1);
    sizes = [5];
    now = 1_000;
    expect((await ask({ cluster, reviewer })).ours).to.have.length(1);
    now = 1_200;
    expect((await ask({ cluster, reviewer })).ours).to.have.length(0);
  });

  it('keeps what came too late for an attempt for a minute', async () => {
    let now = 0;
    const reviewer = withStoredObjects(
      customResourceDefinitionReviewer,
      new StoredScans(() => now),
    );
    let release: ((objects: JsonObject[]) => void) | undefined;
    let lists = 0;
    const cluster = view(() => {
      lists++;
      return new Promise((resolve) => (release = resolve));
    });
    const policy = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 0.01 } };
    const patient = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 20 } };
    await ask({ cluster, policy, reviewer });
    release?.(widgets([1]));
    expect((await ask({ cluster, policy: patient, reviewer })).ours).to.have.length(1);
    now = 59_000;
    expect((await ask({ cluster, policy, reviewer })).ours[0]?.message).to.include(
      'would be refused',
    );
    expect(lists).to.equal(1);
    now = 61_000;
    await ask({ cluster, policy, reviewer });
    expect(lists).to.equal(2);
  });

  it('believes no scan that nobody had the time for', async () => {
    const reviewer = withStoredObjects(customResourceDefinitionReviewer, new StoredScans());
    const cluster = holding(widgets([1]));
    const busy = (): Promise<never> => Promise.reject(new UnfinishedError('full', 'busy'));
    const blind = await ask({ cluster, reviewer, judge: busy });
    expect(blind.ours[0]?.message).to.include('not checked');
    const seen = await ask({ cluster, reviewer });
    expect(seen.ours[0]?.message).to.include('1 of 1 stored Widget would be refused');
  });

  it('begins no scan in a hurry, and believes one that is done', async () => {
    const reviewer = withStoredObjects(customResourceDefinitionReviewer, new StoredScans(() => 0));
    const cluster = holding(widgets([1]));
    const hurried = { cluster, reviewer, isHurried: true };
    expect((await ask(hurried)).ours[0]?.message).to.include('too much else is under way');
    await ask({ cluster, reviewer });
    expect((await ask(hurried)).ours[0]?.message).to.include(
      '1 of 1 stored Widget would be refused',
    );
  });

  it('is switched off by a budget of 0', async () => {
    const policy = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 0 } };
    const cluster = view(() => Promise.reject(new Error('was asked')));
    expect((await ask({ cluster, policy })).ours).to.deep.equal([]);
  });

  describe('a deletion', () => {
    const more = { operation: 'DELETE', object: null } as const;

    it('is counted within any number of seconds, also one that timers do not take', async () => {
      for (const storedObjectsSeconds of [2.01, 1e9]) {
        const policy = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds } };
        const { response } = await ask({ cluster: holding(widgets([1])), policy, more });
        expect(response.warnings?.join()).to.include('deletes 1 stored Widget with it');
      }
    });

    it('is a warning with the number of objects', async () => {
      const { response } = await ask({ cluster: holding(widgets([1, 2])), more });
      expect(response.allowed).to.equal(true);
      expect(response.warnings?.join()).to.include(
        'deleting widgets.example.com deletes 2 stored Widgets with it',
      );
    });

    it('is denied where the policy names the rule, unless switched off on the definition', async () => {
      const policy = { modes: new Map([['StoredObjectsDeleted', 'deny' as const]]) };
      const cluster = holding(widgets([1]));
      const denied = await ask({ cluster, policy, more });
      expect(denied.response.allowed).to.equal(false);
      expect(denied.response.status?.message).to.include('deletes 1 stored Widget with it');
      const annotations = { 'olm-guard.io/disable': 'stored-objects' };
      const metadata = { name: 'widgets.example.com', annotations };
      const off = await ask({
        cluster,
        policy,
        more: { ...more, oldObject: annotated({ ...small, metadata }) },
      });
      expect(off.response.allowed).to.equal(true);
    });

    it('of many objects reads one of them to the end', async () => {
      const signals: AbortSignal[] = [];
      const list = { metadata: { continue: 'more', remainingItemCount: 8 }, items: widgets([1]) };
      const connection = {
        read({ path, signal }: { path: string; signal: AbortSignal }) {
          if (path.includes('subjectaccessreviews')) {
            return Promise.resolve(Buffer.from(JSON.stringify({ status: { allowed: true } })));
          }
          signals.push(signal);
          return Promise.resolve(Buffer.from(JSON.stringify(list)));
        },
      };
      const cluster = new LiveCluster(connection as unknown as Connection);
      const { response } = await ask({ cluster, more });
      expect(response.warnings?.join()).to.include('deletes 9 stored Widgets with it');
      expect(signals.slice(1).every(({ aborted }) => aborted)).to.equal(true);
    });

    it('of a definition without objects passes without a word', async () => {
      const { response } = await ask({ cluster: holding([]), more });
      expect(response).to.deep.equal({ uid: 'r1', allowed: true });
    });
  });

  describe('of which nothing is told', () => {
    const live = {
      ...small,
      metadata: { name: 'widgets.example.com', uid: 'u1', resourceVersion: '7' },
    };
    const shown = { oldObject: live };
    const deleted = { operation: 'DELETE' as const, object: null };

    interface Cluster {
      readonly objects: readonly number[];
      readonly may?: boolean | Error;
      readonly stored?: JsonObject;
    }

    function cluster({ objects, may = true, stored = live }: Cluster): ClusterView {
      return {
        get: ({ resource }) =>
          Promise.resolve(resource === 'customresourcedefinitions' ? stored : undefined),
        list: () => Promise.resolve(widgets(objects)),
        mayList: () => (may instanceof Error ? Promise.reject(may) : Promise.resolve(may)),
      };
    }

    const harmed = [9, 1, 2];
    const unharmed = [9, 9];

    it('to who shows the stored definition and may list the objects: everything', async () => {
      const { ours } = await ask({
        caller: 'unverified',
        cluster: cluster({ objects: harmed }),
        more: shown,
      });
      expect(ours.map(({ rule }) => rule)).to.deep.equal(['StoredObjectsRefused']);
      expect(ours[0]?.message).to.include('2 of 3 stored Widgets would be refused: ns1/w1');
    });

    const noRight = new ClusterError('subjectaccessreviews is forbidden', 403);
    const rows: readonly (readonly [
      name: string,
      asked: Partial<Asked> & { readonly of: Omit<Cluster, 'objects'> },
      why: RegExp,
    ])[] = [
      [
        'to an unauthenticated client',
        { caller: 'unauthenticated', more: shown, of: {} },
        /without the client certificate of an API server/,
      ],
      [
        'to who shows a definition without uid',
        { caller: 'unverified', of: {} },
        /not the one in the cluster/,
      ],
      [
        'to who shows another version of it',
        {
          caller: 'unverified',
          more: shown,
          of: { stored: { ...live, metadata: { ...live.metadata, resourceVersion: '8' } } },
        },
        /not the one in the cluster/,
      ],
      [
        'to who shows another spec, of another version of the API',
        {
          caller: 'unverified',
          more: { oldObject: { ...definition({ type: 'number' }), metadata: live.metadata } },
          of: { stored: { ...live, apiVersion: 'apiextensions.k8s.io/v1beta1' } },
        },
        /not the one in the cluster/,
      ],
      [
        'to who shows another spec under its uid and version',
        {
          caller: 'unverified',
          more: { oldObject: { ...definition({ type: 'number' }), metadata: live.metadata } },
          of: {},
        },
        /not the one in the cluster/,
      ],
      [
        'where nothing has an uid',
        { caller: 'unverified', of: { stored: small } },
        /not the one in the cluster/,
      ],
      [
        'to who may not list the objects',
        { caller: 'unverified', more: shown, of: { may: false } },
        /alice may not list widgets\.example\.com/,
      ],
      [
        'to nobody in particular',
        { caller: 'unverified', more: { ...shown, userInfo: {} }, of: {} },
        /nobody may not list widgets\.example\.com/,
      ],
      [
        'where nobody knows what the requester may list',
        { caller: 'unverified', more: shown, of: { may: noRight } },
        /nobody knows what alice may read: subjectaccessreviews is forbidden/,
      ],
    ];
    for (const [name, { of, ...asked }, why] of rows) {
      for (const [operation, more] of [
        ['update', {}],
        ['deletion', deleted],
      ] as const) {
        it(`${name}, in the review of ${operation}: not even whether there are any`, async () => {
          const answers = await Promise.all(
            [harmed, unharmed, []].map((objects) =>
              ask({
                ...asked,
                cluster: cluster({ objects, ...of }),
                more: { ...asked.more, ...more },
              }),
            ),
          );
          const [first, ...others] = answers.map(({ response }) => JSON.stringify(response));
          expect(first)
            .to.match(why)
            .and.not.match(/\b[23]\b of|\bw1\b|[123] stored/);
          for (const other of others) expect(other).to.equal(first);
        });
      }
    }

    it('in its words, by the API server to who may not list the objects: it decides, unnamed', async () => {
      const view = cluster({ objects: harmed, may: false });
      const { response } = await ask({ cluster: view, more: shown });
      expect(response.allowed).to.equal(false);
      expect(response.status?.message?.split('\n').at(-2)).to.equal(
        'stored Widgets would be refused; which and how many is for those who may list widgets.example.com',
      );
      const gone = await ask({ cluster: view, more: { ...shown, ...deleted } });
      expect(gone.response.warnings).to.deep.equal([
        'StoredObjectsDeleted: deleting widgets.example.com deletes stored Widgets with it',
      ]);
    });

    it('names who still writes in a version that goes, to whoever may list the objects only', async () => {
      const schema = { openAPIV3Schema: { type: 'object' } };
      const versions = [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v1beta1', served: true, storage: false, schema },
      ];
      // As an API server leaves it that nobody writes the status of.
      const metadata = {
        ...(live['metadata'] as JsonObject),
        managedFields: [{ manager: 'kube-apiserver', subresource: 'status', fieldsV1: {} }],
      };
      const [oldObject, object] = [versions, versions.slice(0, 1)].map((each) => ({
        ...live,
        metadata,
        spec: { ...(small['spec'] as JsonObject), versions: each },
      }));
      const applied = { manager: 'argocd', operation: 'Apply', apiVersion: 'example.com/v1beta1' };
      const objects = widgets([1, 2, 3]).map((widget) => ({
        ...widget,
        metadata: { ...(widget['metadata'] as JsonObject), managedFields: [applied] },
      }));
      const more = { ...shown, oldObject: oldObject ?? null, object: object ?? null };
      const messages = async (may: boolean): Promise<string[]> => {
        const known = cluster({ objects: [], may, stored: oldObject ?? {} });
        const asked = { ...known, list: () => Promise.resolve(objects) };
        return (await ask({ cluster: asked, more })).ours.map((each) => each.message);
      };
      expect(await messages(true)).to.deep.equal([
        'still used: argocd applied 3 Widgets as v1beta1; once nobody writes it any more, olm-guard migrate run widgets.example.com --leaving v1beta1 moves what objects remember of it',
      ]);
      expect(await messages(false)).to.deep.equal([
        'stored Widgets were written in a version that is removed; by whom and how many is for those who may list widgets.example.com',
      ]);
    });

    it('is left out where the cluster does not say what the requester may list, of the API server', async () => {
      const { ours } = await ask({
        cluster: cluster({ objects: harmed, may: noRight }),
        more: shown,
      });
      expect(ours[0]?.message).to.include('2 of 3 stored Widgets');
    });
  });

  describe('that nobody could see', () => {
    const forbidden = view(() => Promise.reject(new ClusterError('no', 403)));
    const broken = view(() => Promise.reject(new ClusterError('the server is down')));
    const unserved = {
      ...small,
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: false, storage: true }],
      },
    };
    const gone = (oldObject: JsonObject = small) => ({
      operation: 'DELETE' as const,
      object: null,
      oldObject,
    });
    const rows: readonly (readonly [string, ClusterView, JsonObject, RegExp])[] = [
      ['no right', forbidden, small, /no right to list widgets\.example\.com/],
      ['no answer', broken, small, /the server is down/],
      ['no served version', holding(widgets([1])), unserved, /no version of it is served/],
    ];
    for (const [name, cluster, old, why] of rows) {
      it(`are said to go with the definition, for ${name}`, async () => {
        const { response } = await ask({ cluster, more: gone(old) });
        expect(response.allowed).to.equal(true);
        expect(response.warnings?.join()).to.match(why).and.include('StoredObjectsUnchecked');
      });

      it(`are a reason to deny where policy denies what cannot be judged, for ${name}`, async () => {
        for (const enforce of ['all', 'proven'] as const) {
          const policy = { unjudged: 'deny' as const, enforce };
          const { response } = await ask({ cluster, policy, more: gone(old) });
          expect(response.allowed, enforce).to.equal(false);
          expect(response.status?.message).to.match(why);
        }
      });

      it(`are switched off on the definition all the same, for ${name}`, async () => {
        const annotations = { 'olm-guard.io/disable': 'stored-objects' };
        const metadata = { name: 'widgets.example.com', annotations };
        const oldObject = annotated({ ...old, metadata });
        const policy = { unjudged: 'deny' as const };
        expect((await ask({ cluster, policy, more: gone(oldObject) })).response.allowed).to.equal(
          true,
        );
      });
    }

    it('are counted before no version is served any more', async () => {
      const change = { object: unserved };
      const { ours, response } = await ask({ cluster: holding(widgets([1, 2])), more: change });
      expect(response.allowed).to.equal(false);
      expect(ours.map(({ message }) => message)).to.deep.equal([
        'no version of widgets.example.com is served any more, so that nobody can read, write or count 2 stored Widgets',
      ]);
      expect((await ask({ cluster: holding([]), more: change })).ours).to.deep.equal([]);
      const unseen = await ask({ cluster: forbidden, more: change });
      expect(unseen.ours[0]).to.include({ rule: 'StoredObjectsUnreachable', severity: 'warning' });
    });
  });
});
