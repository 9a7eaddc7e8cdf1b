/**
 * The gate as `kubectl apply -k` installs it. There is no kubelet, so the test starts its process
 * and points the registered webhooks at the process's loopback address.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { TestCluster } from '../apiserver/cluster.js';
import type { TestGate } from '../apiserver/gate.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { changed, definitions, widgets, type Definition } from './widgets.js';

export const root = join(import.meta.dirname, '..', '..');

export const webhookConfiguration =
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/olm-guard';

/** Name under which the gate's own ServiceAccount is a user of the test's API server. */
export const serviceAccount = 'system:serviceaccount:olm-guard:olm-guard';

/** `kubectl …` in the root of the repository; throws with what it said when it fails. */
export async function kubectl(cluster: TestCluster, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(args, { cwd: root });
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/**
 * A kubeconfig whose current user is another one, as a pod's own would be.
 *
 * @param server another address of the API server
 */
export function kubeconfigOf(cluster: TestCluster, user: string, server = cluster.url): string {
  const text = readFileSync(cluster.kubeconfigPath, 'utf8').replaceAll(cluster.url, server);
  const path = join(cluster.folder, `kubeconfig-${`${user}-${server}`.replaceAll(/[:/]+/g, '-')}`);
  const config = { ...(JSON.parse(text) as object), 'current-context': user };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}

export interface Webhook {
  readonly name: string;
  readonly failurePolicy: string;
  readonly clientConfig: { readonly caBundle?: string };
}

export async function webhooksOf(cluster: TestCluster): Promise<Webhook[]> {
  const { body } = await cluster.request('GET', webhookConfiguration);
  return (body as unknown as { webhooks: Webhook[] }).webhooks;
}

/** Replaces the service reference of every webhook by an address. */
export async function pointWebhooksAt(
  cluster: TestCluster,
  { url, ca }: Pick<TestGate, 'url' | 'ca'>,
): Promise<void> {
  const value = { url: `${url}/validate`, caBundle: Buffer.from(ca).toString('base64') };
  await patchClients(cluster, (path) => [{ op: 'replace', path, value }]);
}

/** The same, with the authority that each webhook has. */
export async function leadWebhooksTo(cluster: TestCluster, url: string): Promise<void> {
  await patchClients(cluster, (client) => [
    { op: 'remove', path: `${client}/service` },
    { op: 'add', path: `${client}/url`, value: `${url}/validate` },
  ]);
}

/** @param operations a JSON Patch of one webhook, by the path of its `clientConfig` */
async function patchClients(
  cluster: TestCluster,
  operations: (client: string) => readonly object[],
): Promise<void> {
  const patch = (await webhooksOf(cluster)).flatMap((_webhook, index) =>
    operations(`/webhooks/${index}/clientConfig`),
  );
  const answer = await cluster.request('PATCH', webhookConfiguration, patch, {
    contentType: 'application/json-patch+json',
  });
  if (answer.code !== 200) throw new Error(`the webhooks were not patched: ${answer.text}`);
}

/** One of the folders of manifests/ with components, as a kustomization of one's own renders them. */
export async function kustomize(
  cluster: TestCluster,
  resource: string,
  components: readonly string[] = [],
  more: { readonly transformers?: readonly string[]; readonly [field: string]: unknown } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-kustomize-'));
  const from = (path: string): string => relative(folder, join(root, 'manifests', path));
  const kustomization = {
    ...more,
    resources: [from(resource)],
    components: components.map((each) => from(`components/${each}`)),
    transformers: (more.transformers ?? []).map((each) => from(`transformers/${each}`)),
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  try {
    return await kubectl(cluster, 'kustomize', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * `manifests/overlays/enforcing` over the base, as its guard wants it: the webhooks have an authority
 * before the API server insists on them.
 */
export async function enforce(
  cluster: TestCluster,
  at: Pick<TestGate, 'url' | 'ca'>,
): Promise<void> {
  await kubectl(cluster, 'apply', '-k', 'manifests/base');
  const value = Buffer.from(at.ca).toString('base64');
  await patchClients(cluster, (client) => [{ op: 'add', path: `${client}/caBundle`, value }]);
  await kubectl(cluster, 'apply', '-k', 'manifests/overlays/enforcing');
  await pointWebhooksAt(cluster, at);
}

export const create = (cluster: TestCluster, definition: Definition): Promise<Answer> =>
  cluster.request('POST', definitions, definition);

/** Replaces the stored object as kubectl replace would. */
export async function replace(
  cluster: TestCluster,
  definition: Definition,
  { query = '', user }: { query?: string; user?: string } = {},
): Promise<Answer> {
  const path = `${definitions}/${definition.metadata.name}`;
  return until(`${path} to be nobody else's for a moment`, async () => {
    const { body } = await cluster.request('GET', path);
    const metadata = { ...definition.metadata, resourceVersion: body.metadata?.resourceVersion };
    const answer = await cluster.request(
      'PUT',
      `${path}${query}`,
      { ...definition, metadata },
      user === undefined ? {} : { user },
    );
    // The API server writes conditions into the status of a new definition.
    return answer.code === 409 ? undefined : answer;
  });
}

/** A change that every profile denies. */
export const breaking = (plural = 'widgets'): Definition =>
  changed((spec) => delete spec.properties['pollInterval'], plural);

/** Creates a definition for trying, and waits until changes of it get the answer wanted. */
export async function untilAnswered(cluster: TestCluster, code: number): Promise<void> {
  // Until it has read the patch, the API server asks an address where nobody is; where nobody is to
  // be, the definition is there from before, and a creation gets the wanted answer too.
  await until('a definition for trying to be taken', async () =>
    [201, 409, code].includes((await create(cluster, widgets('probes'))).code) ? true : undefined,
  );
  await until(`the API server to answer ${code}`, async () => {
    const answer = await replace(cluster, breaking('probes'), { query: '?dryRun=All' });
    return answer.code === code ? true : undefined;
  });
}

/** How many reviews of an operation the gate has counted, whatever it decided. */
export async function reviews(gate: TestGate, operation: string): Promise<number> {
  const pattern = /^olm_guard_reviews_total\{(.*)\} (\d+)$/gm;
  return [...(await gate.metrics()).matchAll(pattern)]
    .filter(([, labels]) => labels?.includes(`operation="${operation}"`))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}
