/** The HTTPS side of the gate: POST /validate, one AdmissionReview in, one out. */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { decodeReview, type AdmissionRequest } from '../admission/admission-review.js';
import { reviewOf } from '../admission/response.js';
import { policyFor, review, unjudged, type Reviewed } from '../admission/review.js';
import { headBytes, readReviewHead, type ReviewHead } from '../admission/review-head.js';
import type { Caller, HeavyJudge, Reviewer } from '../admission/reviewer.js';
import { wholeTurn } from '../admission/turn.js';
import type { ClusterView } from '../../facts/cluster/view.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/gate.js';
import type { Policy } from '../../check/policy.js';
import { UnreadBody, drain, HttpError, readBody, readHead } from './body.js';
import { callerOf, type ClientCertificates } from './caller.js';
import { BytesInFlight, type HeldBytes } from './bytes-in-flight.js';
import { reviewMilliseconds } from './deadline.js';
import { HeapGrowth } from './heap-growth.js';
import { recordReview } from './review-record.js';
import type { Asking } from './judge-pool.js';
import type { Turns } from './turns.js';

/** Of all bodies under way; a review of the largest definition etcd takes has 3 MB. */
const maxBytesInFlight = 64 * 1024 * 1024;

const largeBytes = 256 * 1024;

/** What is left of a review's time for deciding when a judgement elsewhere was given up. */
const decidingMilliseconds = 500;

export interface WebhookOptions {
  readonly reviewers: readonly Reviewer[];
  readonly view: ClusterView;
  /** Whose judgements take their turns with others', and stop when nobody waits. */
  readonly judge: (asking: Asking) => HeavyJudge;
  readonly policy: () => Policy;
  readonly metrics: GateMetrics;
  readonly log: Logger;
  readonly maxBodyBytes: number;
  /** How an API server shows itself; undefined when nobody said. */
  readonly clients?: ClientCertificates;
  /** Where reviews and refusals wait until the sockets have been read. */
  readonly turns: Turns;
  /** True once the gate is shutting down: answers then ask the client to close its connection. */
  readonly closing: () => boolean;
}

/** Makes the express app; it answers 5xx only for a defect of its own, and in one sentence. */
export function createWebhook(options: WebhookOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  const inFlight = new BytesInFlight(Math.max(maxBytesInFlight, options.maxBodyBytes));
  const heap = new HeapGrowth();
  let underWay = 0;

  /** Why a review cannot be taken on now. */
  const overload = (request: Request): string | undefined => {
    if (underWay >= options.policy().budgets.concurrentReviews) {
      return `${underWay} reviews are under way already`;
    }
    const bytes = Number(request.headers['content-length'] ?? 0);
    return bytes > options.maxBodyBytes || inFlight.fits(bytes)
      ? undefined
      : `the ${underWay} reviews under way hold all the memory there is for them`;
  };

  app.use((_request, response, next) => {
    if (options.closing()) response.set('Connection', 'close');
    next();
  });
  app.post('/validate', async (request, response) => {
    const reason = overload(request);
    if (reason !== undefined) {
      heap.spare();
      return answerOverload(request, response, reason, options);
    }
    underWay++;
    const held = inFlight.hold();
    try {
      await answerReview(request, response, held, options);
    } finally {
      held.give();
      underWay--;
    }
  });
  app.all('/validate', (request, response) => {
    const error = new HttpError(405, 'E_INPUT', 'POST an AdmissionReview here');
    refuse(request, response.set('Allow', 'POST'), error);
  });
  app.use((request: Request, response: Response) => {
    refuse(request, response, new HttpError(404, 'E_INPUT', 'there is only POST /validate'));
  });
  // express knows four arguments for an error handler.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    options.log.error({ err: error }, 'a request failed');
    const sentence = 'olm-guard failed on this request, which is a defect of its own';
    refuse(request, response, new HttpError(500, 'E_INPUT', `${sentence}; its log says where`));
  });
  return app;
}

async function answerReview(
  request: Request,
  response: Response,
  { take }: HeldBytes,
  options: WebhookOptions,
): Promise<void> {
  const start = performance.now();
  const milliseconds = reviewMilliseconds(request.query['timeout']);
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    const { maxBodyBytes: maxBytes } = options;
    const body = await readBody(request, { maxBytes, signal: deadline, take });
    const caller = callerOf(request, options.clients);
    const asked = { start, milliseconds, deadline, caller };
    await options.turns.run('judge', () => answerBody(body, response, options, asked));
  } catch (error) {
    const refusal = httpError(error);
    // A review that can at least be named gets an answer, by policy.
    const peeked = refusal instanceof UnreadBody ? readReviewHead(refusal.head) : undefined;
    if (refusal.status === 429) options.metrics.overload.inc();
    if (peeked === undefined) return refuse(request, response, refusal, options.log);
    drain(request);
    return answerUnread(response, peeked, refusal.message, options);
  }
}

/** By whom one review was sent, how long it may take, and since when. */
interface Asked {
  readonly caller: Caller;
  readonly start: number;
  readonly milliseconds: number;
  readonly deadline: AbortSignal;
}

/** @throws UnreadBody when its turn came too late or it nests too deep, HttpError when it is none */
async function answerBody(
  body: Buffer,
  response: Response,
  options: WebhookOptions,
  { start, milliseconds, deadline, caller }: Asked,
): Promise<void> {
  const { log, metrics, reviewers, view, judge } = options;
  const sentence = `it was not finished within ${(milliseconds / 1000).toFixed(1)} s`;
  // Timers fire up to a millisecond early, and late while the loop is busy.
  const isLate = (): boolean => deadline.aborted || performance.now() - start >= milliseconds;
  if (isLate()) throw new UnreadBody(408, 'E_LIMIT', sentence, body.subarray(0, headBytes));
  const admission = decode(body);
  // Reading a large review and judging it are two turns of the loop: others get theirs between.
  if (body.length > largeBytes) await wholeTurn();
  const policy = options.policy();
  const late = (): Reviewed => unjudged(admission.uid, policyFor(admission, policy), sentence);
  const until = start + milliseconds;
  // Who is no API server may claim to be any user: all of them together get the turns of one.
  const user = caller === 'stranger' ? [] : [admission.userInfo?.username ?? ''];
  const asker = [caller, ...user, admission.name ?? ''];
  const answered = new AbortController();
  const asking = { asker, until: until - decidingMilliseconds, signal: answered.signal };
  const context = {
    ...{ body, policy, view, caller, now: new Date(), until },
    ...{ judge: judge(asking), background: judge({ asker }) },
  };
  response.once('close', () => answered.abort());
  const reviewed = isLate()
    ? late()
    : await orAtDeadline(review(admission, reviewers, context), deadline, late);
  answered.abort();
  send(response, reviewed);
  const seconds = (performance.now() - start) / 1000;
  const known = reviewers.some(({ resource }) => resource === admission.resource.resource);
  recordReview({ request: admission, reviewed, seconds, known }, metrics, log);
}

/** Too many reviews are under way: an answer by policy, keeping nothing of the body. */
async function answerOverload(
  request: Request,
  response: Response,
  reason: string,
  options: WebhookOptions,
): Promise<void> {
  const { metrics, log } = options;
  metrics.overload.inc();
  const deadline = AbortSignal.timeout(reviewMilliseconds(request.query['timeout']));
  const head = await readHead(request, deadline, (bytes) => readReviewHead(bytes) !== undefined);
  const peeked = readReviewHead(head);
  await options.turns.run('refuse', () => {
    if (peeked === undefined) {
      const error = new HttpError(429, 'E_LIMIT', 'too many reviews are under way; try again');
      return refuse(request, response, error, log);
    }
    answerUnread(response, peeked, reason, options);
  });
}

/** Answers a review of which only the first bytes are known. */
function answerUnread(
  response: Response,
  request: ReviewHead,
  sentence: string,
  { policy, metrics, log }: WebhookOptions,
): void {
  send(response, unjudged(request.uid, policyFor(request, policy()), sentence));
  metrics.reviews.inc({ resource: 'other', operation: 'UNKNOWN', decision: 'unjudged' });
  log.warn({ uid: request.uid, decision: 'unjudged', unjudged: sentence }, 'review');
}

function decode(body: Buffer): AdmissionRequest {
  try {
    return decodeReview(body);
  } catch (error) {
    if (error instanceof InvalidInputError && error.code === 'E_LIMIT') {
      throw new UnreadBody(
        400,
        'E_LIMIT',
        `the body ${error.message}`,
        body.subarray(0, headBytes),
      );
    }
    throw error;
  }
}

async function orAtDeadline(
  review: Promise<Reviewed>,
  deadline: AbortSignal,
  late: () => Reviewed,
): Promise<Reviewed> {
  let onAbort: (() => void) | undefined;
  const expired = new Promise<Reviewed>((resolve) => {
    onAbort = () => resolve(late());
    deadline.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([review, expired]);
  } finally {
    if (onAbort !== undefined) deadline.removeEventListener('abort', onAbort);
  }
}

function send(response: Response, { response: answer }: Reviewed): void {
  if (response.destroyed) return;
  response.type('application/json').send(JSON.stringify(reviewOf(answer)));
}

function httpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidInputError) return new HttpError(400, error.code, sentence(error));
  throw error;
}

/** `the body is not JSON: the input ends too early (line 1, column 17)`. */
function sentence({ message, where }: InvalidInputError): string {
  const text = message.startsWith('is ') ? `the body ${message}` : message;
  return where.line === undefined
    ? text
    : `${text} (line ${where.line}, column ${where.column ?? 1})`;
}

function refuse(request: Request, response: Response, error: HttpError, log?: Logger): void {
  log?.warn({ status: error.status, reason: error.message }, 'request refused');
  drain(request);
  if (response.destroyed) return;
  response.status(error.status).json({ error: { code: error.code, message: error.message } });
}
