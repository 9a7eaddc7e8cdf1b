/** How git is called: what the repository it reads says can run nothing and fetch nothing. */
import { InvalidInputError } from './error.js';
import { noPath } from './regular-file.js';
import { runProgram, topOfRepository, type ProgramAnswer } from './program.js';

/** A reader of what somebody else wrote: larger is no manifest, longer is no reading. */
export const maxOutput = 1024 * 1024 * 1024;
const longestMs = 60_000;
/** Linux starts no program with one of 128 KiB; no path has as many bytes. */
const longestArgument = 100_000;

/** Nothing is fetched while reading: a repository would choose the program that does it. */
export const notFetched =
  'git: its contents are not in this clone, which is partial: clone without --filter';

/**
 * What holds against a repository that wants to run something: its configuration names programs
 * (file system monitors, hooks, transports of remotes that objects are fetched from), and its folders
 * may look like a bare repository.
 */
const configuration = [
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'protocol.ext.allow=never',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
].flatMap((each) => ['-c', each]);

/** By these the environment would choose another repository: git sets them for its hooks. */
const ofRepository = [
  ...[
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_COMMON_DIR',
    'GIT_INDEX_FILE',
    'GIT_PREFIX',
    'GIT_NAMESPACE',
  ],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_SHALLOW_FILE'],
  ...['GIT_GRAFT_FILE', 'GIT_REPLACE_REF_BASE', 'GIT_CONFIG_PARAMETERS', 'GIT_CONFIG'],
];

/** The environment of this process, for programs that call git for a repository of their own. */
export function withoutRepository(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !ofRepository.includes(name));
  return { ...Object.fromEntries(ours), GIT_TERMINAL_PROMPT: '0' };
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...withoutRepository(),
    // Wins over every protocol.NAME.allow of a repository; before git 2.39.4 nothing else stops a
    // lazy fetch.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // git's own words say why something is refused.
    LC_ALL: 'C',
  };
}

/**
 * The folder that `.git` is in.
 *
 * @throws InvalidInputError where the working directory is in no working tree
 */
export function top(file: string): string {
  const found = topOfRepository(process.cwd());
  if (found !== undefined) return found;
  const message =
    'git: the working directory is in no working tree of a repository; a bare one is not read';
  throw new InvalidInputError('E_INPUT', message, { file });
}

/**
 * The one place where git is called. It starts at the top, where `.git` is found before anything that
 * a branch could hold.
 *
 * @throws InvalidInputError where git cannot be run, or is past a bound
 */
export async function answerOf(
  file: string,
  argv: readonly string[],
  input?: string,
): Promise<ProgramAnswer> {
  if (argv.some((each) => each.includes('\0'))) {
    throw new InvalidInputError('E_INPUT', noPath, { file });
  }
  if (argv.some((each) => Buffer.byteLength(each) > longestArgument)) {
    throw new InvalidInputError('E_LIMIT', `is a path of more than ${longestArgument} bytes`);
  }
  const answer = await runProgram('git', ['--no-pager', ...configuration, ...argv], {
    cwd: top(file),
    env: environment(),
    maxBytes: maxOutput,
    milliseconds: longestMs,
    input,
  });
  if (answer !== undefined && answer.past === undefined) return answer;
  const [code, message] =
    answer === undefined
      ? (['E_INPUT', 'PATH has no git outside of this repository'] as const)
      : answer.past === 'size'
        ? (['E_LIMIT', `git: has more to say than ${maxOutput} bytes`] as const)
        : (['E_LIMIT', `git: gave no answer within ${longestMs / 1000} seconds`] as const);
  throw new InvalidInputError(code, message, { file });
}

/** @throws InvalidInputError with the first line that git says */
export async function git(file: string, argv: readonly string[], input?: string): Promise<Buffer> {
  const { code, output, said } = await answerOf(file, argv, input);
  if (code === 0) return output;
  if (said.includes(' from promisor remote')) {
    throw new InvalidInputError('E_INPUT', notFetched, { file });
  }
  const lines = said.split('\n').filter((text) => text.trim() !== '');
  const line =
    lines.find((text) => /^(?:fatal|error): /.test(text)) ?? lines[0] ?? 'git gave no answer';
  const trust = said.includes('safe.directory')
    ? '; if you trust its owner, add it to safe.directory of your own configuration'
    : '';
  const message = `${line.replace(/^(?:fatal|error): /, 'git: ')}${trust}`;
  throw new InvalidInputError('E_INPUT', message, { file });
}
