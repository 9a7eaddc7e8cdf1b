/** Lists in pages of bounded size, however large the objects are that somebody has stored. */
import { isObject, parseJson, readList, type JsonValue } from '../../../text/documents/index.js';
import type { Connection } from './connection.js';
import { ClusterError } from './view.js';

export interface BoundedPages {
  /** Path and query of a page. */
  readonly path: (query: Record<string, string>) => string;
  readonly accept?: string;
  /** Objects of a page, at most. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Page {
  readonly list: JsonValue;
  /** As it was written. */
  readonly bytes: number;
}

/** A page is parsed as a whole: it must not be all of the heap. */
const pageBytes = 8 * 1024 * 1024;
/** Of a single object, as etcd takes it, with each character written as six bytes. */
const objectBytes = 16 * 1024 * 1024;

/** What may come of a page of so many objects. */
export function answerBytes(limit: number): number {
  return limit === 1 ? objectBytes : pageBytes;
}

/** With how many objects to ask again for a page that was too large; undefined where nothing helps. */
export function fewerObjects(error: unknown, limit: number): number | undefined {
  const isTooLarge = error instanceof ClusterError && error.again.isTooLarge === true;
  return isTooLarge && limit > 1 ? Math.ceil(limit / 4) : undefined;
}

/**
 * Where the page behind one begins; empty behind the last one.
 *
 * @throws ClusterError where it begins where that one did: nobody would ever come to the end
 */
export function nextToken(next: string, token: string): string {
  if (next === '' || next !== token) return next;
  throw new ClusterError('a list does not end: its next page begins where this one did');
}

/**
 * The pages of a list, parsed. One that is larger than is read is asked for again with fewer objects.
 *
 * @throws ClusterError when the cluster could not or would not say
 */
export async function* boundedPages(
  connection: Connection,
  { path, accept, limit: most, signal }: BoundedPages,
): AsyncGenerator<Page, void, void> {
  let limit = most;
  let token = '';
  for (;;) {
    const query = { limit: String(limit), ...(token === '' ? {} : { continue: token }) };
    const init = { path: path(query), signal, maxAnswerBytes: answerBytes(limit) };
    let page: Page;
    try {
      const text = await connection.read({ ...init, accept });
      page = { list: parseJson(text), bytes: Buffer.byteLength(text) };
    } catch (error) {
      const fewer = fewerObjects(error, limit);
      if (fewer === undefined) throw error;
      limit = fewer;
      continue;
    }
    yield page;
    token = nextToken(isObject(page.list) ? readList(page.list).next : '', token);
    if (token === '') return;
    limit = Math.min(most, 2 * limit);
  }
}
