/** What whoever has the gate's token, or that of a migration, can do with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { V1ValidatingWebhook } from '@kubernetes/client-node';
import { expect } from 'chai';
import { createAuthority } from '../../src/gate/server/certificates/authority.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { kubectl, root, serviceAccount, webhookConfiguration } from './installed-gate.js';

const migrator = 'system:serviceaccount:olm-guard:olm-guard-migrate';
const namespace = '/api/v1/namespaces/olm-guard';

describe('the rights of the gate itself', () => {
  const cluster = useCluster({ users: [{ name: serviceAccount }, { name: migrator }] });
  const as = (user: string | undefined, method: string, path: string, body?: object) =>
    cluster().request(method, path, body, user === undefined ? {} : { user });

  type Registration = Record<string, unknown> & {
    metadata: Record<string, unknown>;
    webhooks: (Record<string, unknown> & { clientConfig: Record<string, unknown> })[];
  };

  /** The registration with a change, as somebody writes it. */
  async function write(
    change: (registration: Registration) => void,
    isAdmin = false,
  ): Promise<Answer> {
    const { body } = await as(undefined, 'GET', webhookConfiguration);
    const registration = structuredClone(body) as unknown as Registration;
    change(registration);
    return as(
      isAdmin ? undefined : serviceAccount,
      'PUT',
      `${webhookConfiguration}?dryRun=All`,
      registration,
    );
  }

  const first = ({ webhooks }: Registration) => webhooks[0] as Registration['webhooks'][number];
  let caBundle = '';

  before(async () => {
    const { cert } = await createAuthority(Date.now(), 1);
    caBundle = Buffer.from(cert).toString('base64');
    await kubectl(cluster(), 'apply', '-k', 'manifests/overlays/default');
    for (const file of ['rbac.yaml', 'job.yaml']) {
      await kubectl(cluster(), 'apply', '-f', `manifests/migrate/${file}`);
    }
    await until('the policy to count', async () => {
      const { code } = await write((each) => (first(each)['timeoutSeconds'] = 5));
      return code === 403 ? true : undefined;
    });
  });

  it('fill in caBundle of every webhook', async () => {
    const { code, text } = await write((each) => {
      for (const { clientConfig } of each.webhooks) clientConfig['caBundle'] = caBundle;
    });
    expect(code, text).to.equal(200);
  });

  const service = { namespace: 'default', name: 'elsewhere', path: '/', port: 443 };
  const every = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  const selector = { matchLabels: { a: 'b' } };
  const changes: Readonly<Record<string, (registration: Registration) => void>> = {
    name: (each) => (first(each)['name'] = 'other.olm-guard.io'),
    clientConfig: (each) => (first(each).clientConfig = { url: 'https://elsewhere.example.com' }),
    'clientConfig: another Service': (each) => (first(each).clientConfig = { service }),
    rules: (each) => (first(each)['rules'] = [every]),
    failurePolicy: (each) => (first(each)['failurePolicy'] = 'Fail'),
    matchPolicy: (each) => (first(each)['matchPolicy'] = 'Exact'),
    namespaceSelector: (each) => (first(each)['namespaceSelector'] = selector),
    objectSelector: (each) => (first(each)['objectSelector'] = selector),
    sideEffects: (each) => (first(each)['sideEffects'] = 'NoneOnDryRun'),
    timeoutSeconds: (each) => (first(each)['timeoutSeconds'] = 1),
    admissionReviewVersions: (each) => (first(each)['admissionReviewVersions'] = ['v1', 'v1beta1']),
    matchConditions: (each) => (first(each)['matchConditions'] = []),
    'a webhook more': (each) => each.webhooks.push({ ...first(each), name: 'more.olm-guard.io' }),
    'a webhook less': (each) => each.webhooks.splice(0, 1),
    'no webhook': (each) => each.webhooks.splice(0),
    'one in place of another': (each) =>
      each.webhooks.splice(0, 1, {
        ...(each.webhooks[1] as Registration['webhooks'][number]),
        name: first(each)['name'],
      }),
    annotations: (each) =>
      (each.metadata['annotations'] = { 'cert-manager.io/inject-ca-from': 'default/theirs' }),
    labels: (each) => (each.metadata['labels'] = {}),
    finalizers: (each) => (each.metadata['finalizers'] = ['example.com/stay']),
    ownerReferences: (each) =>
      (each.metadata['ownerReferences'] = [
        { apiVersion: 'v1', kind: 'Node', name: 'none', uid: 'none' },
      ]),
  };

  for (const [what, change] of Object.entries(changes)) {
    it(`change nothing else of the registration: ${what}`, async () => {
      const { code, text } = await write(change);
      // What two policies refuse is answered in the words of either.
      expect(text).to.match(
        /may change nothing of its registration but caBundle|failurePolicy Fail and no caBundle/,
      );
      expect(code).to.be.oneOf([403, 422]);
    });
  }

  it('are tried with every field that a webhook has', () => {
    const names = V1ValidatingWebhook.getAttributeTypeMap().map(({ name }) => name);
    expect(Object.keys(changes)).to.include.members(names);
  });

  it('do not affect other users', async () => {
    const { code, text } = await write((each) => (first(each)['timeoutSeconds'] = 5), true);
    expect(code, text).to.equal(200);
  });

  const secret = (name: string, type: string, more: object = {}): object => ({
    ...{ apiVersion: 'v1', kind: 'Secret', type, metadata: { name, ...more } },
    data: { 'tls.crt': caBundle, 'tls.key': caBundle },
  });
  const token = { annotations: { 'kubernetes.io/service-account.name': 'olm-guard-migrate' } };
  for (const [name, type, more, wanted] of [
    ['olm-guard-tls', 'kubernetes.io/tls', {}, 201],
    ['other', 'kubernetes.io/tls', {}, 403],
    ['olm-guard-tls', 'Opaque', {}, 403],
    ['olm-guard-tls', 'kubernetes.io/service-account-token', token, 403],
  ] as const) {
    it(`${wanted === 201 ? 'create' : 'do not create'} the Secret ${name} of type ${type}`, async () => {
      const path = `${namespace}/secrets?dryRun=All`;
      const { code, text } = await as(serviceAccount, 'POST', path, secret(name, type, more));
      expect(code, text).to.equal(wanted);
      if (wanted === 403) expect(text).to.include('may create no Secret but olm-guard-tls');
      expect((await as(undefined, 'POST', path, secret(name, type, more))).code).to.equal(201);
    });
  }

  it('do not make a Secret without a name, for a name that begins like it', async () => {
    const made = secret('', 'kubernetes.io/tls') as { metadata: object };
    made.metadata = { generateName: 'olm-guard-tls' };
    const { code } = await as(serviceAccount, 'POST', `${namespace}/secrets?dryRun=All`, made);
    expect(code).to.equal(403);
  });

  it('of a migration plant no policy, and write its checkpoint', async () => {
    const map = (name: string, more: object = {}): object => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more } },
      data: { 'policy.yaml': 'bypass: { allowed: true }' },
    });
    for (const name of ['olm-guard-policy', 'olm-guard-defaults', 'olm-guard-migrate']) {
      const { code } = await as(migrator, 'POST', `${namespace}/configmaps`, map(name));
      expect(code, name).to.equal(403);
    }
    const path = `${namespace}/configmaps/olm-guard-migrate`;
    const { body } = await as(migrator, 'GET', path);
    const { code } = await as(migrator, 'PUT', path, { ...body, data: { checkpoint: 'at' } });
    expect(code).to.equal(200);
    await kubectl(cluster(), 'apply', '-f', 'manifests/migrate/job.yaml');
    const { body: after } = await as(migrator, 'GET', path);
    expect(after).to.deep.include({ data: { checkpoint: 'at' } });
  });

  it('are named by the ServiceAccount that the Deployment has', () => {
    const text = (file: string): string => readFileSync(join(root, 'manifests/base', file), 'utf8');
    const [, name = ''] = /serviceAccountName: (\S+)/.exec(text('deployment.yaml')) ?? [];
    expect(text('validatingadmissionpolicy-own-rights.yaml').split(`:${name}$"`)).to.have.length(3);
  });
});
