/** The one commit that a name means; for a branch, the place where HEAD left it. */
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

export interface BranchStart {
  /** The source as it was named, or the same path of another commit. */
  readonly source: string;
  /** Why it is another commit. */
  readonly note?: string;
}

/**
 * Of `git:BRANCH:path` that path where the work at HEAD left the branch, which is its merge base: what
 * the branch has gained since is none of HEAD's doing. A tag or a hash is the commit that it names.
 *
 * @param source `git:REF` or `git:REF:path`; REF may end in `...`, as git writes it
 * @throws InvalidInputError `E_INPUT` where that commit is not in this clone
 */
export async function startOfBranch(source: string): Promise<BranchStart> {
  const { reference, path } = partsOf(source);
  const name =
    reference === mergeBase ? await branchedFrom(source) : reference.replace(/\.{3,}$/, '');
  const at = (commit: string): string => `git:${commit}${path === undefined ? '' : `:${path}`}`;
  if (reference === mergeBase) {
    const { commit } = await startOf(source, reference);
    return { source: at(commit), note: `compared with ${commit}, where HEAD left ${name}` };
  }
  const { tip, commit, bases } = await startOf(source, `${name}...`);
  if (commit !== tip) {
    const note = `${name} has moved on: compared with ${commit}, the merge base of HEAD and ${name}`;
    return { source: at(commit), note };
  }
  if (bases <= 1) return { source: at(name) };
  const note = `HEAD and ${name} have ${bases} merge bases: compared with ${name} as it is, ${tip}`;
  return { source: at(name), note };
}

/** `git:REF` or `git:REF:path`. @throws InvalidInputError for what git could take for an option */
export function partsOf(source: string): { reference: string; path?: string } {
  const [, reference, path] = /^git:([^:]+)(?::(.*))?$/s.exec(source) ?? [];
  if (reference === undefined) throw notWritten(source);
  if (reference.startsWith('-')) {
    const message = `git: ${reference} looks like an option; write refs/tags/${reference} if it is a tag`;
    throw invalidInput(message, { file: source });
  }
  return { reference, path };
}

export function notWritten(source: string): InvalidInputError {
  const message = 'write git:REF:path, e.g. git:v1.2.0:config/crd';
  return invalidInput(message, { file: source });
}

interface Start {
  readonly tip: string;
  readonly commit: string;
  /** How many merge bases there are, none where none was looked for. */
  readonly bases: number;
}

/** The name of the commit where the branch began, in place of a reference. */
const mergeBase = 'merge-base';

/** The branch that a pull request goes to, also out of a merge queue, as GitHub and GitLab say. */
export function targetOfRequest(): string | undefined {
  const { GITHUB_BASE_REF, CI_MERGE_REQUEST_TARGET_BRANCH_NAME, ...more } = process.env;
  const queue = more['GITHUB_EVENT_NAME'] === 'merge_group' ? more['GITHUB_REF_NAME'] : undefined;
  const [, queued] = /^gh-readonly-queue\/(.+)\/pr-\d+-[^/]+$/.exec(queue ?? '') ?? [];
  return [GITHUB_BASE_REF, queued, CI_MERGE_REQUEST_TARGET_BRANCH_NAME].find(Boolean);
}

/** The branch that HEAD is to be merged into: the target of the pull request, else the default branch. */
async function branchedFrom(source: string): Promise<string> {
  const target = targetOfRequest();
  const names = target === undefined ? ['HEAD', 'main', 'master'] : [target];
  for (const name of names.map((each) => `refs/remotes/origin/${each}`)) {
    if ((await revision(source, `${name}^{commit}`)) !== undefined) return name;
  }
  const [known = ''] = names.filter((each) => each !== 'HEAD');
  const message = `git: there is no origin/${known} here that HEAD could have left: run git fetch origin ${known}, or write git:BRANCH...:PATH`;
  throw invalidInput(message, { file: source });
}

/** The commit of REF, or of `BRANCH...` and `merge-base` the one where HEAD left the branch. */
export async function startOf(source: string, reference: string): Promise<Start> {
  if (reference === mergeBase) {
    // GitLab fetches no branch but names the commit.
    const known = process.env['CI_MERGE_REQUEST_DIFF_BASE_SHA'] ?? '';
    const isKnown = known !== '' && (await revision(source, `${known}^{commit}`)) !== undefined;
    return startOf(source, isKnown ? known : `${await branchedFrom(source)}...`);
  }
  const [name = ''] = /^.*?(?=\.{3,}$)/.exec(reference) ?? [reference];
  const found = await resolve(source, name);
  if (found === undefined) throw await noSuchCommit(source, name);
  const { commit: tip, fullName } = found;
  const isBranch = /^refs\/(?:heads|remotes)\//.test(fullName ?? '');
  if (name === reference || !isBranch) return { tip, commit: tip, bases: 0 };
  const heads: string[] = [];
  // While a merge waits for its commit, the working tree has both sides.
  for (const head of ['HEAD', 'MERGE_HEAD']) {
    const commit = await revision(source, `${head}^{commit}`);
    if (commit !== undefined) heads.push(commit);
  }
  if (heads.length === 0) return { tip, commit: tip, bases: 0 };
  const { code, output } = await answerOf(source, ['merge-base', '--all', tip, ...heads]);
  const bases = output.toString('utf8').split('\n').filter(Boolean);
  const [base] = bases;
  const isKnown = await reaches(source, [tip, ...heads], bases);
  if (code !== 0 || base === undefined || !isKnown) {
    const message = isKnown
      ? `git: HEAD and ${name} have no commit in common; name the one to compare with`
      : `git: this clone is shallow and does not reach the merge base of HEAD and ${name}: check out with fetch-depth: 0, or run git fetch --unshallow`;
    throw invalidInput(message, { file: source });
  }
  // Each of several would leave something out; the branch as it is leaves out nothing.
  return { tip, commit: bases.length > 1 ? tip : base, bases: bases.length };
}

/** Whether the history down to these bases is here: a shallow clone may hide a nearer one. */
async function reaches(
  source: string,
  tips: readonly string[],
  bases: readonly string[],
): Promise<boolean> {
  if (!(await isShallow(source))) return true;
  if (bases.length === 0) return false;
  // Where a shallow clone ends, a commit is shown without its parents.
  const argv = ['rev-list', '--parents', ...tips, ...bases.map((base) => `^${base}`)];
  const history = (await git(source, argv)).toString('utf8').split('\n').filter(Boolean);
  return history.every((line) => line.includes(' '));
}

/** The branch that is checked out; undefined for a commit alone, or outside of a repository. */
export async function currentBranch(): Promise<string | undefined> {
  if (topOfRepository(process.cwd()) === undefined) return undefined;
  const { code, output } = await answerOf('HEAD', ['symbolic-ref', '--short', '--quiet', 'HEAD']);
  return code === 0 ? output.toString('utf8').trim() : undefined;
}

export async function isShallow(source: string): Promise<boolean> {
  const answer = await git(source, ['rev-parse', '--is-shallow-repository']);
  return answer.toString('utf8').trim() === 'true';
}

/** git takes the tag `origin/main` for that branch without a word. @throws InvalidInputError `E_INPUT` */
export async function resolve(
  source: string,
  reference: string,
): Promise<{ readonly commit: string; readonly fullName?: string } | undefined> {
  if (reference.startsWith('-')) return undefined;
  const [name = ''] = reference.split(/[~^]|@\{/);
  const full = name === 'HEAD' || name === '@' || name === '' ? [] : await fullNames(source, name);
  const refuse = (message: string): InvalidInputError =>
    invalidInput(`git: ${name} ${message}`, { file: source });
  const isHash = /(?:^|-g)[0-9a-f]{4,64}$/.test(name) && (await isObject(source, name));
  if (full.length > 1 || (isHash && full.length > 0)) {
    const all = isHash ? [...full, 'a commit'] : full;
    throw refuse(`stands for ${all.join(' and ')}: write the one that is meant in full`);
  }
  const [fullName] = full;
  if (fullName !== undefined && !fullName.startsWith('refs/remotes/')) {
    const [remote = ''] = name.split('/');
    if (name.includes('/') && remote !== 'refs' && (await isRemote(source, remote))) {
      throw refuse(`is ${fullName} here, and no branch of ${remote}: write that if it is meant`);
    }
  }
  const meant = `${fullName ?? name}${reference.slice(name.length)}`;
  const commit =
    (await revision(source, `${meant}^{commit}`)) ?? (await revision(source, `${meant}^{tree}`));
  if (commit === undefined) return undefined;
  const isWhole = name === reference && fullName !== undefined;
  return { commit, ...(isWhole && { fullName }) };
}

/** Everything that git could take a name for, by its rules (gitrevisions). */
async function fullNames(source: string, name: string): Promise<string[]> {
  // A name that no reference may have would be a pattern here.
  if (/[*?[\\\s]/.test(name)) return [];
  const places = [
    name,
    ...['', 'tags/', 'heads/', 'remotes/'].map((kind) => `refs/${kind}${name}`),
  ];
  const wanted = new Set([...places, `refs/remotes/${name}/HEAD`]);
  const argv = ['for-each-ref', '--format=%(refname)', '--end-of-options', ...wanted];
  const answer = (await git(source, argv)).toString('utf8').split('\n');
  return [...wanted].filter((each) => answer.includes(each));
}

/** The same of an object, by a hash that is not written out. */
async function isObject(source: string, name: string): Promise<boolean> {
  const [hash = ''] = /[0-9a-f]+$/.exec(name) ?? [];
  // A whole hash is never taken for anything else.
  if (hash.length === 40 && hash === name) return false;
  const answer = await git(source, ['rev-parse', `--disambiguate=${hash}`]);
  return answer.length > 0;
}

/** `origin` is one by name too: a clone may come without its configuration. */
async function isRemote(source: string, name: string): Promise<boolean> {
  if (name === 'origin') return true;
  const names = (await git(source, ['remote'])).toString('utf8').split('\n');
  return names.includes(name);
}

async function revision(source: string, name: string): Promise<string | undefined> {
  const argv = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
  const { code, output } = await answerOf(source, argv);
  return code === 0 ? output.toString('utf8').trim() : undefined;
}

async function noSuchCommit(source: string, reference: string): Promise<InvalidInputError> {
  if (reference === 'HEAD') {
    const message = 'git: this repository has no commit yet to compare with';
    return invalidInput(message, { file: source });
  }
  const branch = reference.replace(/^(?:refs\/remotes\/)?origin\//, '');
  const fetch = /^[\w./-]+$/.test(branch) ? `git fetch origin ${branch}` : 'git fetch';
  const message = (await isShallow(source))
    ? `git: ${reference} is not in this clone, which is shallow: check out with fetch-depth: 0, or run ${fetch}`
    : `git: there is no ${reference} in this repository; is it spelt right? Else run ${fetch}`;
  return invalidInput(message, { file: source });
}
