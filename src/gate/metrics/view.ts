import { Gauge, type Registry } from 'prom-client';

interface KindStaleness {
  readonly kind: string;
  readonly stalenessSeconds: number;
}

/** Registers how old what the gate knows of each kind may be, asked at each scrape. */
export function registerStaleness(registry: Registry, kinds: () => readonly KindStaleness[]): void {
  new Gauge({
    name: 'olm_guard_view_staleness_seconds',
    help: 'How old the gate’s data about a kind may be; 0 while its watch is open, or if the kind is not installed and the watch of definitions is open.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const { kind, stalenessSeconds } of kinds()) this.set({ kind }, stalenessSeconds);
    },
  });
}
