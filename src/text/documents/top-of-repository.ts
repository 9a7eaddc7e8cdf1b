/** Where the repository begins that a command runs in. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder upwards that has a `.git`: no branch can contain one. */
export function topOfRepository(from: string): string | undefined {
  if (existsSync(join(from, '.git'))) return from;
  return dirname(from) === from ? undefined : topOfRepository(dirname(from));
}
