/** The command line: names, help and exit codes. Each command has a file of its own. */
import { basename } from 'node:path';
import { isSea } from 'node:sea';
import { Command, CommanderError } from 'commander';
import { ClusterError } from '../cluster/index.js';
import { InvalidInputError, type Place } from '../text/documents/index.js';
import { askGitOnce } from '../text/documents/git-revision.js';
import { noSuchFile } from '../text/documents/regular-file.js';
import { version } from '../text/package.js';
import { commandsFor } from './commands.js';
import { helpBelow } from './examples.js';
import { printInternalError, formOf, print, printError, sayLines, watchStreams } from './output.js';
import { tuneV8 } from './v8-tuning.js';

/** As kubectl calls it: `kubectl olm-guard check crd …`, which runs the program kubectl-olm_guard. */
const isPlugin = basename(isSea() ? process.argv0 : (process.argv[1] ?? '')).startsWith('kubectl-');
const programName = isPlugin ? 'kubectl olm-guard' : 'olm-guard';

/** The output format that was asked for, of commands that have several. */
let format: string | undefined;

export function startProgram(): Promise<void> {
  watchStreams();
  return runCommandLine();
}

/** Runs the command that `process.argv` names, and leaves what it ends with in `process.exitCode`. */
export async function runCommandLine(): Promise<void> {
  const program = new Command(programName)
    .description('One gate for operator upgrades: says what would break before it is applied.')
    .version(version)
    .showSuggestionAfterError();
  format = undefined;
  program.hook('preAction', (_program, command) => {
    tuneV8();
    if (!goesOn.has(command.name())) askGitOnce();
    format = command.opts<{ readonly output?: string }>().output;
  });
  for (const command of await commandsFor(process.argv[2], process.argv[3]))
    program.addCommand(command);
  speakAsOne(program, programName, '');
  try {
    await program.parseAsync(argumentsOf(process.argv.slice(2)), { from: 'user' });
  } catch (error) {
    process.exitCode = await report(error);
  }
}

/** `help check crd` is `check crd --help`: the library's own help knows one level. */
function argumentsOf(given: readonly string[]): string[] {
  const [first, ...rest] = given;
  return first === 'help' && rest.length > 1 ? [...rest, '--help'] : [...given];
}

/**
 * Subcommands throw too, so that every way out passes through {@link report}, and speak in its words.
 */
function speakAsOne(command: Command, path: string, below: string): void {
  command
    .exitOverride()
    .addHelpText('after', helpBelow(programName, below))
    .showHelpAfterError(`(${path} --help shows what there is)`)
    .configureOutput({
      writeErr: sayLines,
      outputError: (text, write) =>
        write(`${text.replace(/^error: /, 'olm-guard: ')}${folderHint(text, command)}`),
    });
  for (const child of command.commands) {
    speakAsOne(child, `${path} ${child.name()}`, `${below} ${child.name()}`.trimStart());
  }
}

/** A folder is an argument of most commands. */
function folderHint(text: string, { options }: Command): string {
  const takesState = options.some(({ long, hidden }) => long === '--state' && !hidden);
  return text.includes('Expected 0 arguments') && takesState
    ? '(--state FOLDER names a folder)\n'
    : '';
}

/** Commands during which a repository may change. */
const goesOn = new Set(['demo', 'lsp', 'mcp', 'serve', 'sidecar']);

/** Whose readers look at the output alone: an empty one would end their own step, or say nothing. */
const readByServers = new Set(['github', 'junit', 'sarif']);

async function tell(sentence: string, failed: Place = {}): Promise<void> {
  printError(`olm-guard: ${sentence}`);
  await tellServer(sentence, failed);
}

async function tellServer(sentence: string, failed: Place): Promise<void> {
  if (format === undefined || !readByServers.has(format)) return;
  const { render } = await import('../report/render.js');
  const report = { subject: 'input', results: [], unchecked: [sentence], failed, counts: {} };
  await print(await render(report, format), formOf(format));
}

/** The output format that an invalid command line asks for. */
function formatAsked(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '-o' || word === '--output');
  if (at >= 0) return words[at + 1];
  return words.map((word) => /^(?:-o|--output=)(.+)$/.exec(word)?.[1]).find((each) => each);
}

async function meantCommitOf({ message, where }: InvalidInputError): Promise<string> {
  if (message !== noSuchFile || where.file === undefined) return '';
  const { meantCommit } = await import('../text/documents/git.js');
  return meantCommit(where.file);
}

async function report(error: unknown): Promise<number> {
  // Commander has printed its own sentence; help and --version are no errors.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    format ??= formatAsked(process.argv);
    await tellServer(error.message.replace(/^error: /, ''), {});
    return 2;
  }
  if (error instanceof InvalidInputError) {
    await tell(`${error.describe()}${await meantCommitOf(error)}`, error.where);
    return 2;
  }
  if (error instanceof ClusterError) {
    await tell(`the cluster cannot be asked: ${error.message}`);
    return 2;
  }
  // Exit code 1 says "denied": a defect must not be taken for a verdict.
  printInternalError(error);
  return 2;
}
