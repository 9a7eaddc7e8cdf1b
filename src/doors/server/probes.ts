/** Probes and metrics, on a port of their own and without TLS. */
import express, { type Express } from 'express';
import type { Registry } from 'prom-client';

export interface ProbeOptions {
  readonly registry: Registry;
  /** Why the gate is not ready, or undefined when it is. */
  readonly notReady: () => string | undefined;
  /** What else is behind the same door, for whoever asks for what is not there. */
  readonly beside?: string;
}

/** `/livez` and `/healthz` (the process answers), `/readyz` (send it reviews) and `/metrics`. */
export function createProbes({ registry, notReady, beside }: ProbeOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.get(['/livez', '/healthz'], (_request, response) => {
    response.type('text/plain').send('ok\n');
  });
  app.get('/readyz', (_request, response) => {
    const reason = notReady();
    response.status(reason === undefined ? 200 : 503).type('text/plain');
    response.send(reason === undefined ? 'ok\n' : `not ready: ${reason}\n`);
  });
  app.get('/metrics', async (_request, response) => {
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
