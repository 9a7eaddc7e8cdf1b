/** A definition that is created in an API server, and replaced there by its next version. */
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';
import { definitions } from './widgets.js';

interface Read {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string };
  };
}

const read = (definition: JsonObject): Read => definition as unknown as Read;

/** Where the objects of a definition's version v1 are. */
export function objectsOf(definition: JsonObject): string {
  const { group, names, scope } = read(definition).spec;
  return `/apis/${group}/v1/${scope === 'Cluster' ? '' : 'namespaces/default/'}${names.plural}`;
}

const nameOf = (definition: JsonObject): string => read(definition).metadata.name;

/** Creates the definition and waits until objects can be created. */
export async function install(cluster: TestCluster, definition: JsonObject): Promise<void> {
  const answer = await cluster.request('POST', definitions, definition);
  expect(answer.code, JSON.stringify(answer.body)).to.equal(201);
  await until(`${nameOf(definition)} to be served`, async () => {
    const { code } = await cluster.request('GET', objectsOf(definition));
    return code === 200 ? true : undefined;
  });
}

/** Replaces it, and waits until `isNew` says that the API server goes by the new one. */
export async function replace(
  cluster: TestCluster,
  definition: JsonObject,
  isNew: () => Promise<boolean>,
): Promise<void> {
  const name = nameOf(definition);
  await until(`${name} to be replaced`, async () => {
    const stored = await cluster.request('GET', `${definitions}/${name}`);
    const metadata = { name, resourceVersion: stored.body.metadata?.resourceVersion ?? '' };
    const { code, body } = await cluster.request('PUT', `${definitions}/${name}`, {
      ...definition,
      metadata,
    });
    if (code === 409) return undefined;
    expect(code, JSON.stringify(body)).to.equal(200);
    return true;
  });
  await until(`the new schema of ${name}`, async () => ((await isNew()) ? true : undefined));
}
