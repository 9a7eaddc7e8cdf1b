/** Asks a converter, again where it fails, and keeps every fault once with how often it was seen. */
import type { ObjectValidator } from '../../kubernetes/index.js';
import { sizeOf, keyOf, type Clause, type Fault } from '../../upgrade/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import {
  conversionReview,
  judgeAnswer,
  type ConversionRequest,
  type Convert,
  type Failure,
  type Judged,
} from './review.js';

export interface Side {
  readonly version: string;
  readonly validator: ObjectValidator;
}

export interface Limits {
  /** Longer answers are reported. */
  readonly slowMilliseconds: number;
}

/** Failures in a row after which the converter is not asked any more. */
const maxLate = 3;
const maxUnreachable = 3;
/** Each may be as long as an answer can be, and takes its time to be read. */
const maxUnreadable = 8;
const repeats = 4;

/** These may pass when the same is asked again. */
const passing: ReadonlySet<Clause> = new Set([
  'status',
  'unreadable',
  'unreachable',
  'refused',
  'late',
]);

export class Conversation {
  private readonly faults = new Map<string, Fault>();
  private inARow = 0;
  /** No further question can bring anything: none is asked any more, and each is answered with nothing. */
  isGone = false;
  requests = 0;
  /** Time that the converter itself took, and its slowest answer. */
  milliseconds = 0;
  slowest = 0;

  constructor(
    private readonly convert: Convert,
    private readonly limits: Limits,
    private readonly now: () => number,
  ) {}

  get found(): Fault[] {
    return [...this.faults.values()];
  }

  /** Asks up to three times more where nothing came. */
  async ask(objects: readonly JsonObject[], from: Side, to: Side): Promise<Judged> {
    const first = await this.once(objects, from, to);
    const [fault] = first.faults;
    if (!first.isRefused || fault === undefined || !passing.has(fault.clause)) return first;
    for (let again = 1; again < repeats; again++) {
      const next = await this.once(objects, from, to);
      if (this.isGone) return next;
      if (next.isRefused && next.faults.some(({ clause }) => passing.has(clause))) continue;
      const detail = fault.detail === undefined ? fault.clause : `${fault.clause}: ${fault.detail}`;
      this.note({ ...fault, clause: 'intermittent', detail });
      return next;
    }
    return first;
  }

  /** Asks once, and counts the failures that make it pointless to go on. */
  async once(objects: readonly JsonObject[], from: Side, to: Side): Promise<Judged> {
    const nothing = { isRefused: true, faults: [], converted: objects.map(() => undefined) };
    if (this.isGone) return nothing;
    const { group } = to.validator.definition;
    const uid = crypto.randomUUID();
    const started = this.now();
    this.requests++;
    const answer = await this.convert(conversionReview(uid, objects, `${group}/${to.version}`));
    const took = this.now() - started;
    this.milliseconds += took;
    this.slowest = Math.max(this.slowest, took);
    const versions = { from: from.version, to: to.version };
    if (!('failure' in answer) && took > this.limits.slowMilliseconds) {
      const seconds = (took / 1000).toFixed(1);
      this.note({ clause: 'slow', ...versions, detail: `${seconds} s`, count: 1 });
    }
    const asked: ConversionRequest = { ...versions, uid, objects, validator: to.validator };
    const judged = judgeAnswer(answer, asked);
    const [fault] = judged.faults;
    if ('failure' in answer) this.countFailure(answer.failure, versions);
    // JSON that is no ConversionReview takes as long to read as what is no JSON.
    else if (fault?.clause === 'unreadable') {
      this.countFailure({ clause: 'unreadable', reason: fault.detail ?? '' }, versions);
    } else this.inARow = 0;
    return this.isGone ? nothing : judged;
  }

  /** Counts a fault that is known, and keeps its smallest object. */
  note(fault: Fault): void {
    const key = keyOf(fault);
    const known = this.faults.get(key);
    if (known === undefined) {
      this.faults.set(key, fault);
      return;
    }
    const { object } = known;
    const isSmaller =
      fault.object !== undefined && (object === undefined || sizeOf(fault.object) < sizeOf(object));
    const count = known.count + fault.count;
    this.faults.set(key, isSmaller ? { ...fault, count } : { ...known, count });
  }

  replace(fault: Fault, object: JsonObject): void {
    this.faults.set(keyOf(fault), { ...fault, object });
  }

  private countFailure(failure: Failure, versions: { from: string; to: string }): void {
    this.inARow++;
    const { clause, reason } = failure;
    this.isGone =
      clause === 'certificate' ||
      (clause === 'unreachable' &&
        this.inARow >= maxUnreachable &&
        this.requests === this.inARow) ||
      (clause === 'late' && this.inARow >= maxLate) ||
      ((clause === 'unreadable' || clause === 'too-large') && this.inARow >= maxUnreadable);
    if (this.isGone) this.note({ clause, ...versions, detail: reason, count: this.inARow });
  }
}
