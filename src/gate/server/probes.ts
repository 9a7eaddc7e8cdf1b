/** Probes and metrics, on a port of their own: what any caller may ask. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Registry } from 'prom-client';
import type { secureContext } from './certificates/certificate.js';
import { plainRate, secureRate } from './connection-queue.js';
import { Connections, serverOptions } from './connections.js';
import type { Address } from './listen.js';
import { probeConnections } from './memory.js';
import type { MetricsAccess } from './metrics-access.js';
import { askerOf, SharedAnswer } from './shared-answer.js';
import { refuseBody } from './body.js';

export interface ProbeOptions {
  readonly registry: Registry;
  readonly notReady: () => string | undefined;
  /** Decides who may read `/metrics`; without it, every client may. */
  readonly access?: MetricsAccess;
  /** Other paths on the same port, for the message of a 404. */
  readonly beside?: string;
}

/** `/livez` and `/healthz` (the process answers), `/readyz` (send it reviews) and `/metrics`. */
export function createProbes({ registry, notReady, access, beside }: ProbeOptions) {
  const metrics = new SharedAnswer(registry.contentType, () => registry.metrics());
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    switch (['GET', 'HEAD'].includes(request.method ?? '') ? path : '') {
      case '/livez':
      case '/healthz':
        return answer(response, 200, 'ok\n');
      case '/readyz': {
        const reason = notReady();
        return reason === undefined
          ? answer(response, 200, 'ok\n')
          : answer(response, 503, `not ready: ${reason}\n`);
      }
      case '/metrics': {
        const { asker, gone } = askerOf(request, response);
        const { authorization } = request.headers;
        const status = (await access?.statusFor(authorization, asker, gone)) ?? 200;
        if (status === 200) return metrics.answer(request, response);
        if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
        return answer(response, status, refusals[status]);
      }
      default:
        answer(response, 404, `there are ${beside ?? ''}/livez, /readyz, /healthz and /metrics\n`);
    }
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

const refusals = {
  401: 'send a bearer token that the API server knows\n',
  403: 'the user of this token may not get /metrics\n',
  503: 'the API server did not say in time whose the token is; try again\n',
};

export interface ProbePort {
  /** `http://HOST:PORT`, or `https://` */
  readonly url: string;
  setSecureContext(context: ReturnType<typeof secureContext>): void;
  close(): Promise<void>;
}

/** @param secure without it probes are served over HTTP. @throws InvalidInputError when it cannot listen */
export async function listenForProbes(
  address: Address,
  options: ProbeOptions,
  secure?: ReturnType<typeof secureContext>,
): Promise<ProbePort> {
  const probes = createProbes(options);
  const secureServer =
    secure === undefined ? undefined : createHttpsServer({ ...serverOptions, ...secure });
  const connections = new Connections(secureServer ?? createHttpServer(serverOptions), {
    most: probeConnections,
    rate: secure === undefined ? plainRate : secureRate(secure),
    answer(request, response) {
      if (refuseBody(request, response)) return;
      probes(request, response).catch(() => response.destroy());
    },
  });
  const scheme = secure === undefined ? 'http' : 'https';
  const url = `${scheme}://${await connections.listen(address)}`;
  return {
    url,
    setSecureContext: (context) => secureServer?.setSecureContext(context),
    close: () => connections.drain(0),
  };
}
