/**
 * Conversion at admission on a real API server: the Service with the address that it gave, the rights of
 * manifests/components/conversion, the requester's own rights, and the gate as a process. No pod network
 * leads to a cluster address here, so the one connection goes to this machine instead.
 */
import { expect } from 'chai';
import { defaultPolicy } from '../../src/policy/policy.js';
import { withConversion } from '../../src/gate/admission/conversion.js';
import { customResourceDefinitionReviewer } from '../../src/gate/admission/custom-resource-definition.js';
import { review } from '../../src/gate/admission/review.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { Connection } from '../../src/cluster/view/connection.js';
import { LiveCluster } from '../../src/cluster/view/live.js';
import { openConverter } from '../../src/cluster/converter/https.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { definition, startConverter, type RunningConverter } from '../cli/converters.js';
import { kubeconfigOf, kubectl, pointWebhooksAt, serviceAccount } from './installed-gate.js';
import { definitions } from './widgets.js';

const bare = 'system:serviceaccount:olm-guard:bare';

describe('conversion at admission', function () {
  this.timeout(180_000);
  const cluster = useCluster({
    users: [{ name: serviceAccount }, { name: bare }, { name: 'alice' }],
  });
  const connected: string[] = [];
  const connections: Connection[] = [];
  let converter: RunningConverter;
  let gate: TestGate;
  let clusterIP: string;

  async function post(path: string, body: object): Promise<JsonObject> {
    const { code, body: answer } = await cluster().request('POST', path, body);
    expect(code, JSON.stringify(answer)).to.equal(201);
    return answer as unknown as JsonObject;
  }

  before(async () => {
    converter = await startConverter({}, 'webhook.widgets.svc');
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await kubectl(cluster(), 'apply', '-f', 'manifests/components/conversion/rbac.yaml');
    await kubectl(cluster(), 'create', 'namespace', 'widgets');
    const service = await post('/api/v1/namespaces/widgets/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'webhook' },
      spec: { ports: [{ port: 443, targetPort: 9443 }] },
    });
    clusterIP = (service['spec'] as { clusterIP: string }).clusterIP;
    await post('/apis/discovery.k8s.io/v1/namespaces/widgets/endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'webhook-1', labels: { 'kubernetes.io/service-name': 'webhook' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
      ports: [{ port: 9443 }],
    });
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
  });

  after(async () => {
    for (const connection of connections) connection.close();
    await gate?.stop();
    await converter?.close();
  });

  function withWebhook(clientConfig: object): JsonObject {
    const webhook = { conversionReviewVersions: ['v1'], clientConfig };
    const spec = { ...definition.spec, conversion: { strategy: 'Webhook', webhook } };
    return { ...definition, spec } as unknown as JsonObject;
  }

  const service = (name = 'webhook') => ({
    service: { namespace: 'widgets', name, path: '/convert', port: 443 },
    caBundle: Buffer.from(converter.authority).toString('base64'),
  });

  /** What the gate says whose credentials and requester these are. */
  async function ask(object: JsonObject, user = serviceAccount, username = 'admin') {
    const connection = await Connection.fromKubeconfig(kubeconfigOf(cluster(), user));
    connections.push(connection);
    const open: typeof openConverter = (address, limits) => {
      connected.push(`${address.url.href} at ${address.address}`);
      const url = new URL(address.url);
      url.port = String(converter.port);
      return openConverter({ ...address, url, address: '127.0.0.1' }, limits);
    };
    const groups = username === 'admin' ? ['system:masters'] : [];
    const { decided } = await review(
      {
        uid: 'r1',
        userInfo: { username, groups },
        kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
        resource: {
          group: 'apiextensions.k8s.io',
          version: 'v1',
          resource: 'customresourcedefinitions',
        },
        name: 'widgets.example.com',
        operation: 'CREATE',
        object,
      },
      [withConversion(customResourceDefinitionReviewer, open)],
      {
        judge: judgeHere,
        view: new LiveCluster(connection),
        caller: 'api-server',
        now: new Date(),
        policy: { ...defaultPolicy, budgets: { ...defaultPolicy.budgets, conversionSeconds: 20 } },
      },
    );
    return decided.map(({ finding }) => `${finding.rule}: ${finding.message}`).join('\n');
  }

  it('asks the converter at the address that the Service has', async () => {
    expect(await ask(withWebhook(service()))).to.equal('');
    expect(connected).to.deep.equal([`https://webhook.widgets.svc/convert at ${clusterIP}`]);
  });

  it('names a Service that is not there', async () => {
    expect(await ask(withWebhook(service('elsewhere')))).to.match(
      /^ConverterUnreachable: .*there is no Service widgets\/elsewhere/,
    );
  });

  it('tells nobody of a Service who may not look at it', async () => {
    for (const name of ['webhook', 'elsewhere']) {
      expect(await ask(withWebhook(service(name)), serviceAccount, 'alice')).to.match(
        /^ConversionUnchecked: .*: alice may not list services$/,
      );
    }
  });

  it('says that it has not the right', async () => {
    expect(await ask(withWebhook(service()), bare)).to.match(/^ConversionUnchecked/);
  });

  it('warns of what None prunes when a definition appears, as the process that the API server asks', async () => {
    const told = await cluster().request('POST', `${definitions}?dryRun=All`, definition);
    expect(told.code).to.equal(201);
    expect(told.warnings.join('\n')).to.match(/v2 does not have \^\.spec\.size of v1/);
  });

  it('warns of a webhook that nobody asked, as the process that the API server asks', async () => {
    const object = withWebhook({ url: 'https://webhook.example.com/convert' });
    const told = await cluster().request('POST', `${definitions}?dryRun=All`, object);
    expect(told.code).to.equal(201);
    expect(told.warnings.join('\n')).to.match(/the converter was not asked: it is named by a url/);
  });
});
