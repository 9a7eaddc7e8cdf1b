import { expect } from 'chai';
import { ClusterError, type ClusterView } from '../../cluster/view/view.js';
import { FolderCluster } from '../../cluster/view/folder.js';
import type { JsonObject } from '../../text/documents/index.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { makeGroup } from '../../olm/rules/objects/testing/harness.js';
import { defaultPolicy } from '../../policy/policy.js';
import type { CatalogState } from '../../olm/resolver/namespace.js';
import type { Property } from '../../olm/resolver/requirement.js';
import { loadCatalogs } from '../../olm/resolver/resolve.js';
import { answerResolution } from './resolution-question.js';
import { review, type Reviewed } from './review.js';
import { UnfinishedError } from './reviewer.js';
import type { Caller } from './disclosure.js';
import { createReviewers } from './reviewers.js';
import { withResolution, type KnownCatalogs } from './subscription-resolution.js';

const api = { group: 'example.com', version: 'v1', kind: 'Queue' };
const catalog = (...packages: [name: string, properties: Property[]][]): CatalogState => ({
  name: 'community',
  namespace: 'olm',
  packages: packages.map(([name, properties]) => ({
    name,
    defaultChannel: 'stable',
    channels: [{ name: 'stable', entries: [{ name: `${name}.v1.0.0` }] }],
    bundles: [{ name: `${name}.v1.0.0`, version: '1.0.0', properties }],
  })),
});
const known = catalog(['mail', [{ type: 'olm.gvk.required', value: api }]], ['plain', []]);

const subscription = (name: string, source = 'community'): JsonObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'Subscription',
  metadata: { name, namespace: 'ns' },
  spec: { name, channel: 'stable', source, sourceNamespace: 'olm' },
});
const group: JsonObject = { apiVersion: 'operators.coreos.com/v1', ...makeGroup() };

interface Asked {
  readonly object: JsonObject;
  readonly cluster?: readonly JsonObject[];
  readonly view?: ClusterView;
  readonly until?: number;
  readonly caller?: Caller;
  readonly resolve?: KnownCatalogs['resolve'];
}

async function ask(asked: Asked): Promise<Reviewed & { readonly observed: string[] }> {
  const observed: string[] = [];
  const objects = asked.cluster ?? [group];
  const state = FolderState.of(objects, { globalCatalogNamespace: 'olm' });
  const catalogs: KnownCatalogs = {
    names: () => new Set(['olm/community']),
    globalCatalogNamespace: 'olm',
    resolve:
      asked.resolve ??
      ((question) => Promise.resolve(answerResolution(question, loadCatalogs([known])))),
    onResolved: (outcome) => observed.push(outcome),
  };
  const reviewers = createReviewers(state, (reviewer) => withResolution(reviewer, catalogs));
  const reviewed = await review(
    {
      uid: '1',
      kind: { group: 'operators.coreos.com', version: 'v1alpha1', kind: 'Subscription' },
      resource: { group: 'operators.coreos.com', version: 'v1alpha1', resource: 'subscriptions' },
      name: 'any',
      namespace: 'ns',
      operation: 'CREATE',
      object: asked.object,
      oldObject: null,
    },
    reviewers,
    {
      policy: defaultPolicy,
      view: asked.view ?? FolderCluster.of(objects),
      judge: () => Promise.reject(new Error('not asked here')),
      caller: asked.caller ?? 'api-server',
      now: new Date(0),
      until: asked.until,
    },
  );
  return { ...reviewed, observed };
}

describe('resolution at the gate', () => {
  const warned = (text: string): boolean => text.includes('Nothing in namespace ns');

  it('warns of a Subscription that would stop its namespace, and never denies it', async () => {
    const { response, observed } = await ask({ object: subscription('mail') });
    expect(response.allowed).to.equal(true);
    expect(response.warnings?.filter(warned)).to.have.lengthOf(1);
    expect(observed).to.deep.equal(['failed']);
  });

  it('does not say why to whom nobody vouches for, or who may not look there', async () => {
    const object = subscription('mail');
    const told = await ask({ object });
    const cluster = FolderCluster.of([group]);
    const mayNot: ClusterView = {
      get: (resource, name, namespace) => cluster.get(resource, name, namespace),
      list: (resource, options) => cluster.list(resource, options),
      mayList: () => Promise.resolve(false),
    };
    for (const asked of [
      { object, caller: 'unverified' },
      { object, view: mayNot },
    ] as const) {
      const { response, observed } = await ask(asked);
      expect(observed).to.deep.equal(['failed']);
      expect(response.warnings?.join()).to.include(
        'resolve nothing in its namespace; the reason is',
      );
      expect(response.warnings?.some(warned)).to.equal(false);
    }
    expect(told.response.warnings?.some(warned)).to.equal(true);
  });

  it('reports nothing for a Subscription that resolves', async () => {
    const { response, observed } = await ask({ object: subscription('plain') });
    expect(response.warnings?.filter(warned) ?? []).to.deep.equal([]);
    expect(observed).to.deep.equal(['succeeded']);
  });

  it('blames no Subscription for a namespace that stood still before', async () => {
    const { response } = await ask({
      object: subscription('plain'),
      cluster: [group, subscription('mail')],
    });
    expect(response.warnings?.filter(warned) ?? []).to.deep.equal([]);
  });

  it('does not guess about catalogs it does not know', async () => {
    const { observed } = await ask({ object: subscription('mail', 'other') });
    expect(observed).to.deep.equal([]);
  });

  it('names what it could not ask, and what it had no time for', async () => {
    const view: ClusterView = {
      get: () => Promise.reject(new ClusterError('is away')),
      list: () => Promise.reject(new ClusterError('is away')),
    };
    const away = await ask({ object: subscription('mail'), view });
    expect(away.response).to.include({ allowed: true });
    expect(away.response.warnings?.join()).to.include('is away');
    const late = await ask({ object: subscription('mail'), until: performance.now() });
    expect(late.observed).to.deep.equal([]);
  });

  it('names what nobody answered, and does not wait past its time', async () => {
    const object = subscription('mail');
    const busy = await ask({
      object,
      resolve: () => Promise.reject(new UnfinishedError('too many are waiting')),
    });
    expect(busy.response.warnings?.join()).to.include('resolution: too many are waiting');
    // Its ten minutes are over as soon as it is asked.
    const { setTimeout: wait } = globalThis;
    let timeIsOver: () => void = () => undefined;
    globalThis.setTimeout = ((late: () => void) => void (timeIsOver = late)) as never;
    const slow = await ask({
      object,
      until: performance.now() + 600_000,
      resolve: () => {
        timeIsOver();
        return new Promise(() => undefined);
      },
    }).finally(() => (globalThis.setTimeout = wait));
    expect(slow.response.warnings?.join()).to.include('resolution: was not finished in time');
  });
});
