/** Keeps a copy of one resource: a list, then a watch, through everything that ends a watch. */
import { isObject, type JsonObject, metaOf, own, parseJson } from '../../text/documents/index.js';
import { readLines } from '../../text/documents/lines.js';
import { delayBefore, type Backoff } from './backoff.js';
import type { Connection } from './connection.js';
import { Discovery, type ServedResource } from './discovery.js';
import { boundedPages } from './bounded-pages.js';
import { collectionPath, readPage } from './live.js';
import { ClusterError, formatResource, type ResourceName } from './view.js';

/**
 * - `starting`: not yet listed
 * - `current`: listed, and a watch is open or was until a moment ago
 * - `not-installed`: the cluster has no such kind; looked for again
 * - `forbidden`: we lack the right; asked for again
 * - `failing`: no answer; the last copy is kept
 */
export type ReflectorState = 'starting' | 'current' | 'not-installed' | 'forbidden' | 'failing';

/** Gets what happens to the resource; objects are trimmed already. */
interface Sink {
  /** All objects there are will be put, one after the other. */
  listing?(): void;
  /** These are the keys of all that there are. */
  listed(keys: ReadonlySet<string>): void;
  put(object: JsonObject): void;
  remove(object: JsonObject): void;
}

export interface ReflectorOptions {
  readonly resource: ResourceName;
  readonly labelSelector?: string;
  /** `reason=AppliedWithWarnings`, of the few fields that the API server selects by. */
  readonly fieldSelector?: string;
  /** Ask for metadata only: a tenth of the memory where no rule reads the rest. */
  readonly metadataOnly?: boolean;
  /** Drops what no rule asks for before anything keeps it. */
  readonly trim?: (object: JsonObject) => JsonObject;
  readonly sink: Sink;
  /** False where an event could not be kept: all is listed again when a watch ends. */
  readonly isWhole?: () => boolean;
  readonly onState?: (state: ReflectorState, reason: string | undefined) => void;
  readonly backoff?: Backoff;
  /** How long a watch may say nothing; two and a half minutes when it is left out. */
  readonly silenceMilliseconds?: number;
}

const pageSize = 500;
/** As client-go: the server ends each watch after 5 to 10 minutes, so that load spreads again. */
const watchSeconds = { min: 300, max: 600 };
/** Past the minute of bookmarks a watch is dead; Events and others without a cache have none. */
const defaultSilenceMilliseconds = 150_000;
/** A watch that ends sooner counts as a failure, or a server that closes at once is asked in a loop. */
const shortWatchMilliseconds = 1_000;
const maxEventBytes = 64 * 1024 * 1024;

export class Reflector {
  private readonly stopped = new AbortController();
  private readonly discovery: Discovery;
  private woken = new AbortController();
  private resourceVersion = '';
  private failures = 0;
  /** Whether the API server has ever sent a bookmark for this resource. */
  private hasBookmarks = false;
  private lastContact = performance.now();
  private current: ReflectorState = 'starting';
  private running: Promise<void> | undefined;
  private firstAnswer!: () => void;
  /** Resolves when it is known what there is: objects, no such kind, no right, or no answer. */
  readonly settled = new Promise<void>((resolve) => (this.firstAnswer = resolve));

  constructor(
    private readonly connection: Connection,
    private readonly options: ReflectorOptions,
  ) {
    this.discovery = new Discovery(connection);
  }

  get state(): ReflectorState {
    return this.current;
  }

  /** How old the copy may be; 0 while a watch is open. */
  get stalenessSeconds(): number {
    return this.current === 'current' ? 0 : (performance.now() - this.lastContact) / 1000;
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  /** A kind whose definition has changed may be there now; a new one gets 429 until its storage is ready. */
  wake(): void {
    if (this.current !== 'not-installed' && this.current !== 'failing') return;
    this.failures = 0;
    this.woken.abort();
  }

  private async run(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      const started = performance.now();
      try {
        await this.round();
        if (performance.now() - started < shortWatchMilliseconds) this.failures++;
        else this.failures = 0;
      } catch (error) {
        if (this.stopped.signal.aborted) break;
        this.fail(error);
      }
      const ended = AbortSignal.any([this.stopped.signal, this.woken.signal]);
      await pause(delayBefore(this.failures, this.options.backoff), ended);
      this.woken = new AbortController();
    }
  }

  /** One watch, after a list when there is nothing to go on from. */
  private async round(): Promise<void> {
    const { signal } = this.stopped;
    const served = await this.discovery.find(this.options.resource, signal);
    if (served === undefined) {
      this.options.sink.listed(new Set());
      throw new ClusterError(`${formatResource(this.options.resource)} is not installed`, 404);
    }
    const isWhole = this.options.isWhole?.() ?? true;
    if (this.resourceVersion === '' || !isWhole) await this.list(served, signal);
    await this.watch(served, signal);
  }

  private async list(served: ServedResource, signal: AbortSignal): Promise<void> {
    const keys = new Set<string>();
    const { sink } = this.options;
    sink.listing?.();
    for await (const { list } of boundedPages(this.connection, {
      path: (query) => `${collectionPath(served)}?${this.query(query)}`,
      accept: this.accept('List'),
      limit: pageSize,
      signal,
    })) {
      const page = readPage(list, served);
      for (const item of page.items) {
        keys.add(metaOf(item).key);
        sink.put(this.trim(item));
      }
      this.resourceVersion = page.resourceVersion;
    }
    sink.listed(keys);
    this.reached();
  }

  private async watch(served: ServedResource, signal: AbortSignal): Promise<void> {
    const { min, max } = watchSeconds;
    const seconds = Math.round(min + Math.random() * (max - min));
    const query = this.query({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: this.resourceVersion,
      timeoutSeconds: String(seconds),
    });
    const { silenceMilliseconds = defaultSilenceMilliseconds } = this.options;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), silenceMilliseconds);
    let isOpen = false;
    try {
      const stream = await this.connection.stream({
        path: `${collectionPath(served)}?${query}`,
        accept: this.accept(''),
        signal: AbortSignal.any([signal, silence.signal]),
      });
      isOpen = true;
      this.reached();
      for await (const line of readLines(stream as AsyncIterable<Buffer>, maxEventBytes)) {
        timer.refresh();
        if ('tooLong' in line)
          throw new ClusterError('a watch event is larger than can be read', 410);
        this.take(parseJson(line.bytes));
      }
    } catch (error) {
      if (!silence.signal.aborted || signal.aborted) throw error;
      // The next watch must be opened within the same time, so a cut does not stay hidden.
      if (isOpen && !this.hasBookmarks) return;
      throw new ClusterError(`silent for ${silenceMilliseconds / 1000} s`);
    } finally {
      clearTimeout(timer);
    }
  }

  private take(event: unknown): void {
    if (!isObject(event)) return;
    const object = own(event, 'object');
    if (!isObject(object)) return;
    const type = own(event, 'type');
    if (type === 'ERROR') throw watchError(object);
    if (type === 'BOOKMARK') this.hasBookmarks = true;
    const version = metaOf(object).resourceVersion;
    if (version !== '') this.resourceVersion = version;
    this.reached();
    if (type === 'ADDED' || type === 'MODIFIED') this.options.sink.put(this.trim(object));
    else if (type === 'DELETED') this.options.sink.remove(this.trim(object));
  }

  private reached(): void {
    this.lastContact = performance.now();
    this.enter('current', undefined);
  }

  private fail(error: unknown): void {
    const status = error instanceof ClusterError ? error.status : undefined;
    const reason = error instanceof Error ? error.message : String(error);
    this.failures++;
    if (status === 410) {
      // Our place in history is gone; what is there now is asked for at once.
      this.resourceVersion = '';
      this.failures = Math.min(this.failures, 1);
      return;
    }
    if (status === 404) {
      this.resourceVersion = '';
      this.discovery.forget(this.options.resource);
      this.lastContact = performance.now();
      this.enter('not-installed', reason);
    } else if (status === 403 || status === 401) {
      this.enter('forbidden', reason);
    } else {
      this.enter('failing', reason);
    }
  }

  private enter(state: ReflectorState, reason: string | undefined): void {
    this.firstAnswer();
    if (state === this.current) return;
    this.current = state;
    this.options.onState?.(state, reason);
  }

  private trim(object: JsonObject): JsonObject {
    const metadata = own(object, 'metadata');
    if (isObject(metadata)) delete metadata['managedFields'];
    return this.options.trim?.(object) ?? object;
  }

  private query(fields: Record<string, string>): string {
    const { labelSelector, fieldSelector } = this.options;
    return new URLSearchParams({
      ...fields,
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    }).toString();
  }

  private accept(suffix: string): string {
    return this.options.metadataOnly === true
      ? `application/json;as=PartialObjectMetadata${suffix};g=meta.k8s.io;v=v1`
      : 'application/json';
  }
}

function watchError(status: JsonObject): ClusterError {
  const code = own(status, 'code');
  const message = own(status, 'message');
  return new ClusterError(
    typeof message === 'string' ? message : 'the watch ended with an error',
    typeof code === 'number' ? code : undefined,
  );
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
  });
}
