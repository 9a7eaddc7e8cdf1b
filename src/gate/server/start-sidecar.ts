/** The sidecar as a whole: one server, over TLS or on loopback; from start to shutdown. */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import type { Registry } from 'prom-client';
import { InvalidInputError, stringifyJson, invalidInput } from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import type { SidecarMetrics } from '../metrics/own-metrics.js';
import {
  answerError,
  type AnswerError,
  allowedHeader,
  answerLines,
  openApiDocument,
  preflightPath,
} from '../../checks/index.js';
import type { TokenSource } from './bearer-token.js';
import { drain, HttpError, readBody, refuseChunked } from './body.js';
import { BytesInFlight, type HeldBytes } from './bytes-in-flight.js';
import type { JudgePool } from './judge-pool.js';
import { isLoopback, type Address } from './listen.js';
import { createProbes } from './probes.js';
import { SharedAnswer } from './shared-answer.js';
import { networkOf } from './network.js';
import { Questions, type Caller, type QuestionAnswer } from './questions.js';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { secureContext, type CertificateSource } from './certificates/certificate.js';
import { plainRate, secureRate } from './connection-queue.js';
import { Connections, serverOptions } from './connections.js';
import type { ShutdownOptions } from './gate.js';
import { sidecarConnections } from './memory.js';

// The preflight sidecar: the table of operations over HTTP, for CI runners and GitOps hooks.

export interface SidecarOptions {
  readonly registry: Registry;
  readonly metrics: SidecarMetrics;
  readonly log: Logger;
  readonly maxBodyBytes: number;
  /** Bytes that all questions together may hold; a single one may always have `maxBodyBytes`. */
  readonly maxBytesInFlight: number;
  /** Threads for questions that are not sure to be quick. */
  readonly pool: JudgePool;
  readonly bodyMilliseconds: number;
  /** The same while others need the room. */
  readonly patienceMilliseconds?: number;
  /** Without one, any client that reaches the port may ask. */
  readonly token?: TokenSource;
  readonly notReady: () => string | undefined;
}

/** How long, all in all, hardly anything may come of a body that is to come. */
const stallMilliseconds = 5000;
const patienceMilliseconds = 2000;

const statusOf: ReadonlyMap<string, number> = new Map([
  ['E_OPERATION', 404],
  ['E_LIMIT', 413],
]);

interface Door extends SidecarOptions {
  readonly questions: Questions;
  readonly inFlight: BytesInFlight;
}

/** Answers 200 with a verdict, or 4xx with one sentence; never 5xx for an input. */
function createSidecar(options: SidecarOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const { token, metrics, log, maxBodyBytes: maxBytes } = options;
  const onDefect = (error: unknown): AnswerError => logDefect(error, log);
  const door: Door = {
    ...options,
    questions: new Questions({ pool: options.pool, maxBytes, onDefect }),
    inFlight: new BytesInFlight(
      Math.max(options.maxBytesInFlight, maxBytes),
      options.patienceMilliseconds ?? patienceMilliseconds,
    ),
  };
  app.use((_request, response, next) => {
    if (options.notReady() !== undefined) response.set('Connection', 'close');
    next();
  });
  if (token === undefined) app.use(requireOwnHost);
  else app.use('/v1alpha1', requireToken(token, metrics));
  const openApi = new SharedAnswer('application/json; charset=utf-8', () =>
    JSON.stringify(openApiDocument()),
  );
  app.get('/openapi.json', (request, response) => openApi.answer(request, response));
  app.post(preflightPath, (request, response) => answerStream(request, response, door));
  app.post(`${preflightPath}/:operation`, (request, response) =>
    answerOne(request, response, door),
  );
  app.all([preflightPath, `${preflightPath}/:operation`], (request, response) => {
    response.set('Allow', 'POST');
    refuse(request, response, 405, { code: 'E_INPUT', message: 'send the question with POST' });
  });
  app.use('/v1alpha1', (request: Request, response: Response) => {
    const message = `there is only ${preflightPath} and ${preflightPath}/OPERATION`;
    refuse(request, response, 404, { code: 'E_OPERATION', message });
  });
  app.use(createProbes({ ...options, beside: `POST ${preflightPath}, /openapi.json, ` }));
  // express knows four arguments for an error handler.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    refuseError(error, request, response, options);
  });
  return app;
}

async function answerOne(
  request: Request<{ operation: string }>,
  response: Response,
  door: Door,
): Promise<void> {
  const { maxBodyBytes: maxBytes, bodyMilliseconds, metrics, questions, inFlight } = door;
  const { operation } = request.params;
  const cut = new AbortController();
  const held = inFlight.hold(() => cut.abort());
  const caller = callerOf(request, response);
  let found: QuestionAnswer;
  // The first of them are not counted: whatever others hold, there is room for a short question.
  let uncounted = maxBytes / 1024;
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(bodyMilliseconds), cut.signal]);
    const body = await readBody(request, {
      maxBytes,
      signal,
      anyType: true,
      stallMilliseconds,
      take: (bytes) => {
        uncounted -= bytes;
        if (uncounted < 0) held.take(bytes);
        return undefined;
      },
    });
    held.arrived();
    found = await questions.answerBody(operation, body, caller, { isYaml: isYaml(request) });
  } catch (error) {
    metrics.answers.inc({ operation: '', outcome: 'error' });
    refuseError(error, request, response, door);
    return;
  } finally {
    held.give();
  }
  metrics.answers.inc({ operation, outcome: found.outcome });
  if (response.destroyed) return;
  // A script then needs no parser of JSON.
  if (found.outcome !== 'error') response.set(allowedHeader, String(found.outcome === 'allowed'));
  response.status(found.code === undefined ? 200 : (statusOf.get(found.code) ?? 400));
  response.type('application/json').send(found.text);
}

function isYaml({ headers }: Request): boolean {
  return /^\s*(?:application|text)\/(?:[\w.-]+\+|x-)?yaml\b/i.test(headers['content-type'] ?? '');
}

/** NDJSON in, NDJSON out, while the input still comes; memory is one line. */
async function answerStream(
  request: Request,
  response: Response,
  { maxBodyBytes: maxBytes, log, questions, inFlight }: Door,
): Promise<void> {
  response.type('application/x-ndjson');
  const caller = callerOf(request, response);
  const gone = once(response, 'close').catch(() => undefined);
  const held = inFlight.hold(() => {
    const message = 'its line did not arrive in time while others waited';
    request.destroy(new HttpError(408, 'E_LIMIT', message));
  });
  try {
    let breath = performance.now();
    const answers = answerLines(counted(request, held), { maxBytes }, (line) =>
      questions.answerLine(line, caller),
    );
    for await (const answer of answers) {
      // The rest of the last chunk is small.
      held.give();
      if (response.destroyed) return;
      if (!response.write(answer)) {
        await Promise.race([once(response, 'drain'), gone]);
      } else if (performance.now() - breath > 50) {
        // Many small lines of one packet would otherwise keep the probes waiting.
        await new Promise((resolve) => setImmediate(resolve));
        breath = performance.now();
      }
    }
    response.end();
  } catch (error) {
    if (error instanceof HttpError && !response.destroyed) {
      const { code, message } = error;
      response.end(`${stringifyJson({ id: null, error: { code, message } })}\n`);
      return;
    }
    // The caller went away in the middle: no one is left to answer.
    log.debug({ reason: String(error) }, 'stream broke off');
    response.destroy();
  } finally {
    held.give();
  }
}

function callerOf({ socket }: Request, response: Response): Caller {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return { address: networkOf(socket.remoteAddress ?? ''), gone: gone.signal };
}

async function* counted(input: AsyncIterable<Buffer>, held: HeldBytes): AsyncGenerator<Buffer> {
  for await (const chunk of input) {
    held.take(chunk.length);
    yield chunk;
  }
}

function refuseError(
  error: unknown,
  request: Request,
  response: Response,
  { log }: SidecarOptions,
): void {
  if (error instanceof HttpError) {
    const { code, message } = error;
    if (error.status === 429) response.set('Retry-After', '1');
    refuse(request, response, error.status === 408 ? 400 : error.status, { code, message });
  } else if (error instanceof InvalidInputError) {
    refuse(request, response, statusOf.get(error.code) ?? 400, answerError(error));
  } else if (error instanceof URIError) {
    refuse(request, response, 400, { code: 'E_INPUT', message: 'the path is not valid' });
  } else {
    refuse(request, response, 400, logDefect(error, log));
  }
}

/** Logs a failure on input that no rule foresaw: the caller gets a sentence, the log the stack. */
function logDefect(error: unknown, log: Logger): AnswerError {
  log.error({ err: error }, 'an operation failed');
  return {
    code: 'E_INPUT',
    message: 'olm-guard failed on this input, which is a defect of its own; its log says where',
  };
}

function refuse(
  request: Request,
  response: Response,
  status: number,
  { code, message, ...more }: { code: string; message: string; where?: unknown },
): void {
  drain(request, response);
  if (response.headersSent) response.destroy();
  else {
    response.status(status).type('application/json');
    response.send(stringifyJson({ error: { code, message, ...more } }));
  }
}

/** A page may rebind its name to this machine (DNS rebinding), but cannot say another name than its own. */
function requireOwnHost(request: Request, response: Response, next: NextFunction): void {
  const { host = '', origin } = request.headers;
  // A browser says whose page asks, and asks for any page what needs no leave of ours.
  const foreign = !isHere(`http://${host}`)
    ? 'Host'
    : origin !== undefined && !isHere(origin)
      ? 'Origin'
      : undefined;
  if (foreign === undefined) return next();
  const message = `the ${foreign} header names another machine; ask localhost, or start with a token`;
  refuse(request, response, 403, { code: 'E_INPUT', message });
}

function isHere(url: string): boolean {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  return isLoopback({ host: hostname.replace(/^\[(.*)\]$/, '$1') });
}

function requireToken(token: TokenSource, metrics: SidecarMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (token.accepts(request.headers.authorization)) {
      next();
      return;
    }
    metrics.refusals.inc();
    response.set('WWW-Authenticate', 'Bearer');
    const message = 'the bearer token is missing or wrong; send Authorization: Bearer TOKEN';
    refuse(request, response, 401, { code: 'E_INPUT', message });
  };
}

export interface StartOptions extends Omit<SidecarOptions, 'notReady'> {
  readonly listen: Address;
  readonly certificates?: CertificateSource;
}

export interface Sidecar {
  /** `http://HOST:PORT`, or `https://HOST:PORT` with certificates; `/metrics` is there too. */
  readonly url: string;
  close(options?: ShutdownOptions): Promise<void>;
}

/** @throws InvalidInputError when the address cannot or must not be listened on. */
export async function startSidecar(options: StartOptions): Promise<Sidecar> {
  const { certificates, token, metrics, log } = options;
  if (!isLoopback(options.listen) && (certificates === undefined || token === undefined)) {
    throw invalidInput(
      `${options.listen.host || 'every interface'} is reachable by others; listen on 127.0.0.1, or give --tls-cert-file, --tls-private-key-file and --token-file`,
    );
  }
  let notReady: string | undefined = 'starting';
  const app = createSidecar({ ...options, notReady: () => notReady });
  const mayAsk = ({ headers }: IncomingMessage): boolean =>
    token?.accepts(headers.authorization) ?? true;
  const secure =
    certificates === undefined
      ? undefined
      : createHttpsServer({ ...serverOptions, ...secureContext(certificates.current) });
  const connections = new Connections(secure ?? createHttpServer(serverOptions), {
    most: sidecarConnections,
    rate: certificates === undefined ? plainRate : secureRate(certificates.current),
    answer(request, response) {
      if (mayAsk(request) || !refuseChunked(request, response)) app(request, response);
    },
    isKnown: mayAsk,
    isTrusted: (request) => token !== undefined && mayAsk(request),
  });
  if (certificates !== undefined) {
    metrics.certificateExpiry.set(certificates.current.expires.getTime() / 1000);
    await certificates.onRenewal((certificate) => {
      secure?.setSecureContext(secureContext(certificate));
      metrics.certificateExpiry.set(certificate.expires.getTime() / 1000);
    });
    secure?.on('tlsClientError', (error) => log.debug({ reason: error.message }, 'TLS handshake'));
  }
  const closeSources = (): void => {
    certificates?.close();
    token?.close();
  };
  try {
    const scheme = certificates === undefined ? 'http' : 'https';
    const url = `${scheme}://${await connections.listen(options.listen)}`;
    notReady = undefined;
    return {
      url,
      async close({ delay, grace } = { delay: 0, grace: 0 }) {
        notReady = 'shutting down';
        if (delay > 0) await sleep(delay);
        closeSources();
        await connections.drain(grace);
        await options.pool.close();
      },
    };
  } catch (error) {
    closeSources();
    throw error;
  }
}
