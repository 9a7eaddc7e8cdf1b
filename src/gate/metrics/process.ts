/** Metrics that every server of ours has: the process's own, what is running, its certificate and its log. */
import { Counter, Gauge, collectDefaultMetrics, type Registry } from 'prom-client';

export interface ServerMetrics {
  readonly certificateExpiry: Gauge;
  readonly certificateReloads: Counter<'outcome'>;
  readonly logLinesDropped: Counter;
}

/** @param component what runs: alerts about a gate must not take a sidecar for one */
export function registerServerMetrics(
  register: Registry,
  version: string,
  component: 'gate' | 'sidecar',
): ServerMetrics {
  collectDefaultMetrics({ register });
  // Gauges whose names promtool rightly takes for counters; the same numbers are there by type.
  for (const kind of ['handles', 'requests', 'resources']) {
    register.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  const registers = [register];
  new Gauge({
    name: 'olm_guard_build_info',
    help: 'Version of olm-guard and of Node, and whether it is a gate or a sidecar; always 1.',
    labelNames: ['version', 'node', 'component'],
    registers,
  }).set({ version, node: process.version, component }, 1);
  return {
    certificateExpiry: new Gauge({
      name: 'olm_guard_certificate_expiry_timestamp_seconds',
      help: 'When the serving certificate expires, in seconds since 1970.',
      registers,
    }),
    certificateReloads: new Counter({
      name: 'olm_guard_certificate_reloads_total',
      help: 'Reloads of the serving certificate by outcome; a failed one keeps the certificate in use.',
      labelNames: ['outcome'],
      registers,
    }),
    logLinesDropped: new Counter({
      name: 'olm_guard_log_lines_dropped_total',
      help: 'Log lines lost because the reader of stderr is too slow or gone, or the disk is full.',
      registers,
    }),
  };
}
