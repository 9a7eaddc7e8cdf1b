import { Registry } from 'prom-client';
import { goExposition } from './go-exposition.js';

/**
 * A registry whose text ends with OLM's metrics while this replica is the one that exports them.
 * They stay current in the others too, so that counters go on after a change of hands.
 */
export class ExportingRegistry extends Registry {
  readonly olm = new Registry();
  /** Whether this replica is the one. */
  exportsOlm: () => boolean = () => false;

  override async metrics(): Promise<string> {
    const own = await super.metrics();
    return this.exportsOlm() ? `${own.trimEnd()}\n${await goExposition(this.olm)}` : own;
  }
}
