/** `olm-guard preflight`: NDJSON in, NDJSON out. */
import { once } from 'node:events';
import { Command } from 'commander';
import type { AnswerError } from '../checks/index.js';
import { printInternalError, guarded, isReaderGone } from './output.js';
import { loadPolicy } from './options/policy-option.js';
import { openRegularFile, unreadable } from '../text/documents/regular-file.js';

export function preflightCommand(): Command {
  return new Command('preflight')
    .description('answer one request per line: {"id": …, "operation": "crd", "input": {…}}')
    .option('--input <file>', 'read requests from a file instead of standard input')
    .option(
      '--policy <file>',
      'what to deny, warn about and exempt, unless a request names a profile',
    )
    .action(async (options: { input?: string; policy?: string }) => {
      // Loaded here: every operation comes with it, and no other command should wait for them.
      const { answerLines, maxLineBytes } = await import('../checks/preflight/ndjson.js');
      const input =
        options.input === undefined
          ? process.stdin
          : (await openRegularFile(options.input)).createReadStream();
      const policy = options.policy === undefined ? undefined : await loadPolicy(options.policy);
      try {
        for await (const line of answerLines(input, {
          maxBytes: maxLineBytes,
          policy,
          onDefect: reportDefect,
        })) {
          // eslint-disable-next-line no-restricted-syntax -- waits by itself: input may have no end
          if (!process.stdout.write(guarded(line, 'json'))) await once(process.stdout, 'drain');
        }
      } catch (error) {
        // The reader of the answers is gone.
        if (isReaderGone(error)) return;
        throw unreadable(options.input ?? '-', error);
      }
    });
}

/** The line that met it gets an answer, and the next lines go on. */
function reportDefect(error: unknown): AnswerError {
  printInternalError(error);
  return {
    code: 'E_INPUT',
    message: 'olm-guard failed on this input, which is a defect of its own; stderr says where',
  };
}
