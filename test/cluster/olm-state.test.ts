/** The state of OLM, followed through everything that a cluster does to those who follow it. */
import { expect } from 'chai';
import { Connection } from '../../src/cluster/view/connection.js';
import { LeaseHolder, type LeaseState } from '../../src/cluster/view/lease.js';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { OlmMetrics } from '../../src/gate/metrics/olm/olm-metrics.js';
import { goExposition } from '../../src/gate/metrics/olm/go-exposition.js';
import { followedResources, warningEvents } from '../../src/cluster/olm-state/kinds.js';
import { LiveState } from '../../src/cluster/olm-state/live-state.js';
import { feedOlmMetrics } from '../../src/gate/metrics/olm/state-feed.js';
import { exampleDefinition } from '../../src/upgrade/rules/crd/example-definition.js';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import { Registry } from 'prom-client';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import {
  createAll,
  createNamespace,
  installOlm,
  pathOf,
  withApiVersion,
  writeStatus,
} from './olm-definitions.js';

const quick = { firstMilliseconds: 100, maxMilliseconds: 400 };

describe('the state of OLM on a cluster', () => {
  const cluster = useCluster({ users: [{ name: 'follower' }] });
  const opened: { close(): Promise<void> | void }[] = [];

  before(() => installOlm(cluster()));

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function connect(user?: string): Promise<Connection> {
    return Connection.fromKubeconfig(cluster().kubeconfigPath, user);
  }

  async function follow(user?: string, maxBytes?: number): Promise<LiveState> {
    const state = await LiveState.start(await connect(user), {
      backoff: quick,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      resources: [...followedResources, warningEvents],
    });
    opened.push(state);
    return state;
  }

  async function replace(object: JsonObject): Promise<void> {
    const stored = await cluster().request('GET', pathOf(object));
    const { resourceVersion } = stored.body.metadata ?? {};
    const metadata = { ...(object['metadata'] as object), resourceVersion };
    const body = { ...withApiVersion(object), metadata };
    const { code, text } = await cluster().request('PUT', pathOf(object), body);
    expect(code, text).to.equal(200);
    if (object['kind'] === 'ClusterServiceVersion') await writeStatus(cluster(), object);
  }

  const names = (state: LiveState, namespace: string): string[] =>
    state.view.groupsIn(namespace).map(({ name }) => name);
  const stateOf = (state: LiveState, kind: string): string | undefined =>
    state.kindStates().find((each) => each.kind === kind)?.state;

  it('has each object once and trimmed, and no copies', async () => {
    await createAll(cluster(), [
      makeGroup({ namespace: 'a' }),
      aCsv({ namespace: 'a', spec: { description: 'x'.repeat(10_000) } }),
      aCsv({ namespace: 'b', metadata: { labels: { 'olm.copiedFrom': 'a' } } }),
    ]);
    const state = await follow();
    expect(names(state, 'a')).to.deep.equal(['g']);
    expect(state.view.csvsIn('a').map(({ name }) => name)).to.deep.equal(['cats.v1']);
    expect(state.view.csvsIn('b')).to.deep.equal([]);
    expect(JSON.stringify([...state.objects('ClusterServiceVersion')])).not.to.include('xxx');
    expect(
      [...state.view.namespaces()]
        .find(({ name }) => name === 'a')
        ?.labels.get('kubernetes.io/metadata.name'),
    ).to.equal('a');
    const definition = state.view.lookUp(
      'CustomResourceDefinition',
      'operatorgroups.operators.coreos.com',
    );
    expect(definition).to.include({ kind: 'CustomResourceDefinition' });
    expect(definition).not.to.have.property('spec');
    expect(state.kubernetesVersion).to.match(/^v1\./);
    expect(state.globalCatalogNamespace).to.equal('olm');
    await createNamespace(cluster(), 'openshift-marketplace');
    await until('the namespace of OpenShift to be seen', () =>
      state.globalCatalogNamespace === 'openshift-marketplace' ? true : undefined,
    );
  });

  it('says of what there is no room for all, and knows all again once there is', async () => {
    const spec = { serviceAccountName: 'x'.repeat(1_400_000) };
    const large = { ...makeGroup({ name: 'large', namespace: 'full' }), spec };
    await createAll(cluster(), [large, makeGroup({ name: 'z', namespace: 'full' })]);
    const state = await follow(undefined, 1_400_000);
    const kind = (): object | undefined =>
      state.kindStates().find((each) => each.kind === 'OperatorGroup');
    expect(names(state, 'full')).to.deep.equal(['z']);
    expect(state.unknown('OperatorGroup')).to.include('they take more memory than there is');
    expect(state.unknown('Subscription')).to.equal(undefined);
    expect(kind()).to.include({ state: 'failing' });
    await cluster().request('DELETE', pathOf(large));
    await cluster().kill();
    await cluster().restart();
    // Only a new list can tell that there is nothing else.
    await until('a list', () => state.unknown('OperatorGroup') === undefined || undefined);
    expect(kind()).to.include({ state: 'current' });
    const again = { ...makeGroup({ name: 'again', namespace: 'full' }), spec };
    await createAll(cluster(), [again]);
    await until('one too many', () => state.unknown('OperatorGroup') !== undefined || undefined);
    expect(names(state, 'full')).to.deep.equal(['z']);
    await cluster().request('DELETE', pathOf(again));
  });

  it('knows of a kind as soon as there is a definition of it, and takes nothing for its absence', async () => {
    const definition = exampleDefinition({ type: 'object' });
    const { name } = definition['metadata'] as { name: string };
    const { group, names: of } = definition['spec'] as { group: string; names: { plural: string } };
    const kind = 'Late';
    const late = { kind, apiVersion: `${group}/v1`, resource: { group, resource: of.plural } };
    const state = await LiveState.start(await connect(), {
      // Without a word of the definition it would be looked for after ten minutes.
      backoff: { firstMilliseconds: 600_000, maxMilliseconds: 600_000 },
      resources: [...followedResources, { ...late, trim: (object) => object }],
    });
    opened.push(state);
    expect(stateOf(state, kind)).to.equal('not-installed');
    expect(state.unknown(kind)).to.equal(undefined);
    // The watch of definitions knows it, however long ago its objects were asked for.
    const known = state.kindStates().find((each) => each.kind === kind);
    expect(known).to.include({ stalenessSeconds: 0 });
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await cluster().request('POST', path, definition)).code).to.equal(201);
    await until(
      'the definition',
      () => state.view.lookUp('CustomResourceDefinition', name) ?? undefined,
    );
    if (stateOf(state, kind) === 'not-installed') {
      expect(state.unknown(kind)).to.include('their definition is new');
    }
    // The server may tell of a definition before it serves its objects; each word of it is heard.
    let touched = 0;
    await until('its objects', async () => {
      if (stateOf(state, kind) === 'current') return true;
      const metadata = { annotations: { touched: String(touched++) } };
      const contentType = 'application/merge-patch+json';
      await cluster().request('PATCH', `${path}/${name}`, { metadata }, { contentType });
      return undefined;
    });
    expect(state.unknown(kind)).to.equal(undefined);
  });

  it('survives the end of the API server and a compaction of what it had to tell', async () => {
    const doomed = makeGroup({ name: 'doomed', namespace: 'compacted' });
    await createAll(cluster(), [doomed, makeGroup({ name: 'kept', namespace: 'compacted' })]);
    const state = await follow();
    await cluster().kill();
    await until('the end to be noticed', () =>
      stateOf(state, 'OperatorGroup') === 'failing' ? true : undefined,
    );
    // What was known is still answered, and it is said how old it is.
    expect(names(state, 'compacted')).to.have.members(['doomed', 'kept']);
    expect(state.unknown('OperatorGroup')).to.equal(undefined);
    expect(state.kindStates()[0]?.stalenessSeconds).to.be.greaterThan(0);

    const key = '/registry/operators.coreos.com/operatorgroups/compacted/doomed';
    const { header } = await etcd('kv/deleterange', { key: Buffer.from(key).toString('base64') });
    await etcd('kv/compaction', { revision: header.revision, physical: true });
    await cluster().restart();
    // Only a new list can tell: the event is in no history any more.
    await until('a list after 410', () =>
      names(state, 'compacted').join() === 'kept' ? true : undefined,
    );
    // Of OpenShift nothing is installed here.
    const installed = state.kindStates().filter(({ state }) => state !== 'not-installed');
    expect(installed.map(({ kind }) => kind)).to.include('CustomResourceDefinition');
    await until('everything to be current again', () =>
      installed.every(({ kind }) => stateOf(state, kind) === 'current') ? true : undefined,
    );
    await createAll(cluster(), [makeGroup({ name: 'new', namespace: 'compacted' })]);
    await until('a new object', () => names(state, 'compacted').includes('new') || undefined);
  });

  it('takes objects that nest as deep as the server stores, listed or watched, and goes on', async () => {
    const deep = (name: string, levels: number): string =>
      stringifyJson(withApiVersion(makeGroup({ name, namespace: 'deep' }))).replace(
        /}$/,
        `,"more":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
      );
    const send = async (name: string, levels: number): Promise<void> => {
      const path = pathOf(makeGroup({ name, namespace: 'deep' }), 'collection');
      const { code } = await cluster().request('POST', path, deep(name, levels));
      expect(code).to.equal(201);
    };
    await createNamespace(cluster(), 'deep');
    await send('listed', 1_000);
    await send('listed-deeper', 9_980);
    const state = await follow();
    expect(names(state, 'deep')).to.have.members(['listed', 'listed-deeper']);
    await send('watched', 1_000);
    await send('watched-deeper', 9_980);
    await createAll(cluster(), [makeGroup({ name: 'after', namespace: 'deep' })]);
    await until('what came after them', () => names(state, 'deep').includes('after') || undefined);
    expect(names(state, 'deep')).to.have.lengthOf(5);
    expect(stateOf(state, 'OperatorGroup')).to.equal('current');
    const kept = [...state.objects('OperatorGroup')].map((object) => stringifyJson(object).length);
    expect(Math.max(...kept)).to.be.greaterThan(9_980);
  });

  it('says which kind it may not read, and goes on when it may again', async () => {
    await createAll(cluster(), [rights(['operatorgroups', 'subscriptions']), binding]);
    const state = await follow('follower');
    expect(stateOf(state, 'OperatorGroup')).to.equal('current');
    expect(stateOf(state, 'ClusterServiceVersion')).to.equal('forbidden');
    expect(state.unknown('ClusterServiceVersion')).to.match(/cannot list resource/);
    expect(state.unknown('OperatorGroup')).to.equal(undefined);

    await replace(rights(['clusterserviceversions']));
    await until('the right to arrive', () =>
      stateOf(state, 'ClusterServiceVersion') === 'current' ? true : undefined,
    );
    // An open watch outlives its right; the next one does not.
    await cluster().restart();
    await until('the loss of the other', () => state.unknown('OperatorGroup') && true);
    await replace(rights(['operatorgroups', 'clusterserviceversions']));
    await until('it to come back', () =>
      state.unknown('OperatorGroup') === undefined ? true : undefined,
    );
  });

  it('tells OLM’s metrics what happens', async () => {
    const state = await follow();
    const registry = new Registry();
    feedOlmMetrics(new OlmMetrics(registry, Date.now), state);
    const csv = (phase: string): JsonObject =>
      aCsv({
        name: 'm.v1',
        namespace: 'm',
        spec: { version: '1.0.0' },
        status: { phase, reason: 'R' },
      });
    const warning = (count: number): JsonObject =>
      makeObject('Event', 'w', 'm', {
        involvedObject: { kind: 'InstallPlan', namespace: 'm', name: 'p' },
        reason: 'AppliedWithWarnings',
        count,
      });
    await createAll(cluster(), [csv('Succeeded'), warning(1)]);
    const shows = (...lines: string[]): Promise<true> =>
      until(lines.join(), async () => {
        const text = await goExposition(registry);
        return lines.every((line) => text.split('\n').includes(line)) || undefined;
      });
    await shows(
      'csv_succeeded{name="m.v1",namespace="m",version="1.0.0"} 1',
      'csv_upgrade_count 0',
      'installplan_warnings_total 1',
    );
    await replace(csv('Replacing'));
    await replace(warning(3));
    await shows(
      'csv_abnormal{name="m.v1",namespace="m",phase="Replacing",reason="R",version="1.0.0"} 1',
      'csv_upgrade_count 1',
      'installplan_warnings_total 3',
    );
    await cluster().request('DELETE', pathOf(csv('')));
    await until('its series to vanish', async () =>
      (await goExposition(registry)).includes('m.v1') ? undefined : true,
    );
  });

  it('lets one replica at a time hold the Lease', async () => {
    const heard: string[] = [];
    const holder = async (identity: string): Promise<LeaseHolder> => {
      const connection = await connect();
      const lease = new LeaseHolder(connection, {
        namespace: 'olm-guard',
        name: 'olm-guard',
        identity,
        durationSeconds: 2,
        retrySeconds: 0.3,
        onChange: (now: LeaseState) => void heard.push(`${identity} ${now}`),
      });
      opened.push({ close: () => lease.stop().then(() => connection.close()) });
      lease.start();
      return lease;
    };
    const first = await holder('first');
    await until(
      'word that there is no such namespace',
      () => first.state === 'impossible' || undefined,
    );
    await createNamespace(cluster(), 'olm-guard');
    await until('the first to hold it', () => first.state === 'held' || undefined);
    const second = await holder('second');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect([first.state, second.state]).to.deep.equal(['held', 'waiting']);
    await first.stop();
    await until('the second to take over', () => second.state === 'held' || undefined);
    expect(heard.filter((line) => line === 'second held')).to.have.lengthOf(1);
  });

  async function etcd(path: string, body: object): Promise<{ header: { revision: string } }> {
    const response = await fetch(`${cluster().etcdUrl}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect(response.status).to.equal(200);
    return (await response.json()) as { header: { revision: string } };
  }
});

const rights = (resources: string[]): JsonObject =>
  makeObject('ClusterRole', 'follower', '', {
    rules: [{ apiGroups: ['operators.coreos.com'], resources, verbs: ['get', 'list', 'watch'] }],
  });
const binding = makeObject('ClusterRoleBinding', 'follower', '', {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'follower' },
  subjects: [{ kind: 'User', name: 'follower', apiGroup: 'rbac.authorization.k8s.io' }],
});
