/** Who installed a stored object, by the labels that OLM puts on it. */
import type { ClusterView, ResourceName } from '../facts/cluster/view.js';
import { isObject, own, type JsonObject } from '../text/documents/index.js';
import type { Policy } from './policy.js';

const clusterExtensions = { group: 'olm.operatorframework.io', resource: 'clusterextensions' };
const subscriptions = { group: 'operators.coreos.com', resource: 'subscriptions' };
const serviceVersions = { group: 'operators.coreos.com', resource: 'clusterserviceversions' };

export interface Owners {
  readonly objects: readonly JsonObject[];
  /** Owners that could not be read: what they say does not count. */
  readonly problems: readonly string[];
}

/**
 * The ClusterExtension, Subscriptions and ClusterServiceVersions that the stored object's labels
 * name, as the cluster has them. Asks only for kinds that the policy accepts as a source.
 */
export async function ownersOf(
  stored: JsonObject,
  { policy, view }: { readonly policy: Policy; readonly view: ClusterView },
): Promise<Owners> {
  if (!policy.bypass.allowed) return { objects: [], problems: [] };
  const labels = labelsOf(stored);
  const { sources } = policy.bypass;
  const asked: Promise<Owners>[] = [];
  const extension = extensionName(labels);
  if (extension !== undefined && sources.includes('clusterextension')) {
    asked.push(
      attempt(`ClusterExtension "${extension}"`, () => one(view, clusterExtensions, extension)),
    );
  }
  if (sources.includes('subscription') || sources.includes('csv')) {
    for (const component of componentsOf(labels)) {
      asked.push(
        attempt(`the Subscription to "${component.package}" in "${component.namespace}"`, () =>
          classicOwners(view, component, sources.includes('csv')),
        ),
      );
    }
  }
  const found = await Promise.all(asked);
  return {
    objects: found.flatMap(({ objects }) => objects),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** The label that OLM v1 puts on what a ClusterExtension installed. */
function extensionName(labels: ReadonlyMap<string, string>): string | undefined {
  return labels.get('olm.operatorframework.io/owner-kind') === 'ClusterExtension'
    ? labels.get('olm.operatorframework.io/owner-name')
    : undefined;
}

interface Component {
  readonly package: string;
  readonly namespace: string;
}

/** OLM classic labels components `operators.coreos.com/<package>.<namespace>`; namespaces have no dots. */
function componentsOf(labels: ReadonlyMap<string, string>): Component[] {
  const prefix = 'operators.coreos.com/';
  return [...labels.keys()].flatMap((key) => {
    const dot = key.lastIndexOf('.');
    if (!key.startsWith(prefix) || dot <= prefix.length) return [];
    return [{ package: key.slice(prefix.length, dot), namespace: key.slice(dot + 1) }];
  });
}

async function classicOwners(
  view: ClusterView,
  component: Component,
  withServiceVersions: boolean,
): Promise<JsonObject[]> {
  const all = await view.list(subscriptions, { namespace: component.namespace });
  const owners = all.filter((each) => text(each, 'spec', 'name') === component.package);
  if (!withServiceVersions) return owners;
  const installed = owners.flatMap((each) => text(each, 'status', 'installedCSV') ?? []);
  const read = await Promise.all(
    installed.map((name) => view.get(serviceVersions, name, component.namespace)),
  );
  return [...owners, ...read.filter((each) => each !== undefined)];
}

async function one(view: ClusterView, resource: ResourceName, name: string): Promise<JsonObject[]> {
  const object = await view.get(resource, name);
  return object === undefined ? [] : [object];
}

async function attempt(what: string, read: () => Promise<JsonObject[]>): Promise<Owners> {
  try {
    return { objects: await read(), problems: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      objects: [],
      problems: [`${what} could not be read, so a switch-off there does not count: ${reason}`],
    };
  }
}

function labelsOf(object: JsonObject): ReadonlyMap<string, string> {
  const metadata = own(object, 'metadata');
  const labels = isObject(metadata) ? own(metadata, 'labels') : undefined;
  const entries = isObject(labels) ? Object.entries(labels) : [];
  return new Map(entries.filter((each): each is [string, string] => typeof each[1] === 'string'));
}

function text(object: JsonObject, field: string, name: string): string | undefined {
  const parent = own(object, field);
  const value = isObject(parent) ? own(parent, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
