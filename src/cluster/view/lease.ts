/** One of several replicas at a time holds a Lease (coordination.k8s.io); client-go's leaderelection. */
import { own, stringifyJson, type JsonObject } from '../../text/documents/index.js';
import type { Connection } from './connection.js';
import { ClusterError } from './view.js';
import { objectAt, textAt } from '../../text/documents/fields.js';

export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Our identity: the pod's name. */
  readonly identity: string;
  readonly durationSeconds?: number;
  readonly retrySeconds?: number;
  /** Called when we begin or cease to hold it, and when the cluster will not let us try. */
  readonly onChange?: (state: LeaseState, reason: string | undefined) => void;
}

/** `impossible`: no such namespace or no right, so that no replica can hold it. */
export type LeaseState = 'waiting' | 'held' | 'impossible';

export class LeaseHolder {
  private readonly stopped = new AbortController();
  private readonly duration: number;
  private readonly retry: number;
  private current: LeaseState = 'waiting';
  /** When the other holder's entry was last seen to change, on the clock of `performance.now()`. */
  private observed = { text: '', at: 0 };
  private renewedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly options: LeaseOptions,
  ) {
    this.duration = (options.durationSeconds ?? 15) * 1000;
    this.retry = (options.retrySeconds ?? 5) * 1000;
  }

  get state(): LeaseState {
    // A holder that could not renew in time must assume that another has taken over.
    return this.current === 'held' && performance.now() - this.renewedAt > this.duration
      ? 'waiting'
      : this.current;
  }

  start(): void {
    void this.round();
  }

  /** Ceases to hold it, so that another replica need not wait. */
  async stop(): Promise<void> {
    this.stopped.abort();
    clearTimeout(this.timer);
    if (this.current !== 'held') return;
    this.current = 'waiting';
    try {
      const lease = await this.read(AbortSignal.timeout(2_000));
      if (lease !== undefined && textAt(lease, 'spec', 'holderIdentity') === this.options.identity)
        await this.write(lease, '', AbortSignal.timeout(2_000));
    } catch {
      // It expires by itself.
    }
  }

  private async round(): Promise<void> {
    try {
      await this.tryOnce();
    } catch (error) {
      if (!this.stopped.signal.aborted) this.failed(error);
    }
    if (this.stopped.signal.aborted) return;
    this.timer = setTimeout(() => void this.round(), this.retry);
    this.timer.unref();
  }

  private async tryOnce(): Promise<void> {
    const signal = AbortSignal.any([this.stopped.signal, AbortSignal.timeout(this.retry)]);
    const lease = await this.read(signal);
    if (lease !== undefined && !this.isFree(lease)) return this.enter('waiting', undefined);
    const at = performance.now();
    await this.write(lease, this.options.identity, signal);
    this.renewedAt = at;
    this.enter('held', undefined);
  }

  /** Ours, without a holder, or not renewed for its duration by our own clock. */
  private isFree(lease: JsonObject): boolean {
    const spec = objectAt(lease, 'spec') ?? {};
    const holder = textAt(spec, 'holderIdentity') ?? '';
    if (holder === '' || holder === this.options.identity) return true;
    const text = stringifyJson(spec);
    if (text !== this.observed.text) this.observed = { text, at: performance.now() };
    const seconds = own(spec, 'leaseDurationSeconds');
    const duration = typeof seconds === 'number' ? seconds * 1000 : this.duration;
    return performance.now() - this.observed.at > duration;
  }

  private failed(error: unknown): void {
    const status = error instanceof ClusterError ? error.status : undefined;
    // Another replica was faster.
    if (status === 409) return this.enter('waiting', undefined);
    const reason = error instanceof Error ? error.message : String(error);
    if (status === 403 || status === 404) this.enter('impossible', reason);
    else this.enter(this.state, reason);
  }

  private enter(state: LeaseState, reason: string | undefined): void {
    if (state === this.current) return;
    this.current = state;
    this.options.onChange?.(state, reason);
  }

  private get collection(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.options.namespace}/leases`;
  }

  private read(signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.connection.find({ path: `${this.collection}/${this.options.name}`, signal });
  }

  private async write(
    lease: JsonObject | undefined,
    identity: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { namespace, name } = this.options;
    const old = objectAt(lease, 'spec') ?? {};
    const isOurs = (textAt(old, 'holderIdentity') ?? '') === identity;
    const now = `${new Date().toISOString().slice(0, -1)}000Z`;
    const transitions = own(old, 'leaseTransitions');
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: identity === '' ? 1 : this.duration / 1000,
      acquireTime: isOurs ? (own(old, 'acquireTime') ?? now) : now,
      renewTime: now,
      leaseTransitions: (typeof transitions === 'number' ? transitions : 0) + (isOurs ? 0 : 1),
    };
    const body = stringifyJson({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      // With its resourceVersion, so that one of two writers gets 409.
      metadata: lease === undefined ? { name, namespace } : (own(lease, 'metadata') ?? { name }),
      spec,
    });
    await this.connection.read(
      lease === undefined
        ? { path: this.collection, method: 'POST', body, signal }
        : { path: `${this.collection}/${name}`, method: 'PUT', body, signal },
    );
  }
}
