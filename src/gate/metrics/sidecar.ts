import { Counter, type Registry } from 'prom-client';
import { registerServerMetrics, type ServerMetrics } from './process.js';

export interface SidecarMetrics extends ServerMetrics {
  /** Outcome is `allowed`, `denied` or `error`; operation is empty for what is no operation. */
  readonly answers: Counter<'operation' | 'outcome'>;
  readonly refusals: Counter;
}

export function createSidecarMetrics(register: Registry, version: string): SidecarMetrics {
  const registers = [register];
  return {
    ...registerServerMetrics(register, version, 'sidecar'),
    answers: new Counter({
      name: 'olm_guard_preflight_answers_total',
      help: 'Preflight requests by operation and outcome.',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    refusals: new Counter({
      name: 'olm_guard_preflight_unauthorized_total',
      help: 'Preflight requests refused for lack of the bearer token.',
      registers,
    }),
  };
}
