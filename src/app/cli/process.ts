/** What the program's process needs around the command line. */
import { isReaderGone } from './broken-pipe.js';
import { runCommandLine } from './command-line.js';
import { printError } from './output.js';

// What was judged stays judged.
process.stdout.on('error', (error: Error) => {
  if (isReaderGone(error)) return;
  // Exit code 0 or 1 would say that there is a verdict to read.
  printError(`olm-guard: standard output cannot be written: ${error.message}`);
  process.exit(2);
});

// Nobody can be told; the exit code says it all the same.
process.stderr.on('error', () => undefined);

void runCommandLine();
