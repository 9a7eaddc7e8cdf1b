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
