/** Long work in pieces. */
import { setImmediate } from 'node:timers/promises';

/**
 * Lets the event loop go round once. The first step ends this round, in which neither timers nor
 * other connections have had their turn yet; the second ends the next one, in which they had it.
 */
export async function wholeTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
