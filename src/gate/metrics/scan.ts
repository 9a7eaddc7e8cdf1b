import { Gauge, Registry } from 'prom-client';
import type { Finding } from '../../rule/index.js';

/** Registers `olm_guard_scan_findings`; the returned function shows the findings of a new scan. */
export function registerScan(registry: Registry): (findings: Iterable<Finding>) => void {
  const gauge = new Gauge({
    name: 'olm_guard_scan_findings',
    help: 'Findings of the last scan by rule and severity.',
    labelNames: ['rule', 'severity'],
    registers: [registry],
  });
  return (findings) => {
    gauge.reset();
    for (const { rule, severity } of findings) gauge.inc({ rule, severity });
  };
}

/** A registry that holds it alone, and what shows the findings. */
export function createScanMetrics(): {
  readonly registry: Registry;
  readonly show: ReturnType<typeof registerScan>;
} {
  const registry = new Registry();
  return { registry, show: registerScan(registry) };
}
