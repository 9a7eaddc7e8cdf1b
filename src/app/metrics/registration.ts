/** Whether API servers ask the gate about what they should: its registration, and what changed without a question. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface RegistrationMetrics {
  /** 1: registered with every rule that it should have; 0: not. No series while it is not known. */
  readonly registered: Gauge<'webhook'>;
  readonly definitionChanges: Counter;
}

export function registerRegistration(registry: Registry): RegistrationMetrics {
  const registers = [registry];
  return {
    registered: new Gauge({
      name: 'olm_guard_registered',
      help: 'Whether the API server has that webhook with an authority and every rule of the release (1) or not (0); absent while the gate cannot read it.',
      labelNames: ['webhook'],
      registers,
    }),
    definitionChanges: new Counter({
      name: 'olm_guard_definition_changes_total',
      help: 'CustomResourceDefinitions created and specs changed as the watch shows, without groups that a match condition names: the API server should have asked about each.',
      registers,
    }),
  };
}
