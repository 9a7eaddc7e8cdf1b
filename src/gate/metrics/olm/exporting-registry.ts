import { Registry } from 'prom-client';
import { goExposition } from './go-exposition.js';

/** OLM's metrics are kept current in the other replicas too, so that counters go on when another one takes over. */
export class ExportingRegistry extends Registry {
  readonly olm = new Registry();
  /** Whether this replica is the one. */
  exportsOlm: () => boolean = () => false;

  override async metrics(): Promise<string> {
    const own = await super.metrics();
    return this.exportsOlm() ? `${own.trimEnd()}\n${await goExposition(this.olm)}` : own;
  }
}
