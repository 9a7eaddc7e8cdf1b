/**
 * Denials published as Events (events.k8s.io/v1), beside the object or, for what has no namespace, in
 * `default`. They say which rules refused what, never what stood in it; they are bounded in number,
 * and no answer waits for one.
 */
import { type Connection, ClusterError } from '../../cluster/index.js';
import { metaOf, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { subjectName, type AdmissionRequest } from '../admission/admission-review.js';
import type { Reviewed } from '../admission/review.js';
import type { Logger } from '../log.js';
import type { GateMetrics } from '../metrics/own-metrics.js';
import { firstNames } from '../../text/shortened.js';

export interface DenialEvents {
  /** Returns at once; what cannot be published is counted. */
  tell(request: AdmissionRequest, reviewed: Pick<Reviewed, 'response' | 'decided'>): void;
  close(): void;
}

export interface DenialEventsOptions {
  readonly identity: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics: Pick<GateMetrics, 'events'>;
  /** Milliseconds on a clock that is never set. */
  readonly steady?: () => number;
  /** Between looks at what was repeated. */
  readonly roundMilliseconds?: number;
}

/** Events that one namespace, and all together, may begin at once, and then in each minute. */
const burst = { namespace: 10, total: 60 };
/** Repetitions of a denial are reported together, and not more often than this. */
const seriesMilliseconds = 60_000;
/** A denial that was not repeated for so long begins another Event (client-go's finishTime). */
const forgetMilliseconds = 360_000;
const maxSeries = 1000;
const maxWaiting = 100;
const requestMilliseconds = 5000;
/** That Events are forbidden is logged no more often. */
const forbiddenMilliseconds = 300_000;
const namedRules = 10;

/** Limits of events.k8s.io. */
const maxNote = 1024;
const maxName = 253;
/** `.` and 16 hexadecimal digits, as client-go makes names. */
const suffix = 17;

interface Series {
  path: string | undefined;
  count: number;
  reported: number;
  /** Both on the steady clock. */
  lastObserved: number;
  tried: number;
}

/** Tells denials with the rights of manifests/components/events. */
export function denialEvents(
  connection: Pick<Connection, 'read' | 'now'>,
  options: DenialEventsOptions,
): DenialEvents {
  const { identity, log, metrics, roundMilliseconds = 10_000 } = options;
  const { steady = () => performance.now() } = options;
  const series = new Map<string, Series>();
  const budgets = new Map<string, Budget>();
  const total = new Budget(burst.total);
  const waiting: (() => Promise<void>)[] = [];
  let isWriting = false;
  let forbiddenToldUntil = -Infinity;
  let names = 0;

  const drop = (count = 1): void => metrics.events.inc({ outcome: 'dropped' }, count);

  async function write(init: { path: string; method: 'POST' | 'PATCH'; body: JsonObject }) {
    const { body, ...rest } = init;
    await connection.read({
      ...rest,
      body: stringifyJson(body),
      contentType: init.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      signal: AbortSignal.timeout(requestMilliseconds),
    });
    metrics.events.inc({ outcome: 'written' });
  }

  /** A series whose Event is not written, or has expired (they live for an hour), begins anew. */
  function enqueue(key: string, task: () => Promise<void>): void {
    if (waiting.length >= maxWaiting) return drop();
    waiting.push(() =>
      task().catch((error: unknown) => {
        series.delete(key);
        throw error;
      }),
    );
    if (!isWriting) void writeAll();
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      try {
        await task();
      } catch (error) {
        // The others are tried all the same: a quota, or a namespace that is being deleted, forbids its own Events only.
        drop();
        const isForbidden = error instanceof ClusterError && error.isForbidden;
        if (!isForbidden || steady() < forbiddenToldUntil) continue;
        forbiddenToldUntil = steady() + forbiddenMilliseconds;
        log.warn({ reason: error.message }, 'events not written');
      }
    }
    isWriting = false;
  }

  function begin(key: string, collection: string, event: JsonObject) {
    const each: Series = {
      ...{ path: undefined, count: 1, reported: 1 },
      ...{ lastObserved: steady(), tried: steady() },
    };
    series.set(key, each);
    enqueue(key, async () => {
      await write({ path: collection, method: 'POST', body: event });
      each.path = `${collection}/${metaOf(event).name}`;
    });
  }

  /** Tells what was repeated since, and forgets what no longer is. */
  function tellRepetitions(): void {
    const now = steady();
    for (const [key, each] of series) {
      if (now - each.lastObserved > forgetMilliseconds) series.delete(key);
      if (each.count === each.reported || now - each.tried < seriesMilliseconds) continue;
      const { count, lastObserved, path } = each;
      each.tried = now;
      each.reported = count;
      if (path === undefined || !total.take(now)) drop();
      else {
        const at = microTime(connection.now() - (now - lastObserved));
        const body = { series: { count, lastObservedTime: at } };
        enqueue(key, () => write({ path, method: 'PATCH', body }));
      }
    }
    for (const [name, budget] of budgets) if (budget.isFull(now)) budgets.delete(name);
  }

  const timer = setInterval(tellRepetitions, roundMilliseconds);
  timer.unref();

  return {
    tell(request, { response, decided }) {
      const denied = decided.filter(({ disposition }) => disposition === 'denied');
      const name = subjectName(request);
      if (response.allowed || request.dryRun === true || denied.length === 0 || name === '') return;
      const rules = [...new Set(denied.map(({ finding }) => finding.rule))].sort();
      const { kind, operation, namespace } = request;
      const place = namespace ?? 'default';
      const key = JSON.stringify([kind, namespace, name, operation, rules]);
      const now = steady();
      const known = series.get(key);
      if (known !== undefined) {
        known.count++;
        known.lastObserved = now;
        return;
      }
      const budget = budgets.get(place) ?? new Budget(burst.namespace);
      budgets.set(place, budget);
      if (series.size >= maxSeries || !budget.take(now) || !total.take(now)) return drop();
      const began = Math.floor(connection.now());
      const unique = `${began.toString(16)}${(names++ % 4096).toString(16).padStart(3, '0')}`;
      const uid = metaOf(request.oldObject ?? request.object).uid;
      begin(key, `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(place)}/events`, {
        ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event' },
        metadata: {
          name: `${name.slice(0, maxName - suffix)}.${unique.padStart(16, '0')}`,
          namespace: place,
        },
        eventTime: microTime(began),
        ...{ reportingController: 'olm-guard.io/olm-guard', reportingInstance: identity },
        ...{ type: 'Warning', reason: 'Denied', action: actionOf(operation) },
        regarding: {
          apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
          ...{ kind: kind.kind, name },
          ...(namespace === undefined ? {} : { namespace }),
          ...(uid === '' ? {} : { uid }),
        },
        note: noteOf(operation, kind.kind, name, rules),
      });
    },
    close() {
      clearInterval(timer);
      drop(waiting.splice(0).length);
    },
  };
}

/** So many at once, and as many a minute. */
class Budget {
  private left: number;
  private at = -Infinity;

  constructor(private readonly most: number) {
    this.left = most;
  }

  take(now: number): boolean {
    this.fill(now);
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  isFull(now: number): boolean {
    this.fill(now);
    return this.left === this.most;
  }

  private fill(now: number): void {
    const minutes = (now - this.at) / 60_000;
    this.left = Math.min(this.most, this.left + minutes * this.most);
    this.at = now;
  }
}

/** `UPDATE` → `Update` */
const actionOf = (operation: string): string =>
  operation.slice(0, 1) + operation.slice(1).toLowerCase();

function noteOf(operation: string, kind: string, name: string, rules: readonly string[]): string {
  const named = firstNames(rules, namedRules);
  const text = `olm-guard refused ${operation} of ${kind} ${name}: ${named}. Who asked was told why; olm-guard explain ${rules[0] ?? ''} says what the rule is about.`;
  return text.slice(0, maxNote);
}

/** RFC 3339 with microseconds, as MicroTime is written. */
const microTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('Z', '000Z');
