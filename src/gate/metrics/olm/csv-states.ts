import { Gauge, type Registry } from 'prom-client';
import { families } from './families.js';

export interface CsvState {
  readonly namespace: string;
  readonly name: string;
  /** `""` shows as OLM's zero version, 0.0.0. */
  readonly version: string;
  readonly phase: string;
  readonly reason: string;
}

interface Shown {
  readonly succeeded: {
    readonly namespace: string;
    readonly name: string;
    readonly version: string;
  };
  readonly abnormal:
    (Shown['succeeded'] & { readonly phase: string; readonly reason: string }) | null;
}

/**
 * `csv_succeeded` and `csv_abnormal`: what each ClusterServiceVersion shows is remembered and
 * replaced. OLM takes the old labels from the object it saw before, and leaves a series behind for
 * every state that it missed.
 */
export class CsvStates {
  private readonly succeeded: Gauge<'namespace' | 'name' | 'version'>;
  private readonly abnormal: Gauge<'namespace' | 'name' | 'version' | 'phase' | 'reason'>;
  private readonly shown = new Map<string, Shown>();

  constructor(registry: Registry) {
    const { csvSucceeded, csvAbnormal } = families;
    this.succeeded = new Gauge({
      name: csvSucceeded.name,
      help: csvSucceeded.help,
      labelNames: csvSucceeded.labels,
      registers: [registry],
    });
    this.abnormal = new Gauge({
      name: csvAbnormal.name,
      help: csvAbnormal.help,
      labelNames: csvAbnormal.labels,
      registers: [registry],
    });
  }

  set({ namespace, name, version, phase, reason }: CsvState): void {
    if (reason === 'Copied') return;
    this.delete(namespace, name);
    const labels = { namespace, name, version: version === '' ? '0.0.0' : version };
    const hasSucceeded = phase === 'Succeeded';
    const shown = {
      succeeded: labels,
      abnormal: hasSucceeded ? null : { ...labels, phase, reason },
    };
    this.shown.set(`${namespace}/${name}`, shown);
    this.succeeded.set(labels, hasSucceeded ? 1 : 0);
    if (shown.abnormal !== null) this.abnormal.set(shown.abnormal, 1);
  }

  delete(namespace: string, name: string): void {
    const shown = this.shown.get(`${namespace}/${name}`);
    if (shown === undefined) return;
    this.shown.delete(`${namespace}/${name}`);
    this.succeeded.remove(shown.succeeded);
    if (shown.abnormal !== null) this.abnormal.remove(shown.abnormal);
  }
}
