/**
 * `olm-guard roundtrip` with a real API server: its definition, its stored objects, and a converter behind
 * a Service, asked through the API server's proxy and as a process in a pod asks it.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { root, run, type Ended } from '../cli/command.js';
import {
  definition,
  metadataOf,
  rename,
  specOf,
  startConverter,
  type Behaviour,
  type RunningConverter,
} from '../cli/converters.js';
import { kubectl } from './installed-gate.js';
import { definitionPath, definitions } from './widgets.js';

interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly witness?: JsonObject;
}

/** Endpoints of Services cannot be loopback addresses. */
const [address = ''] = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map((each) => each.address);
const objects = '/apis/example.com/v1/namespaces/default/widgets';

const without = (spec: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => name !== field));

describe('olm-guard roundtrip on a cluster', function () {
  this.timeout(180_000);
  const cluster = useCluster({
    users: [{ name: 'alice' }],
    // The API server itself asks the converter where it is, as there is no kube-proxy.
    apiServerFlags: ['--enable-aggregator-routing=true'],
  });

  async function post(path: string, body: object): Promise<void> {
    const { code, text } = await cluster().request('POST', path, body);
    expect(code, text).to.equal(201);
  }

  before(async () => {
    expect(address, 'a network address of this machine').not.to.equal('');
    await kubectl(cluster(), 'create', 'namespace', 'widgets');
    // The proxy of the API server leads to pods only: this one stands for what listens on this machine.
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'webhook' } };
    const containers = [{ name: 'webhook', image: 'registry.example.com/webhook' }];
    const pods = '/api/v1/namespaces/widgets/pods';
    await post(pods, { ...pod, spec: { containers } });
    const status = { phase: 'Running', podIP: address, podIPs: [{ ip: address }] };
    const merge = { contentType: 'application/merge-patch+json' };
    const ran = await cluster().request('PATCH', `${pods}/webhook/status`, { status }, merge);
    expect(ran.code, ran.text).to.equal(200);
    await post(definitions, definition);
    await until('widgets to be served', async () =>
      (await cluster().request('GET', objects)).code === 200 ? true : undefined,
    );
  });

  let services = 0;
  /** A converter behind a Service of its own, which the definition names from then on. */
  async function withConverter<Result>(
    behaviour: Behaviour,
    use: (converter: RunningConverter) => Promise<Result>,
  ): Promise<Result> {
    const name = `webhook-${++services}`;
    const converter = await startConverter(behaviour, `${name}.widgets.svc`, '0.0.0.0');
    try {
      const { port } = converter;
      await post('/api/v1/namespaces/widgets/services', {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
        spec: { ports: [{ port }] },
      });
      await post('/apis/discovery.k8s.io/v1/namespaces/widgets/endpointslices', {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [address], conditions: { ready: true } }],
        ports: [{ port }],
      });
      const targetRef = { kind: 'Pod', namespace: 'widgets', name: 'webhook' };
      // What the controllers of a cluster would make of each other; the API server's proxy looks at these.
      await post('/api/v1/namespaces/widgets/endpoints', {
        ...{ apiVersion: 'v1', kind: 'Endpoints', metadata: { name } },
        subsets: [{ addresses: [{ ip: address, targetRef }], ports: [{ port }] }],
      });
      await nameConverter(name, port, converter.authority);
      return await use(converter);
    } finally {
      await converter.close();
    }
  }

  async function nameConverter(name: string, port: number, authority: string): Promise<void> {
    const clientConfig = {
      service: { namespace: 'widgets', name, path: '/convert', port },
      caBundle: Buffer.from(authority).toString('base64'),
    };
    const webhook = { conversionReviewVersions: ['v1'], clientConfig };
    const patch = { spec: { conversion: { strategy: 'Webhook', webhook } } };
    const merge = { contentType: 'application/merge-patch+json' };
    const answer = await cluster().request('PATCH', definitionPath('widgets'), patch, merge);
    expect(answer.code, answer.text).to.equal(200);
  }

  const ask = (...args: string[]): Promise<Ended> => {
    const kubeconfig = `--kubeconfig=${cluster().kubeconfigPath}`;
    return run([
      ...['roundtrip', 'widgets.example.com', '--converter', 'cluster', kubeconfig],
      ...['-o', 'json', '--samples', '40', ...args],
    ]);
  };
  const findingsOf = ({ stdout, stderr }: Ended): Finding[] => {
    expect(stdout, stderr).not.to.equal('');
    const told = JSON.parse(stdout) as { results: { verdict: { findings: Finding[] } }[] };
    return told.results.flatMap(({ verdict }) => verdict.findings);
  };

  it('asks the Service of the definition through the API server, and says what that leaves open', async () => {
    await withConverter({}, async (converter) => {
      const ended = await ask();
      expect(findingsOf(ended), ended.stderr).to.deep.equal([]);
      expect(ended.code).to.equal(0);
      expect(ended.stderr).to.include('the certificate of the converter was not checked');
      expect(converter.asked()).to.be.above(2);
    });
  });

  it('tells what a converter loses, which is what the API server shows', async () => {
    const lossy: Behaviour = {
      convert: (object, to) => {
        const made = rename(object, to);
        const spec = specOf(made);
        if (spec === undefined) return made;
        return { ...made, spec: without(spec, 'last') };
      },
    };
    await withConverter(lossy, async () => {
      const ended = await ask();
      const [found] = findingsOf(ended).filter(({ rule }) => rule === 'RoundTripLoss');
      expect(found?.message).to.match(/\^\.spec\.last is lost from v1 to v2 and back/);
      expect(ended.code).to.equal(1);
      // The witness, stored and read in the other version, has lost it.
      const witness = { ...found?.witness, apiVersion: 'example.com/v1' } as JsonObject;
      const metadata = { name: 'witness', namespace: 'default' };
      await post(objects, { ...witness, kind: 'Widget', metadata });
      const read = await until('the converter to be asked', async () => {
        const path = '/apis/example.com/v2/namespaces/default/widgets/witness';
        const answer = await cluster().request('GET', path);
        return answer.code === 200 ? answer : undefined;
      });
      expect(specOf(witness)).to.have.property('last');
      expect(specOf(read.body as JsonObject)).not.to.have.property('last');
      await cluster().request('DELETE', `${objects}/witness`);
    });
  });

  it('takes stored objects with --objects, and finds what only they show', async () => {
    const particular: Behaviour = {
      convert: (object, to) => {
        const made = rename(object, to);
        const spec = specOf(made);
        if (spec?.['first'] !== 'of the shop') return made;
        return { ...made, spec: without(spec, 'tags') };
      },
    };
    await withConverter(particular, async () => {
      const none = await ask('--objects', '500');
      expect(none.stderr).to.include('the cluster has no widgets stored');
      expect(findingsOf(none)).to.deep.equal([]);
      for (const [name, first] of [
        ['one', 'of the house'],
        ['two', 'of the shop'],
      ] as const) {
        const spec = { first, tags: ['sold', 'gone'], size: 3 };
        await post(objects, {
          ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } },
          spec,
        });
      }
      expect((await ask()).code).to.equal(0);
      const ended = await ask('--objects', '500');
      const found = findingsOf(ended).filter(({ message }) => message.includes('^.spec.tags'));
      expect(found.map(({ rule }) => rule)).to.include('RoundTripLoss');
      expect(specOf(found[0]?.witness ?? {})?.['first']).to.equal('of the shop');
      expect(metadataOf(found[0]?.witness ?? {})['name']).to.equal('two');
      expect(ended.code).to.equal(1);
      // As many as are wanted: the first of the list is not the one.
      expect((await ask('--objects', '1')).code).to.equal(0);
    });
  });

  it('says which right is missing, and nothing of the converter', async () => {
    const rule = {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: ['get'],
    };
    await post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      ...{ kind: 'ClusterRole', metadata: { name: 'reader' }, rules: [rule] },
    });
    const bound = ['--clusterrole=reader', '--user=alice'];
    await kubectl(cluster(), 'create', 'clusterrolebinding', 'reader', ...bound);
    await withConverter({}, async (converter) => {
      const ended = await until('the right to read definitions', async () => {
        const refused = await ask('--context=alice');
        return refused.stderr.includes('customresourcedefinitions') ? undefined : refused;
      });
      expect(ended.stderr).to.match(/^olm-guard: .*cannot create resource "services\/proxy"/);
      expect(ended.stdout).to.equal('');
      expect(ended.code).to.equal(2);
      expect(converter.asked()).to.equal(0);
    });
  });

  describe('in a pod', () => {
    let env: NodeJS.ProcessEnv;
    before(() => {
      const folder = join(cluster().folder, 'serviceaccount');
      mkdirSync(folder);
      copyFileSync(cluster().caFile, join(folder, 'ca.crt'));
      writeFileSync(join(folder, 'token'), cluster().token);
      const { hostname, port } = new URL(cluster().url);
      const pod = pathToFileURL(join(root, 'test', 'apiserver', 'pod.mjs')).href;
      env = {
        ...{ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
        ...{ POD_FOLDER: folder, NODE_OPTIONS: `--import=${pod}` },
      };
    });
    const askInPod = (): Promise<Ended> => {
      const how = ['--converter', 'cluster', '--in-cluster', '-o', 'json', '--samples', '40'];
      return run(['roundtrip', 'widgets.example.com', ...how], { env });
    };

    it('asks the Service itself, and checks its certificate', async () => {
      await withConverter({}, async (converter) => {
        const ended = await askInPod();
        expect(findingsOf(ended), ended.stderr).to.deep.equal([]);
        expect(ended.code).to.equal(0);
        expect(ended.stderr).not.to.include('was not checked');
        expect(converter.asked()).to.be.above(2);
      });
    });

    for (const certificate of ['other authority', 'other name', 'expired'] as const) {
      it(`refuses a certificate that is bad: ${certificate}`, async () => {
        await withConverter({ certificate }, async (converter) => {
          const ended = await askInPod();
          expect(findingsOf(ended).map(({ rule }) => rule)).to.deep.equal(['ConverterUnreachable']);
          expect(ended.code).to.equal(1);
          expect(converter.asked()).to.equal(0);
          // Which the API server's proxy does not look at.
          expect((await ask()).code).to.equal(0);
        });
      });
    }
  });
});
