/** Reads a catalog from catalogd's HTTP API, as it streams. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CatalogBuilder, type LoadedCatalog, type LoadOptions } from '../../olm/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { addJsonStream } from './json-file.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import type { SkippedEntry } from '../../text/documents/folder-walk.js';

interface Limits {
  readonly bytes: number;
  readonly milliseconds: number;
}

export interface CatalogdOptions extends LoadOptions {
  readonly caFile?: string;
  readonly onProgress?: (read: number, total: number) => void;
  /** Called with each file of a folder that is skipped. */
  readonly onSkipped?: (entry: SkippedEntry) => void;
  /** How much a catalog may be, and how long it may take. */
  readonly limits?: Limits;
}

/** Without a byte for this long, the catalog counts as gone. */
const idleMilliseconds = 30_000;
/** A server may send without end, or a byte now and then; the largest public catalog has 400 MB. */
const defaultLimits: Limits = { bytes: 4 * 1024 ** 3, milliseconds: 600_000 };
const all = '/api/v1/all';

/**
 * Loads `URL/api/v1/all`, a stream of JSON lines. The URL is a ClusterCatalog's
 * `status.urls.base`, with or without the path of the API.
 *
 * @throws InvalidInputError `E_INPUT` when catalogd cannot be reached or refuses, `E_LIMIT` when it does not
 *   come to an end.
 */
export async function readCatalogd(
  url: string,
  options: CatalogdOptions = {},
): Promise<LoadedCatalog> {
  const address = addressOf(url);
  const response = await request(address, options.caFile);
  const where = { file: address.href };
  if (response.statusCode !== 200) {
    response.resume();
    throw new InvalidInputError(
      'E_INPUT',
      `answered ${response.statusCode ?? 'nothing'} instead of a catalog`,
      where,
    );
  }
  const { bytes: maxBytes, milliseconds } = options.limits ?? defaultLimits;
  const late = setTimeout(() => {
    const message = `has not been sent whole within ${milliseconds / 1000} seconds`;
    response.destroy(new InvalidInputError('E_LIMIT', message, where));
  }, milliseconds);
  const total = Number(response.headers['content-length'] ?? 0);
  let read = 0;
  const onBytes = (bytes: number): void => {
    read += bytes;
    if (read > maxBytes) {
      throw new InvalidInputError('E_LIMIT', `sends more than ${maxBytes} bytes`, where);
    }
    options.onProgress?.(read, total);
  };
  const builder = new CatalogBuilder(options);
  const filesRead = [address.href];
  try {
    const result = await addJsonStream(builder, response as AsyncIterable<Buffer>, {
      file: address.href,
      onBytes,
    });
    if (result === 'stopped') {
      throw new InvalidInputError('E_JSON', 'is no stream of JSON objects', where);
    }
    return { catalog: builder.build(), filesRead };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw unreachable(error, address);
    if (error.code === 'E_LIMIT') throw error;
    return { catalog: builder.build(), error, filesRead };
  } finally {
    clearTimeout(late);
  }
}

function addressOf(url: string): URL {
  if (!URL.canParse(url)) {
    throw new InvalidInputError('E_INPUT', 'is no URL: it needs http:// or https://', {
      file: url,
    });
  }
  const address = new URL(url);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new InvalidInputError('E_INPUT', 'must begin with http:// or https://', { file: url });
  }
  if (!address.pathname.endsWith(all)) {
    address.pathname = `${address.pathname.replace(/\/+$/, '')}${all}`;
  }
  return address;
}

/** Undefined when the server does not say. @throws InvalidInputError `E_INPUT` when it cannot be reached */
export async function catalogdState(
  url: string,
  { caFile }: Pick<CatalogdOptions, 'caFile'> = {},
): Promise<string | undefined> {
  const response = await request(addressOf(url), caFile, 'HEAD');
  response.resume();
  const { etag, 'last-modified': modified, 'content-length': length } = response.headers;
  if (response.statusCode !== 200 || (etag === undefined && modified === undefined)) {
    return undefined;
  }
  return [etag, modified, length].join(' ');
}

async function request(
  address: URL,
  caFile: string | undefined,
  method = 'GET',
): Promise<IncomingMessage> {
  const ca = caFile === undefined ? undefined : await readRegularFile(caFile);
  return new Promise((resolve, reject) => {
    const options = { method, headers: { accept: 'application/jsonl, application/json' } };
    const outgoing =
      address.protocol === 'https:'
        ? requestHttps(address, { ...options, ca }, resolve)
        : requestHttp(address, options, resolve);
    outgoing.setTimeout(idleMilliseconds, () => {
      outgoing.destroy(new Error(`no byte for ${idleMilliseconds / 1000} seconds`));
    });
    outgoing.on('error', (error) => {
      reject(unreachable(error, address));
    });
    outgoing.end();
  });
}

function unreachable(error: unknown, address: URL): InvalidInputError {
  const reason = error instanceof Error ? error.message : String(error);
  return new InvalidInputError('E_INPUT', `cannot be read: ${reason}`, { file: address.href });
}
