import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { invalidInput } from '../../text/documents/index.js';

/** A folder of the package. @throws InvalidInputError in a single executable, which has none */
export function packagedFolder(name: string): string {
  if (isSea()) {
    throw invalidInput(
      `the single executable does not carry ${name}/; run this by npx olm-guard, or from a clone`,
    );
  }
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, name);
}
