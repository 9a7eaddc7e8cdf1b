import { Gauge, type Registry } from 'prom-client';

interface KindStaleness {
  readonly kind: string;
  readonly stalenessSeconds: number;
}

/** Registers how old what the gate knows of each kind may be, asked at each scrape. */
export function registerStaleness(registry: Registry, kinds: () => readonly KindStaleness[]): void {
  new Gauge({
    name: 'olm_guard_view_staleness_seconds',
    help: 'How old what the gate knows of a kind may be; 0 while its watch is open, or that of definitions where it is not installed.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const { kind, stalenessSeconds } of kinds()) this.set({ kind }, stalenessSeconds);
    },
  });
}
