/** All objects of one kind, in pages whose size in bytes stays bounded whatever the objects' sizes. */
import {
  parseJson,
  readList,
  stringifyJson,
  type ObjectList,
  type PlaceInList,
} from '../../text/documents/index.js';
import { answerBytes, fewerObjects, nextToken } from './bounded-pages.js';
import { LiveCluster } from './live.js';
import type { ClusterView } from './view.js';

export interface VersionedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface PageOptions {
  readonly signal?: AbortSignal;
  /** Largest size of a page; a larger object comes alone. */
  readonly bytes?: number;
  readonly first?: number;
}

const defaultBytes = 1024 * 1024;
// At etcd's limit of 1.5 MB for one object the first page is 15 MB at worst.
const defaultFirst = 10;
const maxObjects = 1000;
const folderPage = 500;
/** How long a single page may take; there is no retry. */
const pageMilliseconds = 30_000;

/** @param read bytes of a page: {@link readPage}, or in a thread @throws ClusterError */
export async function* objectPages<Page extends PlaceInList>(
  view: ClusterView,
  { group, version, resource }: VersionedResource,
  read: (list: Buffer<ArrayBuffer>) => Page | Promise<Page>,
  { signal, bytes = defaultBytes, first = defaultFirst }: PageOptions = {},
): AsyncGenerator<Page, void, void> {
  if (!(view instanceof LiveCluster)) {
    const objects = await view.list({ group, resource }, { signal });
    for (let from = 0; from < objects.length; from += folderPage) {
      const remaining = Math.max(0, objects.length - from - folderPage);
      const metadata = { remainingItemCount: remaining, continue: remaining > 0 ? 'more' : '' };
      const items = objects.slice(from, from + folderPage);
      yield await read(Buffer.from(stringifyJson({ metadata, items })));
    }
    return;
  }
  const over = new AbortController();
  const ask = (limit: number, token: string): Promise<Buffer<ArrayBuffer>> => {
    const query = new URLSearchParams({ limit: String(limit) });
    if (token !== '') query.set('continue', token);
    const path = `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}/${encodeURIComponent(resource)}?${query.toString()}`;
    const signals = [over.signal, AbortSignal.timeout(pageMilliseconds)];
    if (signal !== undefined) signals.push(signal);
    const answer = view.connection.read({
      path,
      signal: AbortSignal.any(signals),
      maxAnswerBytes: answerBytes(limit),
    });
    // If the caller has stopped reading, nothing handles the rejection.
    answer.catch(() => undefined);
    return answer;
  };
  let limit = first;
  let largest = 0;
  let token = '';
  let answer = ask(limit, token);
  try {
    for (;;) {
      let list: Buffer<ArrayBuffer>;
      try {
        list = await answer;
      } catch (error) {
        const fewer = fewerObjects(error, limit);
        if (fewer === undefined) throw error;
        limit = fewer;
        answer = ask(limit, token);
        continue;
      }
      const size = list.length;
      const page = await read(list);
      // Estimated by the largest objects so far, and growing slowly, because the next ones may be larger.
      largest = Math.max(largest, size / Math.max(page.count, 1));
      limit = Math.max(1, Math.min(maxObjects, limit * 4, Math.floor(bytes / largest)));
      // The next page is requested while this one is processed.
      token = nextToken(page.next, token);
      if (token !== '') answer = ask(limit, token);
      yield page;
      if (token === '') return;
    }
  } finally {
    over.abort();
  }
}

/** @throws InvalidInputError for bytes that are not a list */
export function readPage(bytes: Buffer): ObjectList {
  return readList(parseJson(bytes));
}
