/** The sidecar as a whole: one server, over TLS or on loopback; from start to shutdown. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInputError } from '../../text/documents/index.js';
import { secureContext, type CertificateSource } from './certificates/certificate.js';
import { plainRate, secureRate } from './connection-queue.js';
import { Connections, serverOptions } from './connections.js';
import type { ShutdownOptions } from './gate.js';
import { isLoopback, type Address } from './listen.js';
import { sidecarConnections } from './memory.js';
import { createSidecar, type SidecarOptions } from './sidecar.js';
import { refuseChunked } from './unread-body.js';

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
    throw new InvalidInputError(
      'E_INPUT',
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
