/**
 * What a proof may cost, counted in values that are made up, put to a schema, or compared. A count
 * and no clock, so that the same pair always gets the same answer.
 */
export class Effort {
  private used = 0;

  constructor(private readonly most: number) {}

  get spent(): number {
    return this.used;
  }

  get left(): number {
    return Math.max(0, this.most - this.used);
  }

  get isSpent(): boolean {
    return this.used >= this.most;
  }

  spend(values: number): void {
    this.used += values;
  }

  /** An equal part of what is left, for one of so many that still come; it is paid back by `spend`. */
  share(among: number): Effort {
    return new Effort(Math.ceil(this.left / Math.max(1, among)));
  }
}
