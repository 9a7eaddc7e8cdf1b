/** Switch-offs that are on the cluster, and when they end. */
import { Gauge, type Registry } from 'prom-client';
import { whyNot, type Policy, sourceOfKind, switchOffsOn } from '../../policy/index.js';
import type { JsonObject } from '../../text/documents/index.js';

export interface SwitchOffSources {
  readonly objects: (kind: string) => Iterable<JsonObject>;
  readonly bypass: () => Policy['bypass'];
}

/** Registers how many there are and which ends next by place, looked at in each scrape. */
export function registerSwitchOffs(registry: Registry, sources: SwitchOffSources): void {
  const registers = [registry];
  // Registered first, and so collected first: it fills the other one too.
  new Gauge({
    name: 'olm_guard_switch_offs',
    help: 'Switch-offs that are set, by the kind of object they are on; the answer to a review says whether each counts.',
    labelNames: ['by'],
    registers,
    collect() {
      this.reset();
      ends.reset();
      for (const [by, { count, next }] of inForce(sources)) {
        this.set({ by }, count);
        if (next !== Infinity) ends.set({ by }, next / 1000);
      }
    },
  });
  const ends = new Gauge({
    name: 'olm_guard_switch_off_expiry_timestamp_seconds',
    help: 'When the next switch-off expires (olm-guard.io/disable-until), in seconds since 1970, by the kind of object it is on.',
    labelNames: ['by'],
    registers,
  });
}

interface InForce {
  readonly count: number;
  /** When the next one ends, in milliseconds since 1970; Infinity where none does. */
  readonly next: number;
}

function inForce({ objects, bypass }: SwitchOffSources): Map<string, InForce> {
  const now = new Date();
  const rules = { bypass: bypass(), now, isAdmission: false };
  const found = new Map<string, InForce>();
  for (const kind of sourceOfKind.keys()) {
    for (const object of objects(kind)) {
      for (const each of switchOffsOn(object, now)) {
        if (whyNot(each, rules) !== undefined || !('families' in each.reading)) continue;
        const { count, next } = found.get(each.by) ?? { count: 0, next: Infinity };
        const until = each.reading.until ?? Infinity;
        found.set(each.by, { count: count + 1, next: Math.min(next, until) });
      }
    }
  }
  return found;
}
