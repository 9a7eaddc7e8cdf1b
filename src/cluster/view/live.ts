import {
  isObject,
  type JsonObject,
  metaOf,
  parseJson,
  readList,
} from '../../text/documents/index.js';
import { isAllowed } from './access.js';
import { boundedPages } from './bounded-pages.js';
import type { Connection } from './connection.js';
import { Discovery, type ServedResource } from './discovery.js';
import {
  ClusterError,
  type ClusterView,
  type KindOfResource,
  type ListOptions,
  type ResourceName,
  type UpdatedObject,
  type User,
} from './view.js';
import { textAt } from '../../text/documents/fields.js';

/** No single read holds an admission review longer than this. */
const deadlineMilliseconds = 5_000;
const defaultPageSize = 500;
/** One review asks about several kinds, and a release sends many reviews. */
const rightMilliseconds = 10_000;
const maxRights = 1_000;

/** Gets and lists with a deadline; an unchanged object is parsed once. */
export class LiveCluster implements ClusterView {
  private readonly discovery: Discovery;
  private readonly rights = new Map<string, { readonly may: boolean; readonly until: number }>();
  private readonly parsed = new Map<
    string,
    { readonly bytes: Buffer; readonly object: JsonObject }
  >();

  constructor(
    readonly connection: Connection,
    private readonly options: {
      readonly pageSize?: number;
      /** Limit for the JSON of one list. */
      readonly maxListBytes?: number;
    } = {},
  ) {
    this.discovery = new Discovery(connection);
  }

  async get(
    resource: ResourceName,
    name: string,
    namespace?: string,
    signal?: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const bounded = withDeadline(signal);
    const served = await this.discovery.find(resource, bounded);
    if (served === undefined) return undefined;
    const path = `${collectionPath(served, namespace)}/${encodeURIComponent(name)}`;
    try {
      return this.parseOnce(path, await this.connection.read({ path, signal: bounded }));
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return undefined;
      throw error;
    }
  }

  async getAt(
    resource: ResourceName,
    name: string,
    namespace: string | undefined,
    resourceVersion: string,
  ): Promise<JsonObject | undefined> {
    const signal = withDeadline(undefined);
    const served = await this.discovery.find(resource, signal);
    if (served === undefined) return undefined;
    // An earlier state of one object is to be had as a list.
    const query = new URLSearchParams({
      fieldSelector: `metadata.name=${name}`,
      resourceVersion,
      resourceVersionMatch: 'Exact',
    });
    const path = `${collectionPath(served, namespace)}?${query.toString()}`;
    try {
      const [object] = readPage(
        parseJson(await this.connection.read({ path, signal })),
        served,
      ).items;
      const isIt = metaOf(object).resourceVersion === resourceVersion;
      return isIt ? object : undefined;
    } catch (error) {
      // No such revision, or one that is gone.
      const isNone =
        error instanceof ClusterError && [400, 404, 410, 504].includes(error.status ?? 0);
      if (isNone) return undefined;
      throw error;
    }
  }

  async serverVersion(): Promise<string | undefined> {
    const answer = parseJson(
      await this.connection.read({ path: '/version', signal: withDeadline(undefined) }),
    );
    return textAt(answer, 'gitVersion');
  }

  async list(resource: ResourceName, options: ListOptions = {}): Promise<readonly JsonObject[]> {
    const signal = withDeadline(options.signal);
    const served = await this.discovery.find(resource, signal);
    if (served === undefined) return [];
    const { namespace, labelSelector } = options;
    const { pageSize = defaultPageSize, maxListBytes = Infinity } = this.options;
    const path = (query: Record<string, string>): string => {
      const asked = new URLSearchParams(query);
      if (labelSelector !== undefined) asked.set('labelSelector', labelSelector);
      return `${collectionPath(served, namespace)}?${asked.toString()}`;
    };
    const objects: JsonObject[] = [];
    let bytes = 0;
    try {
      for await (const page of boundedPages(this.connection, { path, limit: pageSize, signal })) {
        bytes += page.bytes;
        if (bytes > maxListBytes) {
          const message = `the ${served.resource} take more memory than there is for them`;
          throw new ClusterError(message, undefined, { isTooLarge: true });
        }
        for (const item of readPage(page.list, served).items) objects.push(item);
      }
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== 404) throw error;
      this.discovery.forget(served);
      return [];
    }
    return objects;
  }

  resourceOf(apiVersion: string, kind: string): Promise<KindOfResource | undefined> {
    return this.discovery.resourceOf(apiVersion, kind, withDeadline(undefined));
  }

  mayList(user: User, resource: ResourceName, namespace?: string): Promise<boolean> {
    const { group, resource: plural } = resource;
    return this.may(user, { verb: 'list', group, resource: plural, namespace });
  }

  mayUpdate(user: User, object: UpdatedObject): Promise<boolean> {
    return this.may(user, { verb: 'update', ...object });
  }

  private async may(
    user: User,
    resourceAttributes: Readonly<Record<string, string | undefined>>,
  ): Promise<boolean> {
    const key = JSON.stringify([user, resourceAttributes]);
    const known = this.rights.get(key);
    if (known !== undefined && known.until > performance.now()) return known.may;
    const may = await isAllowed(
      this.connection,
      user,
      { resourceAttributes },
      withDeadline(undefined),
    );
    this.rights.delete(key);
    this.rights.set(key, { may, until: performance.now() + rightMilliseconds });
    if (this.rights.size > maxRights) this.rights.delete(this.rights.keys().next().value ?? '');
    return may;
  }

  /** The API server's bytes for one resourceVersion are always the same ones. */
  private parseOnce(path: string, bytes: Buffer): JsonObject | undefined {
    const known = this.parsed.get(path);
    if (known?.bytes.equals(bytes) === true) return known.object;
    const object = parseJson(bytes);
    if (!isObject(object)) return undefined;
    this.parsed.delete(path);
    this.parsed.set(path, { bytes, object });
    // Small: it serves the owners of the few definitions that are being upgraded right now.
    if (this.parsed.size > 64) this.parsed.delete(this.parsed.keys().next().value ?? '');
    return object;
  }
}

/** `/apis/GROUP/VERSION[/namespaces/NS]/RESOURCE` */
export function collectionPath(served: ServedResource, namespace?: string): string {
  const inNamespace =
    served.namespaced && namespace !== undefined
      ? `/namespaces/${encodeURIComponent(namespace)}`
      : '';
  return `${served.base}${inNamespace}/${served.resource}`;
}

/** Items of a list carry neither apiVersion nor kind of their own; they get them here. */
export function readPage(
  value: unknown,
  served: ServedResource,
): { items: JsonObject[]; next: string; resourceVersion: string } {
  if (!isObject(value)) throw new ClusterError(`the list of ${served.resource} is not an object`);
  const { objects, next } = readList(value);
  const apiVersion = served.group === '' ? served.version : `${served.group}/${served.version}`;
  return {
    items: objects.map((item) => ({ apiVersion, kind: served.kind, ...item })),
    next,
    resourceVersion: metaOf(value).resourceVersion,
  };
}

function withDeadline(signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(deadlineMilliseconds);
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
}
