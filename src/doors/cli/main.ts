#!/usr/bin/env node
/** The command line: names, help and exit codes. Each command lives in a file of its own. */
import { Command, CommanderError } from 'commander';
import { ClusterError } from '../../facts/cluster/view.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { version } from '../version.js';
import { commandsFor } from './commands.js';
import { helpBelow } from './examples.js';
import { tellDefect } from './defect.js';
import { say, sayLines } from './output.js';
import { isReaderGone } from './reader-gone.js';

const program = new Command('olm-guard')
  .description('One gate for operator upgrades: says what would break before it is applied.')
  .version(version)
  .showSuggestionAfterError();

void main();

async function main(): Promise<void> {
  for (const command of await commandsFor(process.argv[2])) program.addCommand(command);
  speakAsOne(program, 'olm-guard');

  // What was judged stays judged.
  process.stdout.on('error', (error) => {
    if (!isReaderGone(error)) throw error;
  });

  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/**
 * Subcommands throw too, so that every way out passes through {@link report}, and speak in its words.
 */
function speakAsOne(command: Command, path: string): void {
  command
    .exitOverride()
    .addHelpText('after', helpBelow(path.replace(/^olm-guard ?/, '')))
    .showHelpAfterError(`(${path} --help shows what there is)`)
    .configureOutput({
      writeErr: sayLines,
      outputError: (text, write) => write(text.replace(/^error: /, 'olm-guard: ')),
    });
  for (const child of command.commands) speakAsOne(child, `${path} ${child.name()}`);
}

function report(error: unknown): number {
  // Commander has printed its own sentence; help and --version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof InvalidInputError) {
    say(`olm-guard: ${error.describe()}`);
    return 2;
  }
  if (error instanceof ClusterError) {
    say(`olm-guard: the cluster cannot be asked: ${error.message}`);
    return 2;
  }
  // Exit code 1 says "denied": a defect must not be taken for a verdict.
  tellDefect(error);
  return 2;
}
