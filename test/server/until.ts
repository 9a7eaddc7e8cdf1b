/** Waits for what other processes and timers bring about. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again; rejects after far more time than anything here should take. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 120_000,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end)
      throw new Error(`still not so after ${milliseconds} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
