/** Kinds that go from v1beta1 to v1, and what an API server and its etcd have of them. */
import { expect } from 'chai';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';
import type { Answer, KubernetesBody } from '../apiserver/request.js';
import { definitionPath, definitions, version, widgets, type Definition } from './widgets.js';

/** Both versions, objects being stored in the one that is named. */
export function bothVersions(plural: string, storage: 'v1beta1' | 'v1'): Definition {
  const definition = widgets(plural);
  definition.spec.versions = [
    version('v1', { storage: storage === 'v1' }),
    version('v1beta1', { storage: storage === 'v1beta1' }),
  ];
  return definition;
}

export function onlyV1(plural: string): Definition {
  const definition = bothVersions(plural, 'v1');
  definition.spec.versions.pop();
  return definition;
}

/** Writes a definition, whoever else writes it too. */
export async function put(
  cluster: TestCluster,
  definition: Definition,
  query = '',
): Promise<Answer> {
  const path = `${definitions}/${definition.metadata.name}`;
  return until(`${path} to be nobody else's for a moment`, async () => {
    const { body } = await cluster.request('GET', path);
    const resourceVersion = body.metadata?.resourceVersion;
    const metadata = { ...definition.metadata, resourceVersion };
    const answer = await cluster.request('PUT', `${path}${query}`, { ...definition, metadata });
    return answer.code === 409 ? undefined : answer;
  });
}

/** A kind whose objects are stored as v1beta1, by a definition that stores v1. */
export async function createBeta(
  cluster: TestCluster,
  plural: string,
  create: () => Promise<void>,
): Promise<void> {
  const answer = await cluster.request('POST', definitions, bothVersions(plural, 'v1beta1'));
  expect(answer.code, answer.text).to.equal(201);
  await untilServed(cluster, plural, 'v1beta1');
  await create();
  const next = await put(cluster, bothVersions(plural, 'v1'));
  expect(next.code, next.text).to.equal(200);
}

export async function untilServed(
  cluster: TestCluster,
  plural: string,
  name: string,
): Promise<void> {
  await until(`${plural} to be served`, async () => {
    const { code } = await cluster.request('GET', `/apis/example.com/${name}/${plural}`);
    return code === 200 ? true : undefined;
  });
}

export const objectsPath = (plural: string, name: string): string =>
  `/apis/example.com/${name}/namespaces/default/${plural}`;

/** Objects with `spec.replicas` 1, called w0, w1, …; `from` on. */
export async function createObjects(
  cluster: TestCluster,
  plural: string,
  count: number,
  { in: apiVersion = 'v1beta1', from = 0 } = {},
): Promise<void> {
  let next = from;
  const worker = async (): Promise<void> => {
    while (next < from + count) {
      const answer = await cluster.request('POST', objectsPath(plural, apiVersion), {
        ...widget(plural, `w${next++}`, apiVersion),
      });
      if (answer.code !== 201) throw new Error(answer.text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

export function widget(
  plural: string,
  name: string,
  apiVersion: string,
  spec = {},
): KubernetesBody {
  return {
    apiVersion: `example.com/${apiVersion}`,
    kind: widgets(plural).spec.names.kind,
    metadata: { name },
    spec: { mode: 'Fast', replicas: 1, ...spec },
  };
}

export async function apply(
  cluster: TestCluster,
  plural: string,
  { metadata, apiVersion, ...rest }: KubernetesBody,
  manager: string,
  { dryRun = false } = {},
): Promise<Answer> {
  const name = apiVersion?.split('/')[1] ?? '';
  const path = `${objectsPath(plural, name)}/${metadata?.name}?fieldManager=${manager}${dryRun ? '&dryRun=All' : ''}`;
  const body = { apiVersion, metadata, ...rest };
  return cluster.request('PATCH', path, body, { contentType: 'application/apply-patch+yaml' });
}

export async function storedVersions(cluster: TestCluster, plural: string): Promise<unknown> {
  const { body } = await cluster.request('GET', definitionPath(plural));
  return (body['status'] as { storedVersions?: unknown }).storedVersions;
}

interface Stored {
  readonly apiVersion: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Of every object of a kind, what etcd holds: its name, and the version that it is stored in. */
export async function inEtcd(cluster: TestCluster, plural: string): Promise<Map<string, Stored>> {
  const prefix = `/registry/example.com/${plural}/`;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const range_end = base64(`${prefix.slice(0, -1)}0`);
  const stored = new Map<string, Stored>();
  for (let from = prefix; ;) {
    const body = JSON.stringify({ key: base64(from), range_end, limit: 5000 });
    const response = await fetch(`${cluster.etcdUrl}/v3/kv/range`, { method: 'POST', body });
    const { kvs = [], more } = (await response.json()) as {
      kvs?: { key: string; value: string }[];
      more?: boolean;
    };
    for (const { value } of kvs) {
      const object = JSON.parse(Buffer.from(value, 'base64').toString()) as Stored & {
        metadata: { name: string };
      };
      stored.set(object.metadata.name, object);
    }
    const last = kvs.at(-1)?.key;
    if (more !== true || last === undefined) return stored;
    from = `${Buffer.from(last, 'base64').toString()}\0`;
  }
}
