/** OLM's metrics on the gate's /metrics: from the state, by one replica at a time. */
import type { Logger, ExportingRegistry, OlmMetrics } from '../../gate/index.js';
import { type Connection, type OlmState, ownNamespace } from '../../cluster/index.js';
import { identity } from './identity.js';

const lease = { namespace: ownNamespace(), name: 'olm-guard' };

/** Starts to export; `stop` gives the Lease back, `metrics` counts what the gate itself does. */
export async function exportOlmMetrics(
  registry: ExportingRegistry,
  state: OlmState,
  log: Logger,
): Promise<{ readonly stop: () => Promise<void>; readonly metrics: OlmMetrics }> {
  const [{ OlmMetrics }, { feedOlmMetrics }] = await Promise.all([
    import('../../gate/metrics/olm/olm-metrics.js'),
    import('../../gate/metrics/olm/state-feed.js'),
  ]);
  const metrics = new OlmMetrics(registry.olm, Date.now);
  feedOlmMetrics(metrics, state);
  if (state.connection === undefined) {
    registry.exportsOlm = () => true;
    return { stop: () => Promise.resolve(), metrics };
  }
  return { stop: await holdLease(registry, state.connection, log), metrics };
}

async function holdLease(
  registry: ExportingRegistry,
  connection: Connection,
  log: Logger,
): Promise<() => Promise<void>> {
  const { LeaseHolder } = await import('../../cluster/view/lease.js');
  const holder = new LeaseHolder(connection, {
    ...lease,
    identity,
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
