/** The gate as a whole: two servers, a certificate, a policy; from start to shutdown. */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerReview, type ReviewOptions } from './answer-review.js';
import { discovery, discoveryPath, reviewsPath } from './api-discovery.js';
import { HttpError, refuseBody, refuseChunked } from './body.js';
import { refuse } from './refusal.js';
import { setFlagsFromString } from 'node:v8';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { Reviewer } from '../admission/reviewer.js';
import type { ClusterView } from '../../cluster/index.js';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/own-metrics.js';
import type { Policy } from '../../policy/index.js';
import {
  secureContext,
  type Certificate,
  type CertificateSource,
} from './certificates/certificate.js';
import { secureRate } from './connection-queue.js';
import { Connections, serverOptions } from './connections.js';
import { callerOf, showsCertificate, type ClientCertificates } from './caller.js';
import type { ClientAuthority } from './certificates/client-authority.js';
import type { DenialEvents } from './denial-events.js';
import type { JudgePool } from './judge-pool.js';
import { Lanes } from './lanes.js';
import type { Address } from './listen.js';
import { maxConnections } from './memory.js';
import type { MetricsAccess } from './metrics-access.js';
import { listenForProbes } from './probes.js';
import { Scheduler } from './scheduler.js';
import { Turns } from '../admission/turns.js';

// The HTTPS side of the gate: one AdmissionReview in, one out.

export interface WebhookOptions extends ReviewOptions {
  /** True once the gate is shutting down: answers then ask the client to close its connection. */
  readonly closing: () => boolean;
}

const reviewPaths = ['/validate', reviewsPath];

function isReview({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && reviewPaths.includes(url.split('?', 1)[0] ?? '');
}

/** Makes the express app; it answers 5xx only for a defect of its own, and in one sentence. */
function createWebhook(options: WebhookOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const heap = new HeapGrowth();
  app.use((_request, response, next) => {
    if (options.closing()) response.set('Connection', 'close');
    next();
  });
  app.post(reviewPaths, (request, response) => {
    if (options.scheduler.waiting >= options.policy().budgets.concurrentReviews) heap.spare();
    return answerReview(request, response, options);
  });
  app.get(discoveryPath, (request, response) => {
    if (!refuseBody(request, response)) response.json(discovery);
  });
  app.all(reviewPaths, (request, response) => {
    const error = new HttpError(405, 'E_INPUT', 'POST an AdmissionReview here');
    refuse(request, response.set('Allow', 'POST'), error);
  });
  app.use((request: Request, response: Response) => {
    const elsewhere = 'probes and /metrics are at the port of --metrics-listen (default 8080)';
    refuse(
      request,
      response,
      new HttpError(404, 'E_INPUT', `there is only POST /validate here; ${elsewhere}`),
    );
  });
  // express knows four arguments for an error handler.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    options.log.error({ err: error }, 'a request failed');
    const sentence = 'olm-guard failed on this request, which is a defect of its own';
    refuse(request, response, new HttpError(500, 'E_INPUT', `${sentence}; its log says where`));
  });
  return app;
}

/** By how much the heaps may outgrow what is in use before garbage is collected, in percent. */
const usualPercent = 80;
const sparingPercent = 40;
const rememberMilliseconds = 10_000;

/**
 * V8 lets a heap with a low limit outgrow what is in use by 30 %, so that every third large review begins a
 * full collection; with a thousand connections that is better than more memory.
 */
class HeapGrowth {
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    growBy(usualPercent);
  }

  /** Keeps the heap small from now on, until ten seconds after the last call. */
  spare(): void {
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    growBy(sparingPercent);
    this.#timer = setTimeout(() => this.#stop(), rememberMilliseconds).unref();
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    growBy(usualPercent);
  }
}

function growBy(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

export interface GateOptions {
  readonly listen: Address;
  readonly metricsListen: Address;
  /** With it probes and metrics are served over HTTPS, with the same certificate. */
  readonly metricsAccess?: MetricsAccess;
  readonly certificates: CertificateSource;
  /** How an API server proves itself; without it every caller could be one. */
  readonly clients?: ClientCertificates & { readonly authority: ClientAuthority };
  readonly policy: () => Policy;
  readonly reviewers: readonly Reviewer[];
  readonly view: ClusterView;
  /** Threads for heavy judgements; closed with the gate. */
  readonly pool: Pick<JudgePool, 'judge' | 'close'>;
  readonly metrics: GateMetrics;
  readonly registry: Registry;
  readonly log: Logger;
  /** Where denials are reported beside the answer; closed with the gate. */
  readonly events?: DenialEvents;
  readonly maxBodyBytes?: number;
  readonly maxConnections?: number;
}

export interface ShutdownOptions {
  /** Milliseconds between saying "not ready" and closing the door: endpoints need time to change. */
  readonly delay: number;
  /** Milliseconds that reviews under way get to finish. */
  readonly grace: number;
}

export interface Gate {
  readonly url: string;
  readonly metricsUrl: string;
  close(options?: ShutdownOptions): Promise<void>;
}

function failedWitnesses(answer: JsonObject): number {
  const output = own(answer, 'output');
  const count = isObject(output ?? null) ? own(output as JsonObject, 'failedWitnesses') : undefined;
  return typeof count === 'number' ? count : 0;
}

/**
 * An update holds two objects: the old one, of 1.5 MiB at most in etcd as it is shipped, and the new
 * one, of which an API server reads 3 MiB; and characters that it writes as six bytes.
 */
export const defaultMaxBodyBytes = 7 * 1024 * 1024;

/** Far more than clients other than API servers send, and little beside what the event loop can read. */
const unauthenticatedReading = {
  ...{ slots: 16, minMilliseconds: 100, patience: 10_000 },
  // The other connections are for callers that have not shown yet who they are.
  most: maxConnections / 2,
};

/** @throws InvalidInputError when an address cannot be listened on. */
export async function startGate(options: GateOptions): Promise<Gate> {
  const { certificates, clients, log, metrics } = options;
  // Certificate and policy are loaded by now; reviews can come once the port is open.
  let notReady: string | undefined = 'starting';
  const closing = (): boolean => notReady === 'shutting down';
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const lanes = new Lanes({
    reviewers: options.reviewers,
    maxBodyBytes,
    concurrentReviews: () => options.policy().budgets.concurrentReviews,
  });
  const scheduler = new Scheduler(lanes.options);
  const webhook = createWebhook({
    ...options,
    maxBodyBytes,
    judge: (asking) => async (operation, input, attached) => {
      const text = await options.pool.judge(operation, stringifyJson(input), attached, asking);
      const answer = parseJson(text) as JsonObject;
      metrics.witnessFailures.inc(failedWitnesses(answer));
      return answer;
    },
    lanes,
    scheduler,
    reading: new Turns(unauthenticatedReading),
    closing,
  });
  let authority = clients?.authority.current;
  let certificate = certificates.current;
  const server = createHttpsServer({
    ...serverOptions,
    ...secureContext(certificate, authority),
    // Asked for and not demanded: a caller without one learns less, and is not sent away.
    requestCert: clients !== undefined,
    rejectUnauthorized: false,
  });
  const connections = new Connections(server, {
    most: options.maxConnections ?? maxConnections,
    rate: secureRate(certificate),
    answer(request, response) {
      if (callerOf(request, clients) !== 'api-server' && refuseChunked(request, response)) return;
      answerInPieces(response);
      webhook(request, response);
    },
    // Where no caller can show itself, each could be an API server that sends a review.
    isKnown: (request) => clients === undefined && isReview(request),
    isTrusted: (request) => showsCertificate(request, clients),
    onBegin: () => scheduler.accepted(),
  });
  const { metricsAccess: access, registry } = options;
  const probes = await listenForProbes(
    options.metricsListen,
    { registry, notReady: () => notReady, access },
    access === undefined ? undefined : secureContext(certificate),
  );
  let url: string;
  try {
    url = `https://${await connections.listen(options.listen)}`;
  } catch (error) {
    certificates.close();
    clients?.authority.close();
    await probes.close();
    throw error;
  }
  const use = (renewed: Certificate): void => {
    certificate = renewed;
    server.setSecureContext(secureContext(certificate, authority));
    probes.setSecureContext(secureContext(certificate));
    metrics.certificateExpiry.set(certificate.expires.getTime() / 1000);
  };
  metrics.certificateExpiry.set(certificate.expires.getTime() / 1000);
  await certificates.onRenewal(use);
  await clients?.authority.onChange((changed) => {
    authority = changed;
    use(certificate);
  });
  notReady = undefined;
  // Handshakes that fail are the caller's mistake, worth a line and nothing more.
  server.on('tlsClientError', (error) => log.debug({ reason: error.message }, 'TLS handshake'));

  return {
    url,
    metricsUrl: probes.url,
    async close({ delay, grace } = { delay: 0, grace: 0 }) {
      notReady = 'shutting down';
      log.info({ delay, grace }, 'shutting down');
      if (delay > 0) await sleep(delay);
      certificates.close();
      clients?.authority.close();
      await connections.drain(grace);
      options.events?.close();
      await Promise.all([probes.close(), options.pool.close()]);
    },
  };
}

/**
 * Makes `end` write a long answer in two pieces, the last 8 KB when the others have left. Node 20 pauses its HTTP
 * parser when a request comes while as much of the last answer waits as the socket buffers (16 KB), and
 * over TLS may not take it up again: the connection is reset in the middle of that request
 * (`HPE_PAUSED`). Now nothing waits when the last piece is written, and no client asks again before that.
 */
export function answerInPieces(response: ServerResponse): void {
  const end = response.end.bind(response);
  const piece = response.writableHighWaterMark / 2;
  const endInPieces = (body: unknown, encoding: BufferEncoding): ServerResponse => {
    const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
    if (!Buffer.isBuffer(bytes)) return end();
    const last = Math.max(0, bytes.length - piece);
    if (last === 0) return end(bytes);
    response.write(bytes.subarray(0, last), (error) => {
      // Without a connection there is no client to answer.
      if (!error && !response.destroyed) end(bytes.subarray(last));
    });
    return response;
  };
  // The overloads with which express ends an answer.
  response.end = endInPieces as ServerResponse['end'];
}
