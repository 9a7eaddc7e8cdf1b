/** Every object of a kind, whole or its metadata alone, in pages of bounded size. */
import { nextToken } from '../view/bounded-pages.js';
import { ClusterError } from '../view/view.js';
import { metaOf, readList, type JsonObject } from '../../text/documents/index.js';
import type { MigratedKind } from './migrated-kind.js';
import type { Requests } from './requests.js';

export interface ObjectPage {
  readonly objects: readonly JsonObject[];
  /** Objects on later pages, as far as the server says. */
  readonly remaining?: number;
  /** Where the next page begins; empty on the last one. */
  readonly next: string;
  /** The state that the page shows. */
  readonly resourceVersion: string;
}

export interface PageOptions {
  /** Objects of a page, at most. */
  readonly pageSize: number;
  readonly isMetadataOnly?: boolean;
  readonly from?: string;
  /** Called when the server does not know where to go on, and the list begins anew. */
  readonly onRestart?: () => void;
}

// At etcd's limit of 1.5 MB for one object the first page is 15 MB at worst.
const firstPage = 10;
/** Bytes that a page is meant to hold, by the largest average so far; and that none may exceed. */
const pageBytes = 4 * 1024 * 1024;
const maxAnswerBytes = 32 * 1024 * 1024;
export const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** A list that expires again and again is longer than the server keeps states. */
const maxRestarts = 5;

/** @throws ClusterError when the cluster could not or would not say */
export async function* objectPages(
  requests: Requests,
  kind: MigratedKind,
  { pageSize, isMetadataOnly = false, from = '', onRestart }: PageOptions,
): AsyncGenerator<ObjectPage, void, void> {
  let [token, limit, largest, restarts] = [from, Math.min(firstPage, pageSize), 0, 0];
  for (;;) {
    const query = new URLSearchParams({ limit: String(limit) });
    if (token !== '') query.set('continue', token);
    let answer: { object: JsonObject; bytes: number };
    try {
      const path = `${collectionPath(kind)}?${query.toString()}`;
      const accept = isMetadataOnly ? { accept: metadataOnly } : {};
      answer = await requests.sized({ path, maxAnswerBytes, ...accept });
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      // The pages before held smaller objects.
      if (error.again.isTooLarge === true && limit > 1) {
        limit = Math.floor(limit / 2);
        continue;
      }
      if (error.status !== 410 || token === '') throw error;
      if (++restarts > maxRestarts) throw error;
      // The server offers to go on from the same place in a newer state: nothing before it is missed,
      // as whatever was written there since was written in the storage version.
      token = error.again.continueToken ?? '';
      if (token === '') onRestart?.();
      continue;
    }
    restarts = 0;
    const { objects, next, remaining } = readList(answer.object);
    largest = Math.max(largest, answer.bytes / Math.max(objects.length, 1));
    limit = Math.max(1, Math.min(pageSize, limit * 4, Math.floor(pageBytes / largest)));
    const { resourceVersion } = metaOf(answer.object);
    yield { objects, next, resourceVersion, remaining };
    if (next === '') return;
    token = nextToken(next, token);
  }
}

/** `/apis/GROUP/VERSION/RESOURCE`, in the storage version where none is named. */
export function collectionPath(
  { group, storage, resource }: MigratedKind,
  version = storage,
): string {
  return `/apis/${[group, version, resource].map(encodeURIComponent).join('/')}`;
}

export function objectPath(
  kind: MigratedKind,
  object: { readonly namespace: string; readonly name: string },
): string {
  const base = `/apis/${[kind.group, kind.storage].map(encodeURIComponent).join('/')}`;
  const namespace =
    object.namespace === '' ? '' : `/namespaces/${encodeURIComponent(object.namespace)}`;
  return `${base}${namespace}/${encodeURIComponent(kind.resource)}/${encodeURIComponent(object.name)}`;
}

/** `namespace/name`, or the name alone. */
export function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
