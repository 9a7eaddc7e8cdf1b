/** The preflight sidecar's own metrics. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { registerProcessMetrics } from './process.js';

export interface SidecarMetrics {
  /** Outcome is `allowed`, `denied` or `error`; operation is empty for what is no operation. */
  readonly answers: Counter<'operation' | 'outcome'>;
  /** Requests without the token. */
  readonly refusals: Counter;
  readonly certificateExpiry: Gauge;
}

/** Registers the sidecar's metrics and the process's. */
export function createSidecarMetrics(register: Registry, version: string): SidecarMetrics {
  registerProcessMetrics(register, version);
  const registers = [register];
  return {
    answers: new Counter({
      name: 'olm_guard_preflight_answers_total',
      help: 'Preflight questions by operation and by what came of them.',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    refusals: new Counter({
      name: 'olm_guard_preflight_unauthorized_total',
      help: 'Preflight requests refused because they came without the bearer token.',
      registers,
    }),
    certificateExpiry: new Gauge({
      name: 'olm_guard_certificate_expiry_timestamp_seconds',
      help: 'When the serving certificate expires, in seconds since 1970.',
      registers,
    }),
  };
}
