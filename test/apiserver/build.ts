/** `tsx test/apiserver/build.ts`: makes sure that the programs of the API server suites are there. */
import { ensurePrograms, programs } from './binaries.js';

for (const [program, path] of await ensurePrograms([...programs, 'helm'])) {
  console.log(`${program} ${path}`);
}
