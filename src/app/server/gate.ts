/** The gate as a whole: two servers, a certificate, a policy; from start to shutdown. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { Reviewer } from '../admission/reviewer.js';
import type { ClusterView } from '../facts/cluster/view.js';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/gate.js';
import type { Policy } from '../check/policy.js';
import {
  secureContext,
  type Certificate,
  type CertificateSource,
} from './certificates/certificate.js';
import { answerInPieces } from './answer-in-pieces.js';
import { Connections } from './connections.js';
import { callerOf, showsCertificate, type ClientCertificates } from './caller.js';
import type { ClientAuthority } from './certificates/client-authority.js';
import type { DenialEvents } from './denial-events.js';
import { drainServer } from './drain-server.js';
import type { JudgePool } from './judge-pool.js';
import { Lanes } from './lanes.js';
import { listen, type Address } from './listen.js';
import { maxConnections, probeConnections } from './memory.js';
import type { MetricsAccess } from './metrics-access.js';
import { createProbes } from './probes.js';
import { Scheduler } from './scheduler.js';
import { Turns } from '../admission/turns.js';
import { refuseBody, refuseChunked } from './unread-body.js';
import { createWebhook } from './webhook.js';

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
  /** `https://HOST:PORT` */
  readonly url: string;
  /** `http://HOST:PORT`, or `https://` with `metricsAccess`. */
  readonly metricsUrl: string;
  close(options?: ShutdownOptions): Promise<void>;
}

/** How many witnesses the proof in an answer had to give up. */
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

/** API servers hold idle connections for 90 s; closing earlier would race with their next review. */
const keepAliveMilliseconds = 120_000;
/** An API server does not wait longer for the whole answer by default. */
const handshakeMilliseconds = 10_000;

/** Far more than anybody sends who is not an API server, and little beside what the event loop can read. */
const unauthenticatedReading = { slots: 16, minMilliseconds: 100, patience: 10_000 };

/** Requests of probes and scrapes have no body, and come at once. */
const probeTimeouts = {
  handshakeTimeout: 5000,
  headersTimeout: 5000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 1000,
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
  const server = createHttpsServer(
    {
      ...secureContext(certificate, authority),
      // Asked for and not demanded: a caller without one learns less, and is not sent away.
      requestCert: clients !== undefined,
      rejectUnauthorized: false,
      keepAliveTimeout: keepAliveMilliseconds,
      handshakeTimeout: handshakeMilliseconds,
      headersTimeout: handshakeMilliseconds,
      connectionsCheckingInterval: 2000,
    },
    (request, response) => {
      // Node goes on with what it has read of a connection that was closed meanwhile.
      if (request.socket.destroyed) return;
      if (callerOf(request, clients) !== 'api-server' && refuseChunked(request, response)) return;
      answerInPieces(response);
      webhook(request, response);
    },
  );
  server.on('connection', () => scheduler.accepted());
  const connections = new Connections(server, options.maxConnections ?? maxConnections, (request) =>
    showsCertificate(request, clients),
  );
  const { metricsAccess: access } = options;
  const probesApp = createProbes({
    registry: options.registry,
    notReady: () => notReady,
    access,
  });
  const answerProbe = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.socket.destroyed || refuseBody(request, response)) return;
    probesApp(request, response);
  };
  const secureProbes =
    access === undefined
      ? undefined
      : createHttpsServer({ ...secureContext(certificate), ...probeTimeouts }, answerProbe);
  const probes = secureProbes ?? createHttpServer(probeTimeouts, answerProbe);
  const ofProbes = new Connections(probes, probeConnections);
  const use = (renewed: Certificate): void => {
    certificate = renewed;
    server.setSecureContext(secureContext(certificate, authority));
    secureProbes?.setSecureContext(secureContext(certificate));
    metrics.certificateExpiry.set(certificate.expires.getTime() / 1000);
  };
  metrics.certificateExpiry.set(certificate.expires.getTime() / 1000);
  await certificates.onRenewal(use);
  await clients?.authority.onChange((changed) => {
    authority = changed;
    use(certificate);
  });

  const scheme = secureProbes === undefined ? 'http' : 'https';
  const metricsUrl = `${scheme}://${await listen(probes, options.metricsListen)}`;
  let url: string;
  try {
    url = `https://${await listen(server, options.listen)}`;
  } catch (error) {
    certificates.close();
    clients?.authority.close();
    probes.close();
    throw error;
  }
  notReady = undefined;
  // Handshakes that fail are the caller's mistake, worth a line and nothing more.
  server.on('tlsClientError', (error) => log.debug({ reason: error.message }, 'TLS handshake'));

  return {
    url,
    metricsUrl,
    async close({ delay, grace } = { delay: 0, grace: 0 }) {
      notReady = 'shutting down';
      log.info({ delay, grace }, 'shutting down');
      if (delay > 0) await sleep(delay);
      certificates.close();
      clients?.authority.close();
      await drainServer(server, connections, grace);
      options.events?.close();
      await Promise.all([drainServer(probes, ofProbes, 0), options.pool.close()]);
    },
  };
}
