/** All objects of one kind, in pages whose size in bytes stays bounded whatever the objects' sizes. */
import { isObject, own, parseJson, type JsonObject } from '../documents/index.js';
import { LiveCluster } from './live.js';
import { ClusterError, type ClusterView } from './view.js';

/** A resource under the very version that is to be read. */
export interface VersionedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface ObjectPage {
  readonly objects: readonly JsonObject[];
  /** Objects on later pages, as far as the cluster says. */
  readonly remaining?: number;
  readonly last: boolean;
}

export interface PageOptions {
  readonly signal?: AbortSignal;
  /** What a page should hold at most; objects larger than this come alone. */
  readonly bytes?: number;
  /** Objects of the first page, when nothing is known about their size. */
  readonly first?: number;
}

const defaultBytes = 1024 * 1024;
// At etcd's limit of 1.5 MB for one object the first page is 15 MB at worst.
const defaultFirst = 10;
const mostObjects = 1000;
/** No single page may take longer; a page is read again by nobody. */
const pageMilliseconds = 30_000;

/** @throws ClusterError when the cluster could not or would not say */
export async function* objectPages(
  view: ClusterView,
  { group, version, resource }: VersionedResource,
  { signal, bytes = defaultBytes, first = defaultFirst }: PageOptions = {},
): AsyncGenerator<ObjectPage, void, void> {
  if (!(view instanceof LiveCluster)) {
    const objects = await view.list({ group, resource }, signal === undefined ? {} : { signal });
    yield { objects, last: true };
    return;
  }
  let limit = first;
  let largest = 0;
  let token = '';
  do {
    const query = new URLSearchParams({ limit: String(limit) });
    if (token !== '') query.set('continue', token);
    const path = `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}/${encodeURIComponent(resource)}?${query.toString()}`;
    const deadline = AbortSignal.timeout(pageMilliseconds);
    const text = await view.connection.read({
      path,
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    const list = parseJson(text);
    if (!isObject(list)) throw new ClusterError(`the list of ${resource} is not an object`);
    const items = own(list, 'items');
    const objects = Array.isArray(items) ? items.filter(isObject) : [];
    const metadata = own(list, 'metadata');
    const said = (key: string) => (isObject(metadata) ? own(metadata, key) : undefined);
    const remaining = said('remainingItemCount');
    const next = said('continue');
    token = typeof next === 'string' ? next : '';
    yield { objects, last: token === '', ...(typeof remaining === 'number' ? { remaining } : {}) };
    // By the largest page so far, growing slowly: the next objects may be larger than these.
    largest = Math.max(largest, text.length / Math.max(objects.length, 1));
    limit = Math.max(1, Math.min(mostObjects, limit * 4, Math.floor(bytes / largest)));
  } while (token !== '');
}
