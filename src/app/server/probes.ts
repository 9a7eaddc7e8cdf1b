/** Probes and metrics, on a port of their own. */
import express, { type Express, type Request, type Response } from 'express';
import type { Registry } from 'prom-client';
import type { MetricsAccess } from './metrics-access.js';
import { networkOf } from './network.js';

export interface ProbeOptions {
  readonly registry: Registry;
  /** Why the gate is not ready, or undefined when it is. */
  readonly notReady: () => string | undefined;
  /** Decides who may read `/metrics`; without it, every client may. */
  readonly access?: MetricsAccess;
  /** Other paths on the same port, for the message of a 404. */
  readonly beside?: string;
}

/** `/livez` and `/healthz` (the process answers), `/readyz` (send it reviews) and `/metrics`. */
export function createProbes({ registry, notReady, access, beside }: ProbeOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.get(['/livez', '/healthz'], (_request, response) => {
    response.type('text/plain').send('ok\n');
  });
  app.get('/readyz', (_request, response) => {
    const reason = notReady();
    response.status(reason === undefined ? 200 : 503).type('text/plain');
    response.send(reason === undefined ? 'ok\n' : `not ready: ${reason}\n`);
  });
  app.get('/metrics', async (request, response) => {
    const status = (await access?.statusFor(...asking(request, response))) ?? 200;
    if (status !== 200) {
      if (status === 401) response.set('WWW-Authenticate', 'Bearer');
      response.status(status).type('text/plain').send(refusals[status]);
      return;
    }
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  app.use((_request, response) => {
    response
      .status(404)
      .type('text/plain')
      .send(`there are ${beside ?? ''}/livez, /readyz, /healthz and /metrics\n`);
  });
  return app;
}

/** Machines take turns, and so do the connections of one machine: many connections gain it nothing. */
function asking(request: Request, response: Response): Parameters<MetricsAccess['statusFor']> {
  const { remoteAddress: address = '', remotePort = 0 } = request.socket;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asker = [networkOf(address), address, String(remotePort)];
  return [request.headers.authorization, asker, gone.signal];
}

const refusals = {
  401: 'send a bearer token that the API server knows\n',
  403: 'the user of this token may not get /metrics\n',
  503: 'the API server did not say in time whose the token is; try again\n',
};
