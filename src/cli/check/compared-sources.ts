/** The two sides of `check crd` where not everything is named: the rest is the policy's, or the convention. */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { meantCommit } from '../../text/documents/git.js';
import {
  git,
  startOfBranch,
  isShallow,
  startOf,
  targetOfRequest,
} from '../../text/documents/git-revision.js';
import { isWithin, realPlace } from '../../text/documents/program.js';
import { topOfRepository } from '../../text/documents/top-of-repository.js';
import { InvalidInputError, invalidInput, parseDocuments } from '../../text/documents/index.js';
import type { LoadedPolicy } from '../options/policy-option.js';
import { goPrefix } from '../../repository/index.js';
import { printError } from '../output.js';
import { firstNames } from '../../text/shortened.js';
import { compareVersions, readVersion } from '../../text/versions/index.js';

export interface ComparedSources {
  readonly old: string;
  readonly new: string;
  /** The source of the old side, where the command line does not name it. */
  readonly oldIsOf?: 'policy' | 'convention' | 'option';
  /** Why the old side is another commit than the branch that is named. */
  readonly note?: string;
}

/** The start of a pull request. */
const conventional = 'git:origin/main';

/** OLD and NEW; NEW alone against the policy's `old`; each of its `paths` when nothing is named. */
export function comparedSources(
  named: readonly string[],
  { policy, file }: LoadedPolicy,
  wanted?: string,
): readonly ComparedSources[] {
  const [first, second] = named;
  if (first !== undefined && second !== undefined) {
    if (wanted !== undefined) {
      throw invalidInput(`OLD is named twice, as ${first} and as --old ${wanted}`);
    }
    return [{ old: sideOf(first, second), new: second }];
  }
  const folder = file === undefined ? '.' : dirname(file);
  const paths = policy.paths?.map((path) => fromPolicy(path, join(folder, path), file));
  const newPaths = first === undefined ? paths : [first];
  if (newPaths === undefined) {
    throw invalidInput(
      'name OLD and NEW, or NEW alone, or what to compare as paths in .olm-guard.yaml, which olm-guard init writes',
    );
  }
  if (wanted !== undefined) {
    const oldIsOf = 'option';
    return newPaths.map((path) => ({ old: sideOf(wanted, path), new: path, oldIsOf }));
  }
  const { old } = policy;
  if (old === undefined) {
    const oldIsOf = 'convention';
    return newPaths.map((path) => ({ old: sideOf(conventional, path), new: path, oldIsOf }));
  }
  const side = /^(?:git|cluster):|^-$|^release$/.test(old)
    ? old
    : fromPolicy(old, resolve(folder, old), file);
  return newPaths.map((path) => ({ old: sideOf(side, path), new: path, oldIsOf: 'policy' }));
}

/**
 * The same with the commit that a branch is compared with, which is said where it is not the branch as
 * it is now. OLD on the command line is the commit that it names, unless it is written `BRANCH...`.
 *
 * @throws InvalidInputError where that commit cannot be found out
 */
export async function fromStart(
  sources: ComparedSources,
  loaded: LoadedPolicy,
): Promise<ComparedSources> {
  const { old, oldIsOf } = sources;
  const refused = async (error: unknown): Promise<never> => {
    throw await aboutOld(error, sources, loaded);
  };
  if (old === release && oldIsOf !== undefined) {
    const tag = await newestRelease().catch(refused);
    return { ...sources, old: sideOf(`git:${tag}`, sources.new) };
  }
  const prefix = old.startsWith(`${goPrefix}git:`) ? goPrefix : '';
  const commit = old.slice(prefix.length);
  const isChosen = oldIsOf !== undefined && oldIsOf !== 'option';
  const isStart = isChosen || isStartNamed.test(commit);
  if (!commit.startsWith('git:') || !isStart) return sources;
  const { source: start, note } = await startOfBranch(commit).catch(refused);
  const source = `${prefix}${start}`;
  return { ...sources, old: source, note };
}

/** The same for every path; each note is printed once. */
export async function allFromStart(
  wanted: readonly ComparedSources[],
  loaded: LoadedPolicy,
): Promise<readonly ComparedSources[]> {
  const all: ComparedSources[] = [];
  for (const sources of wanted) all.push(await fromStart(sources, loaded));
  for (const note of new Set(all.flatMap(({ note }) => note ?? []))) {
    printError(`olm-guard: ${note}`);
  }
  return all;
}

const isStartNamed = /^git:(?:[^:]*\.{3}|merge-base)(?::|$)/;

/** The error that kept the old side from being read, with where that side was chosen and what may be meant. */
export async function aboutOld(
  error: unknown,
  { old, oldIsOf }: ComparedSources,
  { policy, file }: LoadedPolicy,
): Promise<unknown> {
  if (!(error instanceof InvalidInputError) || error.where.file !== old) return error;
  const { code, message, details } = error;
  if (oldIsOf === 'convention') {
    const way = `${conventional} is the default: set old: in .olm-guard.yaml, or name OLD on the command line`;
    return new InvalidInputError(code, `${message}; ${way}`, error.where, details);
  }
  const written = oldIsOf === 'policy' ? (policy.old ?? old) : old;
  const meant = await meantCommit(written, oldIsOf === undefined ? undefined : '');
  if (oldIsOf !== 'policy' || file === undefined) {
    return new InvalidInputError(code, `${message}${meant}`, error.where, details);
  }
  const text = await readFile(file, 'utf8');
  const shown = relative(process.cwd(), file);
  const [document] = parseDocuments(text, { file: shown, dialect: 'core' });
  const place = document?.placeOf(['old']) ?? { file: shown };
  return new InvalidInputError(code, `${written}: ${message}${meant}`, place, details);
}

/** A commit alone is the path as it was there; what lies in no working tree has no path. */
function sideOf(old: string, path: string): string {
  if (!/^git:[^:]+$/.test(old) || path === '-') return old;
  if (path.startsWith('git:')) return [old, ...path.split(':').slice(2)].join(':');
  if (path.startsWith(goPrefix)) return `${goPrefix}${old}:${path.slice(goPrefix.length)}`;
  return `${old}:${path}`;
}

/** The author of a change may write that policy: a path outside of the repository is refused, by a link too. */
function fromPolicy(written: string, path: string, file: string | undefined): string {
  const isOnDisk = file !== undefined && !file.startsWith('git:');
  const repository = topOfRepository(isOnDisk ? dirname(resolve(file)) : process.cwd());
  const top = repository === undefined ? undefined : realPlace(repository);
  if (top === undefined || isWithin(top, realPlace(resolve(path)))) return fromHere(path);
  const message = `names ${written}, outside of the repository; a policy may compare what is in it, git:REF:path or cluster:NAME`;
  throw invalidInput(message, { file: file && relative(process.cwd(), file) });
}

/** With a leading `.`, so that git takes it from here and not from the top of the repository. */
function fromHere(path: string): string {
  const found = relative(process.cwd(), path);
  return found.startsWith('..') ? found : `./${found}`;
}

/** Stands for it in place of OLD. */
export const release = 'release';

/** The full name of the tag: a branch may have the same short one. @throws InvalidInputError */
export async function newestRelease(where?: 'anywhere'): Promise<string> {
  const refuse = (message: string): InvalidInputError => invalidInput(message, { file: release });
  if (await isShallow(release)) {
    const message =
      'git: this clone is shallow, so its releases are not known: check out with fetch-depth: 0, or run git fetch --unshallow --tags';
    throw refuse(message);
  }
  const tagsOf = async (...more: readonly string[]): Promise<string[]> => {
    const argv = ['for-each-ref', '--format=%(refname:strip=2)', ...more, 'refs/tags'];
    const named = await git(release, argv);
    return named.toString('utf8').split('\n').filter(Boolean);
  };
  // The author of a pull request may tag its commits, and would choose OLD.
  const isRequest = targetOfRequest() !== undefined;
  const last = isRequest ? (await startOf(release, 'merge-base')).commit : 'HEAD';
  const place = isRequest ? 'the target of the pull request' : 'HEAD';
  const tags = await tagsOf(...(where === undefined ? [`--merged=${last}`] : []));
  const releases = tags.flatMap((tag) => {
    const version = readVersion(tag.replace(/^(?:release[-/])?v?/, ''));
    return version === undefined || version.prerelease.length > 0 ? [] : [{ tag, version }];
  });
  const [newest] = releases.sort((one, other) => compareVersions(other.version, one.version));
  if (newest !== undefined) return `refs/tags/${newest.tag}`;
  if (tags.length > 0) {
    throw refuse(
      `git: no tag that ${place} contains is a release such as v1.2.3, only ${firstNames(tags, 5)}: tag one, or name the commit (git:TAG) as OLD`,
    );
  }
  throw refuse(
    (await tagsOf()).length > 0
      ? `git: ${place} contains no tag, only other branches have some: name OLD, such as git:v1.2.3`
      : 'git: this clone has no tags: run git fetch --tags; before the first release name OLD, such as git:origin/main',
  );
}
