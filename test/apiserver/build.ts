/** `tsx test/apiserver/build.ts`: makes sure that the programs of the API server suites are there. */
import { ensurePrograms } from './binaries.js';

for (const [program, path] of await ensurePrograms()) {
  console.log(`${program} ${path}`);
}
