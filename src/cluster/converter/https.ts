/** ConversionReviews over HTTPS, as an API server sends them: one deadline for each, no redirects. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Answer, Convert, Failure } from '../conversion/review.js';
import {
  InvalidInputError,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';

export interface ConverterAddress {
  readonly url: URL;
  /** Where to connect to, whatever the name in the URL resolves to. */
  readonly address?: string;
  /** PEM of the authorities that may have signed the certificate; the system's where there are none. */
  readonly authorities: readonly string[];
}

export interface ConverterLimits {
  /** For each review, from the connection to the last byte. */
  readonly milliseconds: number;
  readonly answerBytes: number;
  readonly signal?: AbortSignal;
}

export interface OpenConverter {
  readonly convert: Convert;
  readonly close: () => void;
}

/** Nothing is sent yet. */
export function openConverter(
  { url, address, authorities }: ConverterAddress,
  limits: ConverterLimits,
): OpenConverter {
  const isPlain = url.protocol === 'http:';
  const agent = isPlain
    ? new HttpAgent({ keepAlive: true })
    : // Read once, and not for each connection.
      new Agent({
        keepAlive: true,
        secureContext: createSecureContext(
          authorities.length === 0 ? {} : { ca: [...authorities] },
        ),
      });
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const options: RequestOptions = {
    agent,
    method: 'POST',
    host: address ?? hostname,
    port: url.port === '' ? (isPlain ? 80 : 443) : url.port,
    path: `${url.pathname}${url.search}`,
    // An address is no name that a certificate's SNI may have.
    ...(isPlain || isAddress(hostname) ? {} : { servername: hostname }),
  };
  const convert: Convert = async (review) => {
    const body = Buffer.from(stringifyJson(review));
    const first = await post(isPlain, options, url.host, body, limits);
    // The converter may have ended a connection that it had kept, just as it was used again.
    if (!first.isStale) return first.answer;
    return (await post(isPlain, options, url.host, body, limits)).answer;
  };
  return { convert, close: () => agent.destroy() };
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':');
}

interface Posted {
  readonly answer: Answer;
  readonly isStale: boolean;
}

function post(
  isPlain: boolean,
  options: RequestOptions,
  host: string,
  body: Buffer,
  { milliseconds, answerBytes, signal }: ConverterLimits,
): Promise<Posted> {
  return new Promise((resolve) => {
    const late = AbortSignal.timeout(milliseconds);
    let isConnected = false;
    let isStale = false;
    const end = (answer: Answer): void => resolve({ answer, isStale });
    const fail = (clause: Failure['clause'], reason: string): void =>
      end({ failure: { clause, reason } });
    const failed = (error: NodeJS.ErrnoException): void => {
      if (late.aborted && !isConnected) fail('unreachable', 'no connection in time');
      else if (late.aborted) fail('late', `no answer within ${milliseconds / 1000} s`);
      else if (signal?.aborted === true) fail('late', 'it was given up');
      else if (isCertificate(error)) fail('certificate', error.message);
      else if (isConnected) fail('unreadable', `the connection broke off: ${wordOf(error)}`);
      else fail('unreachable', wordOf(error));
    };
    const headers = {
      host,
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'olm-guard',
    };
    const signals = signal === undefined ? [late] : [late, signal];
    const request = (isPlain ? httpRequest : httpsRequest)(
      { ...options, headers, signal: AbortSignal.any(signals) },
      (response) => {
        void collect(response, answerBytes).then((bytes) => end(read(response, bytes)), failed);
      },
    );
    request.on('socket', (socket) => {
      if (request.reusedSocket) isConnected = true;
      else socket.once(isPlain ? 'connect' : 'secureConnect', () => (isConnected = true));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      isStale = request.reusedSocket && error.code === 'ECONNRESET';
      failed(error);
    });
    request.end(body);
  });
}

/** Undefined, and the rest is not read, where it is too large. */
async function collect(response: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function read({ statusCode = 0 }: IncomingMessage, bytes: Buffer | undefined): Answer {
  const failure = (clause: Failure['clause'], reason: string): Answer => ({
    failure: { clause, reason },
  });
  if (bytes === undefined) return failure('too-large', 'the answer was cut off');
  if (statusCode < 200 || statusCode > 206) {
    const said = bytes.toString('utf8').trim().split('\n')[0] ?? '';
    const short = said.length > 200 ? `${said.slice(0, 200)}…` : said;
    return failure('status', `HTTP status ${statusCode}${short === '' ? '' : `: ${short}`}`);
  }
  try {
    return { body: parseJson(bytes) as JsonObject };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return failure('unreadable', `the answer is no JSON: ${error.message}`);
  }
}

/** Node's error codes for certificates that it does not accept. */
function isCertificate({ code = '' }: NodeJS.ErrnoException): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/.test(
    code,
  );
}

function wordOf(error: NodeJS.ErrnoException): string {
  return error.message === '' ? String(error.code) : error.message;
}
