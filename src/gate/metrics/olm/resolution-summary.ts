import { Summary, type Registry } from 'prom-client';
import { families } from './families.js';

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

/**
 * Observations of the last ten minutes, forgotten in five steps of two minutes as Go's Prometheus
 * summary does, with exact quantiles. Go estimates them from 500 observations on; both are within
 * the stated objectives. Sum and count are of all times.
 */
export class SlidingSample {
  sum = 0;
  count = 0;
  private steps: { readonly step: number; readonly values: number[] }[] = [];

  /** @param start milliseconds of the first step's beginning */
  constructor(
    private readonly start: number,
    private readonly limits = { stepMilliseconds: 120_000, steps: 5, valuesPerStep: 10_000 },
  ) {}

  observe(value: number, now: number): void {
    this.sum += value;
    this.count += 1;
    const step = this.forget(now);
    let latest = this.steps.at(-1);
    if (latest?.step !== step) {
      latest = { step, values: [] };
      this.steps.push(latest);
    }
    latest.values.push(value);
    if (latest.values.length > this.limits.valuesPerStep) latest.values.shift();
  }

  /** NaN when nothing was observed of late. */
  quantiles(ranks: readonly number[], now: number): number[] {
    this.forget(now);
    const values = Float64Array.from(this.steps.flatMap((step) => step.values)).sort();
    return ranks.map((rank) => values[Math.max(Math.ceil(values.length * rank) - 1, 0)] ?? NaN);
  }

  private forget(now: number): number {
    const step = Math.floor((now - this.start) / this.limits.stepMilliseconds);
    this.steps = this.steps.filter((kept) => kept.step > step - this.limits.steps);
    return step;
  }
}
