/** Switch-offs that stand on the cluster, and when they end. */
import { Gauge, type Registry } from 'prom-client';
import { whyNot } from '../../check/bypass.js';
import type { Policy } from '../../check/policy.js';
import { sourceOfKind, switchOffsOn } from '../../check/switch-off.js';
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
    help: 'Switch-offs that stand, by place, as far as their annotations show; the answer to a review says whether each counts.',
    labelNames: ['by'],
    registers,
    collect() {
      this.reset();
      ends.reset();
      for (const [by, { count, next }] of inForce(sources)) {
        this.set({ by }, count);
        if (next !== undefined) ends.set({ by }, next / 1000);
      }
    },
  });
  const ends = new Gauge({
    name: 'olm_guard_switch_off_expiry_timestamp_seconds',
    help: 'When the next switch-off that stands ends (olm-guard.io/disable-until), in seconds since 1970, by place.',
    labelNames: ['by'],
    registers,
  });
}

function inForce({
  objects,
  bypass,
}: SwitchOffSources): Map<string, { count: number; next?: number }> {
  const now = new Date();
  const rules = { bypass: bypass(), now, isAdmission: false };
  const found = new Map<string, { count: number; next?: number }>();
  for (const kind of sourceOfKind.keys()) {
    for (const object of objects(kind)) {
      for (const each of switchOffsOn(object, now)) {
        if (whyNot(each, rules) !== undefined || !('families' in each.reading)) continue;
        const known = found.get(each.by) ?? { count: 0 };
        const until = Math.min(each.reading.until ?? Infinity, known.next ?? Infinity);
        const next = until === Infinity ? {} : { next: until };
        found.set(each.by, { count: known.count + 1, ...next });
      }
    }
  }
  return found;
}
