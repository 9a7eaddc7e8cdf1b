/** How long to wait before the next try. */

export interface Backoff {
  readonly firstMilliseconds: number;
  readonly maxMilliseconds: number;
}

const standard: Backoff = { firstMilliseconds: 500, maxMilliseconds: 30_000 };

/** Half of it is drawn by chance, so that replicas that lost the same server do not come back together. */
export function delayBefore(
  failures: number,
  { firstMilliseconds, maxMilliseconds }: Backoff = standard,
  random: () => number = Math.random,
): number {
  if (failures === 0) return 0;
  const full = Math.min(maxMilliseconds, firstMilliseconds * 2 ** Math.min(failures - 1, 20));
  return full / 2 + (random() * full) / 2;
}
