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
      help: 'Whether the webhook is registered with a caBundle and every rule of the release (1) or not (0); absent while the gate cannot read the registration.',
      labelNames: ['webhook'],
      registers,
    }),
    definitionChanges: new Counter({
      name: 'olm_guard_definition_changes_total',
      help: 'CustomResourceDefinitions whose creation or change of spec the watch shows, without groups that a match condition exempts: the API server should have called the gate for each.',
      registers,
    }),
  };
}
