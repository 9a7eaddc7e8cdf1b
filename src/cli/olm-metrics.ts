/** OLM's metrics on the gate's /metrics: from the state, by one replica at a time. */
import { hostname } from 'node:os';
import type { Logger } from '../log.js';
import type { ExportingRegistry } from '../metrics/olm/exporting-registry.js';
import type { LiveState } from '../olm-state/live-state.js';
import type { OlmState } from '../olm-state/olm-state.js';

/** As in the manifests. */
const lease = { namespace: 'olm-guard', name: 'olm-guard' };

/** Starts to export; the returned function gives the Lease back. */
export async function exportOlmMetrics(
  registry: ExportingRegistry,
  state: OlmState,
  log: Logger,
): Promise<() => Promise<void>> {
  const [{ OlmMetrics }, { feedOlmMetrics }, { LiveState }] = await Promise.all([
    import('../metrics/olm/olm-metrics.js'),
    import('../olm-state/metrics-feed.js'),
    import('../olm-state/live-state.js'),
  ]);
  feedOlmMetrics(new OlmMetrics(registry.olm, Date.now), state);
  if (!(state instanceof LiveState)) {
    registry.exportsOlm = () => true;
    return () => Promise.resolve();
  }
  return holdLease(registry, state, log);
}

async function holdLease(
  registry: ExportingRegistry,
  state: LiveState,
  log: Logger,
): Promise<() => Promise<void>> {
  const { LeaseHolder } = await import('../cluster/lease.js');
  const holder = new LeaseHolder(state.connection, {
    ...lease,
    identity: `${hostname()}_${process.pid}`,
    onChange: (now, reason) => {
      const line = { lease: `${lease.namespace}/${lease.name}`, state: now, reason };
      if (now === 'impossible') log.warn(line, 'every replica exports the metrics of OLM');
      else log.info(line, 'the Lease for the metrics of OLM');
    },
  });
  registry.exportsOlm = () => holder.state !== 'waiting';
  holder.start();
  return () => holder.stop();
}
