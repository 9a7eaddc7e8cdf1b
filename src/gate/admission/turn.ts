/** Long work in pieces. */
import { setImmediate } from 'node:timers/promises';

/** This round ends, in which timers and other connections had no turn; and the next, in which they had it. */
export async function wholeTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
