/** What benchmarks measure beside its limit: printed, and kept for the page where bench/run.ts asks. */
import { appendFileSync } from 'node:fs';

/** `run.ts` names the file here into which its benchmarks write, one JSON object a line. */
export const measuresFile = 'OLM_GUARD_BENCH_MEASURES';

export interface Measure {
  /** The same words every time: its row in the history. */
  readonly what: string;
  readonly value: number;
  /** Of value and limit; empty for a share of the limit itself. */
  readonly unit: string;
  /** At most; a part of something that has a limit has none of its own. */
  readonly limit?: number;
}

/** Prints a measure, beside its limit if it has one; a limit that is passed makes the benchmark fail. */
export function tell(measure: Measure): boolean {
  const { what, value, unit, limit = Infinity } = measure;
  const isMet = value <= limit;
  if (!isMet) process.exitCode = 1;
  const verdict = isMet ? 'met' : 'MISSED';
  const beside = limit === Infinity ? '' : ` of at most ${limit}${unit}: ${verdict}`;
  console.log(`${what}: ${figure(value)}${unit}${beside}`);
  keep(measure);
  return isMet;
}

/** For a benchmark that prints in its own words. */
export function keep(measure: Measure): void {
  const file = process.env[measuresFile];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(measure)}\n`);
}

/** Three digits tell enough. */
export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;
}
