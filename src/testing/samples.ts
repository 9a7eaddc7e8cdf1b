/** How many random cases a test looks at. */

const factor = Number(process.env['OLM_GUARD_SAMPLES'] ?? 1);

/**
 * So many of each kind in every run, and as many times more as `OLM_GUARD_SAMPLES` says: `npm run
 * test:unit` is run all the time, and other seeds are tried each time where a test has none of its own.
 */
export function samples(count: number): number {
  return count * (Number.isFinite(factor) && factor >= 1 ? factor : 1);
}
