/** Metrics that every server of ours has: the process's own, and what is running. */
import { Gauge, collectDefaultMetrics, type Registry } from 'prom-client';

export function registerProcessMetrics(register: Registry, version: string): void {
  collectDefaultMetrics({ register });
  // Gauges whose names promtool rightly takes for counters; the same numbers are there by type.
  for (const kind of ['handles', 'requests', 'resources']) {
    register.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  new Gauge({
    name: 'olm_guard_build_info',
    help: 'Version of olm-guard and of the Node it runs on; always 1.',
    labelNames: ['version', 'node'],
    registers: [register],
  }).set({ version, node: process.version }, 1);
}
