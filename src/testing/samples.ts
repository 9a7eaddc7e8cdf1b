/** How many random cases a test looks at. */

const factor = Number(process.env['OLM_GUARD_SAMPLES'] ?? 1);

/**
 * So many of each kind in every run, and as many times more as `OLM_GUARD_SAMPLES` says, then with
 * other seeds each time where a test has none of its own (test/fixed-seed.ts).
 */
export function samples(count: number): number {
  return count * (Number.isFinite(factor) && factor >= 1 ? factor : 1);
}
