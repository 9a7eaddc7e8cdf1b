import { Summary, type Registry } from 'prom-client';
import { families } from './families.js';
import { SlidingSample } from './sliding-sample.js';

export type Outcome = 'succeeded' | 'failed';

const ranks = [0.9, 0.95, 0.99];
const { name, help, labels } = families.resolutionDuration;

/** `olm_resolution_duration_seconds`: a summary whose quantiles look ten minutes back. */
export class ResolutionSummary extends Summary<'outcome' | 'quantile'> {
  private readonly samples = new Map<Outcome, SlidingSample>();
  private readonly start: number;

  /** @param now milliseconds; any steady clock */
  constructor(
    registry: Registry,
    private readonly now: () => number,
  ) {
    super({ name, help, labelNames: labels, registers: [registry] });
    this.start = now();
  }

  record(outcome: Outcome, seconds: number): void {
    let sample = this.samples.get(outcome);
    if (sample === undefined) {
      sample = new SlidingSample(this.start);
      this.samples.set(outcome, sample);
    }
    sample.observe(seconds, this.now());
  }

  override async get() {
    const values = [...this.samples].flatMap(([outcome, sample]) => {
      const quantiles = sample.quantiles(ranks, this.now());
      return [
        ...quantiles.map((value, index) => ({
          labels: { outcome, quantile: ranks[index] ?? 0 },
          value,
        })),
        { metricName: `${name}_sum`, labels: { outcome }, value: sample.sum },
        { metricName: `${name}_count`, labels: { outcome }, value: sample.count },
      ];
    });
    return { ...(await super.get()), values };
  }
}
