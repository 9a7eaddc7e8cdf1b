/** The live view of a cluster, through everything that a cluster does to its watchers. */
import { expect } from 'chai';
import { Connection } from '../../src/cluster/view/connection.js';
import { LiveCluster } from '../../src/cluster/view/live.js';
import {
  Reflector,
  type ReflectorOptions,
  type ReflectorState,
} from '../../src/cluster/view/reflector.js';
import { ClusterError, type ResourceName } from '../../src/cluster/view/view.js';
import { isObject, metaOf, own, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';

const configMaps: ResourceName = { group: '', resource: 'configmaps' };
const widgets: ResourceName = { group: 'live.example.com', resource: 'widgets' };
const widgetPath = '/apis/live.example.com/v1/namespaces/default/widgets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const quick = { firstMilliseconds: 100, maxMilliseconds: 400 };

describe('the live view of a cluster', () => {
  const cluster = useCluster({ users: [{ name: 'watcher' }] });
  const connections: Connection[] = [];
  const reflectors: Reflector[] = [];

  async function connect(user?: string): Promise<Connection> {
    const connection = await Connection.fromKubeconfig(cluster().kubeconfigPath, user);
    connections.push(connection);
    return connection;
  }

  async function follow(
    resource: ResourceName,
    options: Partial<ReflectorOptions> = {},
    user?: string,
  ): Promise<{
    reflector: Reflector;
    names: () => string[];
    states: ReflectorState[];
    held: Map<string, JsonObject>;
  }> {
    const held = new Map<string, JsonObject>();
    const states: ReflectorState[] = [];
    const reflector = new Reflector(await connect(user), {
      resource,
      backoff: quick,
      sink: {
        listed: (keys) => {
          for (const [name, object] of held) if (!keys.has(metaOf(object).key)) held.delete(name);
        },
        put: (object) => void held.set(nameOf(object), object),
        remove: (object) => void held.delete(nameOf(object)),
      },
      onState: (state) => void states.push(state),
      ...options,
    });
    reflectors.push(reflector);
    reflector.start();
    await reflector.settled;
    return { reflector, names: () => [...held.keys()].sort(), states, held };
  }

  async function createConfigMap(name: string, labels: Record<string, string> = {}): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels },
      data: { a: 'b' },
    };
    const { code } = await cluster().request('POST', '/api/v1/namespaces/default/configmaps', body);
    expect(code).to.equal(201);
  }

  afterEach(async () => {
    await Promise.all(reflectors.splice(0).map((reflector) => reflector.stop()));
    for (const connection of connections.splice(0)) connection.close();
  });

  it('gets and lists, and a kind that is not installed has no objects', async () => {
    const live = new LiveCluster(await connect());
    await createConfigMap('one', { team: 'blue' });
    const one = await live.get(configMaps, 'one', 'default');
    expect(one && own(one, 'kind')).to.equal('ConfigMap');
    expect(await live.get(configMaps, 'none', 'default')).to.equal(undefined);
    const blue = await live.list(configMaps, { namespace: 'default', labelSelector: 'team=blue' });
    expect(blue.map(nameOf)).to.deep.equal(['one']);
    expect(blue[0] && own(blue[0], 'kind')).to.equal('ConfigMap');
    expect(await live.list(widgets)).to.deep.equal([]);
    expect(await live.get(widgets, 'w', 'default')).to.equal(undefined);
  });

  it('says in a sentence what it may not do', async () => {
    const live = new LiveCluster(await connect('watcher'));
    const error: unknown = await live.list(configMaps).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ClusterError);
    expect((error as ClusterError).isForbidden).to.equal(true);
    expect((error as ClusterError).message).to.include('cannot list resource "configmaps"');
  });

  it('lists in pages', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => createConfigMap(`page-${index}`, { page: 'yes' })),
    );
    const live = new LiveCluster(await connect(), { pageSize: 5 });
    expect(await live.list(configMaps, { labelSelector: 'page=yes' })).to.have.lengthOf(12);
  });

  it('follows changes, with a selector, metadata only and without managed fields', async () => {
    const { names, held } = await follow(configMaps, {
      labelSelector: '!skip',
      metadataOnly: true,
    });
    await createConfigMap('followed');
    await createConfigMap('skipped', { skip: 'true' });
    await eventually(() => expect(names()).to.include('followed'));
    const followed = held.get('followed');
    expect(followed && own(followed, 'data')).to.equal(undefined);
    expect(JSON.stringify(followed)).not.to.include('managedFields');
    await cluster().request('DELETE', '/api/v1/namespaces/default/configmaps/followed');
    await eventually(() => expect(names()).not.to.include('followed'));
    expect(names()).not.to.include('skipped');
  });

  it('notices a kind when it is installed, and when it is gone', async () => {
    const { reflector, names } = await follow(widgets);
    expect(reflector.state).to.equal('not-installed');
    expect((await cluster().request('POST', definitions, widgetDefinition)).code).to.equal(201);
    await eventually(() => expect(reflector.state).to.equal('current'), 15_000);
    const widget = { apiVersion: 'live.example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    await eventually(async () =>
      expect((await cluster().request('POST', widgetPath, widget)).code).to.be.oneOf([201, 409]),
    );
    await eventually(() => expect(names()).to.deep.equal(['w']));
    await cluster().request('DELETE', `${definitions}/widgets.live.example.com`);
    await eventually(() => {
      expect(reflector.state).to.equal('not-installed');
      expect(names()).to.deep.equal([]);
    }, 20_000);
  });

  it('goes on after the API server was killed and started again', async () => {
    const { reflector, names, states } = await follow(configMaps);
    await cluster().kill();
    await eventually(() => expect(reflector.state).to.equal('failing'));
    expect(reflector.stalenessSeconds).to.be.greaterThan(0);
    expect(names()).to.include('one');
    await cluster().restart();
    await createConfigMap('after-restart');
    await eventually(() => expect(names()).to.include('after-restart'), 15_000);
    expect(states).to.include.members(['current', 'failing']);
    expect(reflector.stalenessSeconds).to.equal(0);
  });

  it('loses a right, says so, and goes on when it is given back', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1';
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'watcher' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    };
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'watcher' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'watcher' },
      subjects: [{ kind: 'User', name: 'watcher' }],
    };
    const { reflector, names } = await follow(configMaps, {}, 'watcher');
    expect(reflector.state).to.equal('forbidden');
    await cluster().request('POST', `${roles}/clusterroles`, role);
    await cluster().request('POST', `${roles}/clusterrolebindings`, binding);
    await eventually(() => expect(reflector.state).to.equal('current'), 15_000);
    expect(names()).to.include('one');
    await cluster().request('DELETE', `${roles}/clusterrolebindings/watcher`);
    // An open watch outlives the right; the next one does not.
    await cluster().kill();
    await cluster().restart();
    await eventually(() => expect(reflector.state).to.equal('forbidden'), 15_000);
    expect(names()).to.include('one');
    await cluster().request('POST', `${roles}/clusterrolebindings`, binding);
    await eventually(() => expect(reflector.state).to.equal('current'), 15_000);
  });
});

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.live.example.com' },
  spec: {
    group: 'live.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

function nameOf(object: JsonObject): string {
  const metadata = own(object, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

/** Asks again until it holds; the last failure is the test's own. */
async function eventually(check: () => unknown, milliseconds = 10_000): Promise<void> {
  const end = Date.now() + milliseconds;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
