/** One review from its first byte to its answer: read in its lane, judged in its turn, never late. */
import type { Caller } from '../admission/disclosure.js';
import { parseDuration } from '../../text/go/index.js';
import type { Request, Response } from 'express';
import type { Policy } from '../../policy/index.js';
import { ClusterError, type ClusterView } from '../../cluster/index.js';
import { InvalidInputError, measureShared, type MeasuredJson } from '../../text/documents/index.js';
import { decodeReview, type AdmissionRequest, reviewOf } from '../admission/admission-review.js';
import { review, unjudged, type Reviewed } from '../admission/review.js';
import { headBytes, readReviewHead, type ReviewHead } from '../admission/review-head.js';
import { UnfinishedError, type HeavyJudge, type Reviewer } from '../admission/reviewer.js';
import { noTime, policyFor, tooLarge } from '../admission/unread.js';
import { wholeTurn, type Turns } from '../admission/turns.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/own-metrics.js';
import { drain, HttpError, readBody } from './body.js';
import { callerOf, type ClientCertificates } from './caller.js';
import type { DenialEvents } from './denial-events.js';
import type { JobRequest } from './judge-pool.js';
import { Place, type Lanes } from './lanes.js';
import { httpError, refuse } from './refusal.js';
import { recordReview, type ReviewRecord } from './review-record.js';
import { type Turn, type Scheduler } from './scheduler.js';

// How long a review may take.

/** The API server's own default and maximum. */
const defaultMilliseconds = 10_000;
const maximumMilliseconds = 30_000;

/**
 * Whole milliseconds that a review may take: the API server's `?timeout=` (a Go duration such as `10s`),
 * less a margin for the answer's way back. A value that is no duration counts as absent. More than the
 * default is given only to who has shown to be an API server.
 */
export function reviewMilliseconds(timeout: unknown, caller: Caller): number {
  const asked = typeof timeout === 'string' ? milliseconds(timeout) : 0;
  const most = caller === 'api-server' ? maximumMilliseconds : defaultMilliseconds;
  const whole = asked <= 0 ? defaultMilliseconds : Math.min(asked, most);
  // Timers take whole milliseconds only.
  return Math.floor(whole - Math.min(1000, whole / 5));
}

function milliseconds(text: string): number {
  const duration = parseDuration(text);
  return 'error' in duration ? 0 : Number(duration.nanoseconds) / 1e6;
}

/** How long, all in all, hardly anything may come of a body that is to come, unless an API server sends it. */
const stallMilliseconds = 2000;

/** How much of its time a review's bytes may take to come and to find memory: the rest is for telling so. */
const bodyPatience = 0.5;

/** The rest is for a judgement in a hurry; the same for an unauthenticated client before its body is read. */
const patience = 0.5;

/** How long a denial waits, at most, for what it can do without. */
const spareMilliseconds = 500;

/** For deciding by the rules, several at once, on cores that are busy with something else. */
const reserve = 0.2;

/** Twice as many as in two of the largest definitions that an API server reads, at the density of public ones. */
const maxValues = 500_000;

/** Memory for a parsed value, and for a byte of text, at most. */
const bytesOfValue = 64;
const bytesOfByte = 2;

const largeBytes = 256 * 1024;

export interface ReviewOptions {
  readonly reviewers: readonly Reviewer[];
  readonly view: ClusterView;
  /** Judgements take their turns with others', and stop when the caller no longer waits. */
  readonly judge: (asking: JobRequest) => HeavyJudge;
  readonly policy: () => Policy;
  readonly metrics: GateMetrics;
  readonly log: Logger;
  readonly events?: Pick<DenialEvents, 'tell'>;
  readonly maxBodyBytes: number;
  /** How an API server shows itself; undefined when that is not configured. */
  readonly clients?: ClientCertificates;
  readonly lanes: Lanes;
  readonly scheduler: Scheduler<string>;
  /** When the body of an unauthenticated client is read. */
  readonly reading: Turns;
}

interface Asked {
  readonly caller: Caller;
  /** On the clock of `performance.now()`. */
  readonly start: number;
  readonly milliseconds: number;
  readonly deadline: AbortSignal;
}

/** Always answers, and within the time that the caller gives; throws only for a defect of the gate. */
export async function answerReview(
  request: Request,
  response: Response,
  options: ReviewOptions,
): Promise<void> {
  const { clients, lanes, scheduler, maxBodyBytes: maxBytes } = options;
  const caller = callerOf(request, clients);
  const milliseconds = reviewMilliseconds(request.query['timeout'], caller);
  const deadline = AbortSignal.timeout(milliseconds);
  const asked: Asked = { caller, start: performance.now(), milliseconds, deadline };
  const { remoteAddress: address = '' } = request.socket;
  const announced = Number(request.headers['content-length'] ?? Infinity);
  const place = new Place(lanes, caller, address, announced);
  let giveBack: (() => void) | undefined;
  try {
    if (caller === 'unauthenticated') giveBack = await takeTurn(response, address, options, asked);
    const left = Math.max(0, asked.start + milliseconds - performance.now());
    const body = await readBody(request, {
      ...{ maxBytes, signal: AbortSignal.timeout(Math.floor(left * bodyPatience)) },
      // An attacker's burst may be why bytes are not read: no update of a definition passes for it.
      lateStatus: 429,
      ...(caller === 'api-server' ? {} : { stallMilliseconds }),
      take: (bytes, head) => place.take(bytes, head),
    });
    place.done(body);
    const waiting = {
      asker: place.asker,
      heapBytes: heapBytes(body, Math.min(maxValues, body.length / 2)),
      hurryAt: asked.start + milliseconds * patience,
      until: asked.start + milliseconds,
    };
    await scheduler
      .run(place.lane, waiting, async (turn) => {
        // A caller that has gone takes no time from those that wait.
        if (!request.socket.destroyed) await answerBody(body, response, options, asked, turn);
      })
      .catch((error: unknown) => {
        throw error instanceof UnfinishedError ? unfinished(body, overloaded) : error;
      });
  } catch (error) {
    refuseReview(request, response, error, options, asked);
  } finally {
    place.give();
    giveBack?.();
  }
}

/**
 * Each such body takes the event loop from an API server's reviews. @returns gives it back @throws HttpError 429
 */
async function takeTurn(
  response: Response,
  address: string,
  { reading, scheduler }: ReviewOptions,
  { start, milliseconds }: Asked,
): Promise<() => void> {
  const left = start + milliseconds * patience - performance.now();
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  // The time of a thousand that came together is over together.
  const timer = setTimeout(() => scheduler.refuse(giveUp), left);
  response.once('close', giveUp);
  const giveBack = await reading.take([address], given.signal);
  clearTimeout(timer);
  response.off('close', giveUp);
  if (giveBack === undefined) throw new HttpError(429, 'E_LIMIT', overloaded);
  return giveBack;
}

/** @throws HttpError when it came too late or holds too much, InvalidInputError when it is no review */
async function answerBody(
  body: Buffer,
  response: Response,
  options: ReviewOptions,
  asked: Asked,
  turn: Turn,
): Promise<void> {
  const { start, deadline } = asked;
  // A timer fires a little early, or late while the loop is busy.
  const isLate = (): boolean => deadline.aborted || performance.now() - start >= asked.milliseconds;
  if (isLate()) throw unfinished(body, overloaded);
  if (turn.isHurried) options.metrics.hurried.inc();
  const measured = measure(body);
  turn.settle(heapBytes(body, measured.values));
  const admission = decodeReview(measured);
  // Reading a large review and judging it are two turns of the loop: others get theirs between.
  if (body.length > largeBytes) await wholeTurn();
  const late = (): Promise<Reviewed> => judgeAtOnce(admission, measured, options, asked);
  const reviewed = await (isLate()
    ? late()
    : orAtDeadline(judge(admission, measured, response, options, asked, turn), deadline, late));
  send(response, reviewed);
  record(admission, reviewed, asked, options);
  // Any other client may have invented the review, with a name and a namespace that are not its own.
  if (asked.caller === 'api-server') options.events?.tell(admission, reviewed);
}

async function judge(
  admission: AdmissionRequest,
  body: MeasuredJson,
  response: Response,
  { reviewers, view, judge, policy, scheduler }: ReviewOptions,
  { caller, start, milliseconds }: Asked,
  { isHurried }: Turn,
): Promise<Reviewed> {
  const until = start + milliseconds;
  // A sender that is no API server may claim to be any user: all of them together get the turns of one.
  const user = caller === 'unauthenticated' ? [] : [admission.userInfo?.username ?? ''];
  const asker = [caller, ...user, admission.name ?? ''];
  // A review that is made up may be as hard as its writer can make it.
  const isPatient = caller === 'unauthenticated';
  const answered = new AbortController();
  const stop = (): void => answered.abort();
  const asking = {
    ...{ asker, isPatient },
    until: until - milliseconds * reserve,
    signal: answered.signal,
  };
  const spare = (): HeavyJudge | undefined => {
    const now = performance.now();
    const left = until - now;
    if (left < milliseconds / 2 || scheduler.waiting > 0) return undefined;
    const spareUntil = now + Math.min(spareMilliseconds, left / 2);
    return judge({
      ...{ asker, isPatient, until: spareUntil },
      ...{ signal: answered.signal, yields: true },
    });
  };
  response.once('close', stop);
  try {
    return await review(admission, reviewers, {
      ...{ body, policy: policy(), view, caller, now: new Date(), until, asker: user },
      ...(isHurried
        ? { judge: nobody, isHurried }
        : { judge: judge(asking), background: judge({ asker, isPatient }), spare }),
      signal: answered.signal,
    });
  } finally {
    stop();
    response.off('close', stop);
  }
}

/** Far more than a judgement takes that waits for nothing. */
const maxTurns = 20;

/** Without threads and cluster. How long a judgement takes is its writer's doing: no way past the gate. */
async function judgeAtOnce(
  admission: AdmissionRequest,
  body: MeasuredJson,
  { reviewers, policy }: ReviewOptions,
  { caller, start, milliseconds }: Asked,
): Promise<Reviewed> {
  const sentence = `it was not finished within ${(milliseconds / 1000).toFixed(1)} s`;
  const gone = (): Promise<never> => Promise.reject(new ClusterError(sentence));
  const judge: HeavyJudge = () => Promise.reject(new UnfinishedError(sentence, 'late'));
  const rules = review(admission, reviewers, {
    ...{ body, policy: policy(), caller, judge, now: new Date() },
    ...{ view: { get: gone, list: gone }, until: start + milliseconds },
    ...{ isHurried: true, signal: AbortSignal.abort() },
  });
  const late = async (): Promise<Reviewed> => {
    for (let turn = 0; turn < maxTurns; turn++) await wholeTurn();
    return noTime(admission, reviewers, policy(), sentence);
  };
  return Promise.race([rules, late()]);
}

const overloaded = 'more reviews are under way than can be judged in time';

/** Past its capacity the gate judges by what takes milliseconds. */
const nobody: HeavyJudge = () =>
  Promise.reject(new UnfinishedError('too many reviews are under way', 'busy'));

function measure(body: Buffer): MeasuredJson {
  try {
    return measureShared(body, { maxValues });
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.code !== 'E_LIMIT') throw error;
    const message = `it ${error.message}`;
    throw new HttpError(413, 'E_LIMIT', message, body.subarray(0, headBytes));
  }
}

function heapBytes(body: Buffer, values: number): number {
  return body.length * bytesOfByte + values * bytesOfValue;
}

function unfinished(body: Buffer, sentence: string): HttpError {
  return new HttpError(429, 'E_LIMIT', sentence, body.subarray(0, headBytes));
}

function orAtDeadline(
  review: Promise<Reviewed>,
  deadline: AbortSignal,
  late: () => Promise<Reviewed>,
): Promise<Reviewed> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(late());
    deadline.addEventListener('abort', onAbort);
    review.then(resolve, reject).finally(() => deadline.removeEventListener('abort', onAbort));
  });
}

/** Answers a review that was not judged, if its first bytes name it. */
function refuseReview(
  request: Request,
  response: Response,
  error: unknown,
  options: ReviewOptions,
  asked: Asked,
): void {
  const refusal = httpError(error);
  const head =
    refusal instanceof HttpError && refusal.head ? readReviewHead(refusal.head) : undefined;
  if (refusal.status === 429) options.metrics.overload.inc();
  options.scheduler.refuse(() => {
    if (head === undefined) return refuse(request, response, refusal, options.log);
    // A stalled client is not waited for.
    if (refusal.status === 408 && asked.caller !== 'api-server')
      response.set('Connection', 'close');
    else drain(request, response);
    const reviewed = unread(head, refusal, options);
    send(response, reviewed);
    const named = { ...{ resource: nameless, operation: 'UNKNOWN' }, ...head };
    record(named, reviewed, asked, options);
  });
}

/** The size of a review is its writer's doing, and a burst may be; that its bytes did not come is not. */
function unread(
  head: ReviewHead,
  { status, message }: HttpError,
  { reviewers, policy }: ReviewOptions,
): Reviewed {
  if (status === 413) return tooLarge(head, reviewers, policy(), message);
  if (status === 429) return noTime(head, reviewers, policy(), message);
  return unjudged(head.uid, policyFor(head, policy()), message);
}

const nameless = { group: '', resource: '' };

function record(
  request: ReviewRecord['request'],
  reviewed: Reviewed,
  { start, caller }: Asked,
  { reviewers, metrics, log }: ReviewOptions,
): void {
  const seconds = (performance.now() - start) / 1000;
  const known = reviewers.some(({ resource }) => resource === request.resource.resource);
  recordReview({ request, reviewed, seconds, known, caller }, metrics, log);
}

function send(response: Response, { response: answer }: Reviewed): void {
  if (response.destroyed) return;
  response.type('application/json').send(JSON.stringify(reviewOf(answer)));
}
