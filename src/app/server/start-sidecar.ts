/** The sidecar as a whole: one server, over TLS or on loopback; from start to shutdown. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInputError } from '../../text/documents/index.js';
import { secureContext, type CertificateSource } from './certificates/certificate.js';
import { Connections } from './connections.js';
import { drainServer } from './drain-server.js';
import type { ShutdownOptions } from './gate.js';
import { isLoopback, listen, type Address } from './listen.js';
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
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.socket.destroyed) return;
    if (!mayAsk(request) && refuseChunked(request, response)) return;
    app(request, response);
  };
  let server: HttpServer;
  if (certificates === undefined) server = createHttpServer(answer);
  else {
    const secure = createHttpsServer(secureContext(certificates.current), answer);
    metrics.certificateExpiry.set(certificates.current.expires.getTime() / 1000);
    await certificates.onRenewal((certificate) => {
      secure.setSecureContext(secureContext(certificate));
      metrics.certificateExpiry.set(certificate.expires.getTime() / 1000);
    });
    secure.on('tlsClientError', (error) => log.debug({ reason: error.message }, 'TLS handshake'));
    server = secure;
  }
  const connections = new Connections(server, sidecarConnections, mayAsk);
  const closeSources = (): void => {
    certificates?.close();
    token?.close();
  };
  try {
    const scheme = certificates === undefined ? 'http' : 'https';
    const url = `${scheme}://${await listen(server, options.listen)}`;
    notReady = undefined;
    return {
      url,
      async close({ delay, grace } = { delay: 0, grace: 0 }) {
        notReady = 'shutting down';
        if (delay > 0) await sleep(delay);
        closeSources();
        await drainServer(server, connections, grace);
        await options.pool.close();
      },
    };
  } catch (error) {
    closeSources();
    throw error;
  }
}
