/** Lists in pages of bounded size, however large the stored objects are. */
import { isObject, parseJson, readList, type JsonValue } from '../../text/documents/index.js';
import type { Connection } from './connection.js';
import { ClusterError } from './view.js';

export interface BoundedPages {
  /** Path and query of a page. */
  readonly path: (query: Record<string, string>) => string;
  readonly accept?: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Page {
  readonly list: JsonValue;
  readonly bytes: number;
}

/** A page is parsed as a whole, so it must be small compared with the heap. */
const pageBytes = 8 * 1024 * 1024;
/** Limit for a single object: the largest that etcd accepts, with each character escaped as six bytes. */
const objectBytes = 16 * 1024 * 1024;

export function answerBytes(limit: number): number {
  return limit === 1 ? objectBytes : pageBytes;
}

/** How many objects to request instead if a page was too large; undefined if nothing helps. */
export function fewerObjects(error: unknown, limit: number): number | undefined {
  const isTooLarge = error instanceof ClusterError && error.again.isTooLarge === true;
  return isTooLarge && limit > 1 ? Math.ceil(limit / 4) : undefined;
}

/** Empty after the last page. @throws ClusterError if it is the same again: the list would never end */
export function nextToken(next: string, token: string): string {
  if (next === '' || next !== token) return next;
  throw new ClusterError('a list does not end: its next page begins where this one did');
}

/** A page that is too large is requested again with fewer objects. @throws ClusterError */
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
