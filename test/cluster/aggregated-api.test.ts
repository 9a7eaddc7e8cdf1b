/**
 * An API server that shows webhooks no client certificate, as managed ones do: reviews come through it as
 * to an aggregated API, so that the gate knows it by the certificate of its front proxy.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aCsv, makeGroup } from '../../src/olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { authority } from '../server/client-certificates.js';
import { responseIn, reviewText } from '../server/reviews.js';
import {
  kubeconfigOf,
  kubectl,
  kustomize,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import { createAll, installOlm, pathOf, withApiVersion } from './olm-definitions.js';

const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.admission.olm-guard.io';
const reviews = '/apis/admission.olm-guard.io/v1alpha1/admissionreviews';
const [home, vault] = ['tenant-home', 'vault-7f3a'];
const keepers = 'keepers-91bc';

const mergePatch = { contentType: 'application/merge-patch+json' };

describe('reviews that come through the API server', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-front-proxy-'));
  const file = (name: string): string => join(folder, name);
  after(() => rmSync(folder, { recursive: true }));

  before('the certificate of the front proxy', async () => {
    const signers = await authority('front-proxy');
    const pair = await signers.issue('front-proxy-client');
    writeFileSync(file('ca.crt'), signers.pem);
    writeFileSync(file('client.crt'), pair.cert);
    writeFileSync(file('client.key'), pair.key, { mode: 0o600 });
  });

  const [tenant, insider] = ['tenant', 'insider'];
  const cluster = useCluster({
    users: [{ name: serviceAccount }, { name: tenant }, { name: insider }],
    // As kubeadm and managed control planes set them, for aggregated APIs.
    apiServerFlags: [
      `--requestheader-client-ca-file=${file('ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      `--proxy-client-cert-file=${file('client.crt')}`,
      `--proxy-client-key-file=${file('client.key')}`,
    ],
  });
  let gate: TestGate;
  /** One that nobody told how an API server shows itself. */
  let open: TestGate;

  const grant = async (user: string, resource: string): Promise<void> => {
    const name = `${user}-writes`;
    const [role, to] = [`--resource=${resource}`, `--user=${user}`];
    await kubectl(cluster(), 'create', 'clusterrole', name, '--verb=create', role);
    await kubectl(cluster(), 'create', 'clusterrolebinding', name, `--clusterrole=${name}`, to);
  };

  before('what others have', async () => {
    await installOlm(cluster());
    await createAll(cluster(), [
      makeGroup({
        ...{ name: keepers, namespace: vault, provides: 'Vault.v1.example.com' },
        spec: { targetNamespaces: [vault] },
      }),
      makeGroup({ name: 'mine', namespace: home, spec: { targetNamespaces: [vault] } }),
    ]);
    await grant(tenant, 'clusterserviceversions.operators.coreos.com,configmaps');
  });

  before('the gate', async () => {
    const manifests = await kustomize(cluster(), 'overlays/default', ['aggregated-api']);
    const applied = await cluster().kubectl(['apply', '-f', '-'], { stdin: manifests });
    expect(applied.code, applied.stderr).to.equal(0);
    const kubeconfig = `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`;
    const policy = '--policy=manifests/components/enforcing/policy.yaml';
    [gate, open] = await Promise.all([
      startGate(cluster().folder, [
        ...[kubeconfig, policy, '--tls-secret=olm-guard-tls', '--aggregated-api'],
      ]),
      startGate(cluster().folder, [kubeconfig, policy]),
    ]);
    // There is no kubelet and no network of pods: the Service leads to the process.
    const services = '/api/v1/namespaces/olm-guard/services';
    const port = Number(new URL(gate.url).port);
    await cluster().request('DELETE', `${services}/olm-guard`);
    const spec = { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] };
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'olm-guard' }, spec };
    expect((await cluster().request('POST', services, service)).code).to.equal(201);
    const patch = { spec: { service: { name: 'olm-guard', namespace: 'olm-guard', port } } };
    expect((await cluster().request('PATCH', apiService, patch, mergePatch)).code).to.equal(200);
    await until(
      'the API to be available',
      async () => {
        const { text } = await cluster().request('GET', apiService);
        return text.includes('"reason":"Passed"') || undefined;
      },
      { timeoutMs: 120_000 },
    );
    await untilAnswered(cluster(), 403);
    await grant(insider, 'admissionreviews.admission.olm-guard.io');
  });
  after(() => Promise.all([gate?.stop(), open?.stop()]));

  const rival = withApiVersion(
    aCsv({ name: 'probe.v1', namespace: home, owns: ['vaults.example.com'] }),
  );
  const create = (object: JsonObject, user?: string): Promise<Answer> =>
    cluster().request(
      'POST',
      `${pathOf(object, 'collection')}?dryRun=All`,
      object,
      user === undefined ? {} : { user },
    );

  it('name what a creation would harm to who may list it', async () => {
    const { code, text } = await create(rival);
    expect(code, text).to.equal(403);
    expect(text).to.include(keepers);
    const [, again = ''] = /To see it again: kubectl (.*?)\\n/.exec(text) ?? [];
    writeFileSync(file('FILE'), JSON.stringify(rival));
    const words = again.replace('FILE', file('FILE')).split(' ');
    const { code: ended, stderr } = await cluster().kubectl(words);
    expect(stderr, again).to.include(keepers);
    expect(ended).to.equal(1);
  });

  it('name the check alone to who may not, and whom to ask', async () => {
    const { code, text } = await create(rival, tenant);
    expect(code, text).to.equal(403);
    expect(text)
      .to.include('an OperatorGroup that shares a target namespace provides one of its APIs')
      .and.include('you may not list ')
      .and.include(
        'To fix: use the operator that is there, or choose groups that share no namespace; ask a cluster administrator',
      )
      .and.not.include(keepers);
  });

  it('count for creations at the same moment, before the watch shows them', async () => {
    for (let round = 0; round < 5; round++) {
      const namespace = `at-once-${round}`;
      const groups = ['one', 'two'].map((name) => makeGroup({ name, namespace }));
      const path = '/api/v1/namespaces';
      await cluster().request('POST', path, {
        ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      });
      const answers = await Promise.all(
        groups
          .map(withApiVersion)
          .map((each) => cluster().request('POST', pathOf(each, 'collection'), each)),
      );
      expect(answers.map(({ code }) => code).sort()).to.deep.equal([201, 403]);
    }
  });

  interface Sent {
    readonly status: number;
    readonly text: string;
  }

  /** To the API server or to the gate itself, with the header by which the front proxy names a user. */
  const send = (
    target: string,
    path: string,
    body: string,
    { ca, token }: { readonly ca: string; readonly token?: string },
  ): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...{ 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
        ...{ 'X-Remote-User': 'system:apiserver', 'X-Remote-Group': 'system:masters' },
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      };
      const options = { method: 'POST', ca, headers };
      const sent = httpsRequest(`${target}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end(body);
    });

  const madeUp = reviewText({
    kind: { group: 'operators.coreos.com', version: 'v1alpha1', kind: 'ClusterServiceVersion' },
    resource: {
      ...{ group: 'operators.coreos.com', version: 'v1alpha1' },
      resource: 'clusterserviceversions',
    },
    ...{ name: 'probe.v1', namespace: home, operation: 'CREATE', object: rival, oldObject: null },
    userInfo: { username: 'kubernetes-admin', groups: ['system:masters'] },
  });
  const nothing = 'the review came without the client certificate of an API server';

  for (const path of ['/validate', reviews]) {
    it(`are believed of nobody who posts to ${path} of the gate with the header of the front proxy`, async () => {
      const { body } = await cluster().request(
        'GET',
        '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls',
      );
      const { data } = body as unknown as { data: Record<string, string> };
      const ca = Buffer.from(data['ca.crt'] ?? '', 'base64').toString('utf8');
      const { status, text } = await send(gate.url, path, madeUp, { ca });
      expect(status, text).to.equal(200);
      expect(JSON.stringify(responseIn(text)))
        .to.include(nothing)
        .and.not.include(keepers);
    });
  }

  it('are believed of nobody whom the API server lets post there, whatever header they send', async () => {
    const ca = readFileSync(cluster().caFile, 'utf8');
    const post = (user: string): Promise<Sent> =>
      send(cluster().url, reviews, madeUp, { ca, token: cluster().tokenOf(user) });
    const { status, text } = await post(insider);
    expect(status, text).to.equal(200);
    expect(JSON.stringify(responseIn(text)))
      .to.include(nothing)
      .and.not.include(keepers);
    // Who has no right to it does not even get that far.
    expect((await post(tenant)).status).to.equal(403);
  });

  it('are led nowhere else by who has the token of the gate', async () => {
    const { body } = await cluster().request('GET', apiService);
    const { metadata, spec } = body as unknown as { metadata: object; spec: JsonObject };
    const write = (change: object): Promise<Answer> =>
      cluster().request(
        'PUT',
        `${apiService}?dryRun=All`,
        { ...body, metadata, spec: { ...spec, ...change } },
        { user: serviceAccount },
      );
    const elsewhere = { name: 'elsewhere', namespace: 'default', port: 443 };
    for (const change of [
      { service: elsewhere },
      { versionPriority: 99 },
      { groupPriorityMinimum: 1 },
      { caBundle: null, insecureSkipTLSVerify: true },
    ]) {
      const { code, text } = await write(change);
      expect(code, text).to.be.oneOf([403, 422]);
      expect(text).to.include('may change nothing of its APIService but caBundle');
    }
    const bundle = readFileSync(file('ca.crt')).toString('base64');
    const { code, text } = await write({ caBundle: bundle });
    expect(code, text).to.equal(200);
  });

  it('are recognized by olm-guard doctor', async () => {
    const { stdout } = await cluster().kubectl(['version', '-o', 'json']);
    expect(stdout).to.include('serverVersion');
    const { spawnSync } = await import('node:child_process');
    const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
    const args = [main, 'doctor', `--kubeconfig=${cluster().kubeconfigPath}`];
    const { stdout: said } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(said)
      .to.match(/^ok +APIService v1alpha1\.admission\.olm-guard\.io is available/m)
      .and.match(/^ok +the gate knows that it is the API server which asks$/m)
      .and.match(/^ok +.*olm-guard:olm-guard has its \d+ rights$/m);
  });

  it('may be made up without: then a creation is told by which command to see what is there', async () => {
    const { status, text } = await send(open.url, '/validate', madeUp, { ca: open.ca });
    expect(status, text).to.equal(200);
    const { allowed, status: refused } = responseIn(text) as {
      allowed: boolean;
      status: { message: string };
    };
    expect(allowed).to.equal(false);
    expect(refused.message).not.to.include(keepers);
    const command = /kubectl (get \S+ --all-namespaces)/.exec(refused.message)?.[1] ?? '';
    expect(await kubectl(cluster(), ...command.split(' '))).to.include(keepers);
  });

  // Why docs/decisions/api-server-identity.md keeps no key in the path of the webhooks.
  it('would tell whoever writes a key in the path, were it there, when nobody answers', async () => {
    const [path, name] = [
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      'keyed',
    ];
    const webhook = {
      ...{ name: 'keyed.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None' },
      ...{ failurePolicy: 'Fail', timeoutSeconds: 1 },
      clientConfig: { url: 'https://127.0.0.1:1/validate/s3cret-key' },
      rules: [
        {
          ...{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'] },
          resources: ['configmaps'],
        },
      ],
    };
    const registration = {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
      ...{ metadata: { name }, webhooks: [webhook] },
    };
    expect((await cluster().request('POST', path, registration)).code).to.equal(201);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'probe' } };
    const maps = `/api/v1/namespaces/${home}/configmaps?dryRun=All`;
    const answer = await until('the webhook to be asked', async () => {
      const told = await cluster().request('POST', maps, map, { user: tenant });
      return told.code === 201 ? undefined : told;
    });
    expect(answer.text).to.include('/validate/s3cret-key');
    await cluster().request('DELETE', `${path}/${name}`);
  });
});
