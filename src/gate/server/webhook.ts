/** The HTTPS side of the gate: one AdmissionReview in, one out. */
import type { IncomingMessage } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { answerReview, type ReviewOptions } from './answer-review.js';
import { discovery, discoveryPath, reviewsPath } from './api-discovery.js';
import { HttpError } from './body.js';
import { refuse } from './refusal.js';
import { refuseBody } from './unread-body.js';
import { setFlagsFromString } from 'node:v8';

export interface WebhookOptions extends ReviewOptions {
  /** True once the gate is shutting down: answers then ask the client to close its connection. */
  readonly closing: () => boolean;
}

const reviewPaths = ['/validate', reviewsPath];

export function isReview({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && reviewPaths.includes(url.split('?', 1)[0] ?? '');
}

/** Makes the express app; it answers 5xx only for a defect of its own, and in one sentence. */
export function createWebhook(options: WebhookOptions): Express {
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

/** By how much the heap may outgrow what is in use before garbage is collected, in percent. */
const sparingPercent = 40;
const rememberMilliseconds = 10_000;

/** By itself V8 lets a small heap grow fourfold; with a thousand connections that is too much. */
class HeapGrowth {
  #timer: NodeJS.Timeout | undefined;

  /** Keeps the heap small from now on, until ten seconds after the last call. */
  spare(): void {
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    setFlagsFromString(`--heap-growing-percent=${sparingPercent}`);
    this.#timer = setTimeout(() => this.#stop(), rememberMilliseconds).unref();
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    setFlagsFromString('--heap-growing-percent=0');
  }
}
