/** How many random cases a test looks at. */

const factor = Number(process.env['OLM_GUARD_SAMPLES'] ?? 1);

/**
 * So many of each kind, and as many times more as `OLM_GUARD_SAMPLES` says: `npm test` says eight
 * (test/run.ts). `OLM_GUARD_SEED` chooses others where a test has no seed of its own.
 */
export function samples(count: number): number {
  return count * (Number.isFinite(factor) && factor >= 1 ? factor : 1);
}
