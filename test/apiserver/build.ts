/** `tsx test/apiserver/build.ts [PROGRAM]…`: makes sure that these programs are there, or those of the API server's suites. */
import { ensurePrograms, programs, type Program } from './binaries.js';

const named = process.argv.slice(2) as Program[];
const wanted: Program[] = named.length > 0 ? named : [...programs, 'helm'];
for (const [program, path] of await ensurePrograms(wanted)) {
  console.log(`${program} ${path}`);
}
