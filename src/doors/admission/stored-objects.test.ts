/** The gate's answers about stored objects, over a view and a judge of the test's own. */
import { expect } from 'chai';
import type { Connection } from '../../facts/cluster/connection.js';
import { LiveCluster } from '../../facts/cluster/live.js';
import { ClusterError, type ClusterView } from '../../facts/cluster/view.js';
import { exampleOfSpec } from '../../rules/crd/example-definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import { answer } from '../../operations/answer.js';
import { withAttached } from '../../operations/attached.js';
import { annotated } from '../../check/testing/annotated.js';
import { defaultPolicy, type Policy } from '../../check/policy.js';
import type { AdmissionRequest } from './admission-review.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { review } from './review.js';
import type { HeavyJudge, Reviewer } from './reviewer.js';
import { withStoredObjects } from './stored-objects.js';
import { StoredScans } from './stored-scan.js';

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
const judge: HeavyJudge = (operation, input, attached = {}) =>
  Promise.resolve(answer(operation, withAttached(input, attached)) as unknown as JsonObject);

const request = (more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  uid: 'r1',
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
}

async function ask({ cluster, policy = {}, reviewer, more = {}, ...rest }: Asked) {
  const { response, decided } = await review(
    request(more),
    [reviewer ?? withStoredObjects(customResourceDefinitionReviewer)],
    {
      judge: rest.judge ?? judge,
      view: cluster,
      caller: 'unproven',
      now: new Date(0),
      policy: { ...defaultPolicy, ...policy },
    },
  );
  const ours: Finding[] = decided
    .filter(({ finding }) => finding.family === 'stored-objects')
    .map(({ finding }) => finding);
  return { response, ours, decided };
}

describe('stored objects at the gate', () => {
  it('names who breaks in the denial, beside what the profile says', async () => {
    const { response, ours } = await ask({ cluster: holding(widgets([9, 1, 2])) });
    expect(ours.map(({ rule }) => rule)).to.deep.equal(['StoredObjectsRefused']);
    expect(response.status?.message)
      .to.include('2 of 3 stored Widgets would be refused: ns1/w1 spec.size: Invalid value; ns1/w2')
      .and.to.include('minimum');
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
    expect(response.status?.message?.split('\n').at(-1)).to.equal(
      '3 of 1,204 stored Widgets would be refused: ns1/a spec.size: Required value; ns1/b spec.size: Required value; ns2/c spec.size: Required value. ' +
        'Creating such an object, or restoring it from a backup, fails; all of them can still be updated as long as the refused fields stay as they are (Kubernetes 1.30 and later)',
    );
    expect(response.status?.message).not.to.include('secret');
  });

  it('says nothing when every object stays acceptable, or none is there', async () => {
    for (const sizes of [[5, 6], []]) {
      expect((await ask({ cluster: holding(widgets(sizes)) })).ours).to.deep.equal([]);
    }
  });

  it('does not list anything for a change of words', async () => {
    const described = definition({ type: 'integer', description: 'how large' });
    const cluster = view(() => Promise.reject(new Error('was asked')));
    expect((await ask({ cluster, more: { object: described } })).ours).to.deep.equal([]);
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

  it('believes a finished scan for a minute only: whoever mends objects tries again', async () => {
    let now = 0;
    const reviewer = withStoredObjects(
      customResourceDefinitionReviewer,
      new StoredScans(() => now),
    );
    let sizes = [1];
    const cluster = view(() => Promise.resolve(widgets(sizes)));
    expect((await ask({ cluster, reviewer })).ours).to.have.length(1);
    sizes = [5];
    expect((await ask({ cluster, reviewer })).ours).to.have.length(1);
    now = 61_000;
    expect((await ask({ cluster, reviewer })).ours).to.have.length(0);
  });

  it('is switched off by a budget of 0', async () => {
    const policy = { budgets: { ...defaultPolicy.budgets, storedObjectsSeconds: 0 } };
    const cluster = view(() => Promise.reject(new Error('was asked')));
    expect((await ask({ cluster, policy })).ours).to.deep.equal([]);
  });

  describe('a deletion', () => {
    const more = { operation: 'DELETE', object: null } as const;

    it('is warned with the count', async () => {
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
        read({ signal }: { signal: AbortSignal }) {
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
});
