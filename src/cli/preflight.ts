/** `olm-guard preflight`: NDJSON in, NDJSON out. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { InvalidInputError } from '../documents/index.js';

export function preflightCommand(): Command {
  return new Command('preflight')
    .description('answer one request per line: {"id": …, "operation": "crd", "input": {…}}')
    .option('--input <file>', 'read requests from a file instead of standard input')
    .action(async (options: { input?: string }) => {
      // Loaded here: every operation comes with it, and no other command should wait for them.
      const { answerLines } = await import('../preflight/ndjson.js');
      const input = options.input === undefined ? process.stdin : createReadStream(options.input);
      try {
        for await (const line of answerLines(input)) {
          if (!process.stdout.write(line)) await once(process.stdout, 'drain');
        }
      } catch (error) {
        if (isSystemError(error)) throw unreadable(error, options.input);
        throw error;
      }
    });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

function unreadable(error: NodeJS.ErrnoException, file: string | undefined): InvalidInputError {
  const where = file === undefined ? {} : { file };
  const reason =
    error.code === 'ENOENT' ? 'there is no such file' : `cannot be read (${error.code})`;
  return new InvalidInputError('E_INPUT', reason, where);
}
