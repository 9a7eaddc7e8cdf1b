/** How git is called: what the repository it reads says can run nothing and fetch nothing. */
import { parse } from 'node:path';
import { InvalidInputError, invalidInput } from './error.js';
import { noPath } from './regular-file.js';
import { runProgram, type ProgramAnswer } from './program.js';
import { topOfRepository } from './top-of-repository.js';

/** Limits on foreign repositories: no manifest is larger, and no reading takes longer. */
export const maxOutput = 1024 * 1024 * 1024;
const longestMs = 60_000;
/** Linux starts no program with one of 128 KiB; no path has as many bytes. */
const longestArgument = 100_000;

/** Nothing is fetched while reading: a repository would choose the program that does it. */
export const notFetched =
  'git: its contents are not in this clone, which is partial: clone without --filter';

/**
 * Its configuration names programs (monitors, hooks, transports), and its folders may look like a bare repository.
 */
const configuration = [
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'protocol.ext.allow=never',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
].flatMap((each) => ['-c', each]);

/** git gets no variable of this process, by which the environment would choose another repository. */
const environment = {
  // Wins over every protocol.NAME.allow of a repository; before git 2.39.4 nothing else stops a
  // lazy fetch.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  // git's own words say why something is refused.
  LC_ALL: 'C',
};

/** @throws InvalidInputError where the working directory is in no working tree */
export function top(file: string): string {
  const found = topOfRepository(process.cwd());
  if (found !== undefined) return found;
  const message =
    'git: the working directory is in no working tree of a repository; a bare one is not read';
  throw invalidInput(message, { file });
}

/** Answers of git that a command has already: it sees one state of the repository, however many files it reads. */
let asked: Map<string, ProgramAnswer> | undefined;
/** A larger answer is not kept, counted in bytes. */
const longestKept = 1024 * 1024;

/** For a command that ends: from now on nothing is asked twice. */
export function askGitOnce(): void {
  asked = new Map();
}

/** The one place where git is called. It starts at the top, where `.git` is found before anything that a branch could hold. */
export async function answerOf(
  file: string,
  argv: readonly string[],
  input?: string,
): Promise<ProgramAnswer> {
  if (argv.some((each) => each.includes('\0'))) {
    throw invalidInput(noPath, { file });
  }
  if (argv.some((each) => Buffer.byteLength(each) > longestArgument)) {
    throw new InvalidInputError('E_LIMIT', `is a path of more than ${longestArgument} bytes`);
  }
  const cwd = top(file);
  const question = [cwd, ...argv].join('\0');
  const known = input === undefined ? asked?.get(question) : undefined;
  if (known !== undefined) return known;
  const run = async (): Promise<ProgramAnswer | undefined> =>
    runProgram('git', ['--no-pager', ...configuration, ...trusted, ...argv], {
      ...{ cwd, env: environment, maxBytes: maxOutput, milliseconds: longestMs, input },
    });
  let answer = await run();
  if (answer?.code !== 0 && answer?.said.includes('safe.directory') && trusted.length === 0) {
    trusted = await trustedByUser();
    if (trusted.length > 0) answer = await run();
  }
  if (answer !== undefined && answer.past === undefined) {
    if (input === undefined && answer.output.length <= longestKept) asked?.set(question, answer);
    return answer;
  }
  const [code, message] =
    answer === undefined
      ? (['E_INPUT', 'PATH has no git outside of this repository'] as const)
      : answer.past === 'size'
        ? (['E_LIMIT', `git: has more to say than ${maxOutput} bytes`] as const)
        : (['E_LIMIT', `git: gave no answer within ${longestMs / 1000} seconds`] as const);
  throw new InvalidInputError(code, message, { file });
}

/** Options for repositories of other owners that this user trusts, once one of them was refused. */
let trusted: readonly string[] = [];

/** The only settings of the user that git gets: CI in a container has its checkout among them. */
async function trustedByUser(): Promise<readonly string[]> {
  const places = [
    'HOME',
    'USERPROFILE',
    'XDG_CONFIG_HOME',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_SYSTEM',
  ];
  const env = Object.fromEntries(places.map((name) => [name, process.env[name]]));
  const options: string[] = [];
  for (const scope of ['--system', '--global']) {
    const argv = ['--includes', '--null', '--type=path', '--get-all', 'safe.directory'];
    const bounds = {
      cwd: parse(process.cwd()).root,
      maxBytes: 1024 * 1024,
      milliseconds: longestMs,
    };
    const answer = await runProgram('git', ['config', scope, ...argv], { ...bounds, env });
    const values = answer?.code === 0 ? answer.output.toString('utf8').split('\0') : [];
    for (const each of values.slice(0, -1)) options.push('-c', `safe.directory=${each}`);
  }
  return options;
}

/** @throws InvalidInputError with the first line that git says */
export async function git(file: string, argv: readonly string[], input?: string): Promise<Buffer> {
  const { code, output, said } = await answerOf(file, argv, input);
  if (code === 0) return output;
  if (said.includes(' from promisor remote')) {
    throw invalidInput(notFetched, { file });
  }
  const lines = said.split('\n').filter((text) => text.trim() !== '');
  const line =
    lines.find((text) => /^(?:fatal|error): /.test(text)) ?? lines[0] ?? 'git gave no answer';
  const trust = said.includes('safe.directory')
    ? '; if you trust its owner, add it to safe.directory of your own configuration'
    : '';
  const message = `${line.replace(/^(?:fatal|error): /, 'git: ')}${trust}`;
  throw invalidInput(message, { file });
}
