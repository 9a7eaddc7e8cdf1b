/** `--policy FILE`, as every check takes it; else the repository's own `.olm-guard.yaml` or `.yml`. */
import { existsSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { defaultPolicy, type Policy, withCrdifyFile, strictPolicy } from '../../policy/index.js';
import { type InvalidInputError, invalidInput } from '../../text/documents/index.js';
import { NotInCommitError } from '../../text/documents/git.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import { readSource } from '../../text/documents/sources.js';
import { isWithin, realPlace } from '../../text/documents/program.js';
import { topOfRepository } from '../../text/documents/top-of-repository.js';
import { printError } from '../output.js';
import { currentBranch, targetOfRequest } from '../../text/documents/git-revision.js';

const repositoryFile = '.olm-guard.yaml';
/** Both endings are in use; a policy under an ending that is not read would be ignored silently. */
const repositoryFiles = [repositoryFile, '.olm-guard.yml'];

export interface LoadedPolicy {
  readonly policy: Policy;
  readonly file?: string;
  /** crdify's own, where it counts too. */
  readonly crdifyFile?: string;
}

/** @throws InvalidInputError when the file cannot be read or is no policy. */
export async function loadPolicy(named: string | undefined): Promise<Policy> {
  return (await openPolicy(named)).policy;
}

export async function openPolicy(named: string | undefined): Promise<LoadedPolicy> {
  const here = process.cwd();
  const file = named ?? policyOfRepository(here).file;
  if (file === undefined) return { policy: defaultPolicy };
  // The command line does not say so.
  if (named === undefined) printError(`olm-guard: using the policy ${relative(here, file)}`);
  const [{ parsePolicy }, { ruleNames }] = await Promise.all([
    import('../../policy/parse.js'),
    import('../../checks/operations/rules.js'),
  ]);
  const text = (await readPolicyBytes(file)).toString('utf8');
  const parse = (otherwise: Policy): Policy => parsePolicy(text, file, ruleNames, otherwise);
  const alone = parse(defaultPolicy);
  const crdifyFile = await crdifyFileOf(alone, file);
  if (crdifyFile === undefined) return { policy: await withTargetBranch(alone), file };
  const options = (await readPolicyBytes(crdifyFile)).toString('utf8');
  const shown = crdifyFile.startsWith('git:') ? crdifyFile : relative(here, crdifyFile);
  const base = withCrdifyFile(defaultPolicy, options, shown);
  const policy = parse(base);
  const modes = new Map([...base.modes, ...policy.modes]);
  return { policy: await withTargetBranch({ ...policy, modes }), file, crdifyFile };
}

/** The file that the policy names, or `crdify.yaml` beside it; of a commit, as it has it. */
async function crdifyFileOf(
  { crdifyFile: named }: Policy,
  file: string,
): Promise<string | undefined> {
  if (named === undefined && !/(?:^|[\\/:])\.olm-guard\.ya?ml$/.test(file)) return undefined;
  const name = named ?? 'crdify.yaml';
  const refuse = (): InvalidInputError =>
    invalidInput(`crdify names ${name}, outside of the repository`, { file });
  const [, commit, path = ''] = /^(git:[^:]+:)(.*)$/s.exec(file) ?? [];
  if (commit !== undefined) {
    if (posix.isAbsolute(name)) throw refuse();
    // A commit has nothing outside of itself; a path that begins with a dot is from here.
    const place = `${path.startsWith('./') ? './' : ''}${posix.join(posix.dirname(path), name)}`;
    const found = `${commit}${place}`;
    const isThere = await readPolicyBytes(found).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotInCommitError) return false;
        throw error;
      },
    );
    if (!isThere && named === undefined) return undefined;
    return found;
  }
  const place = resolve(dirname(file), name);
  if (named === undefined && !existsSync(place)) return undefined;
  const top = topOfRepository(resolve(dirname(file))) ?? dirname(resolve(file));
  if (!isWithin(realPlace(top), realPlace(place))) throw refuse();
  return place;
}

/** @throws InvalidInputError when there is no one file of that name, in a commit or here */
async function readPolicyBytes(file: string): Promise<Buffer> {
  if (!file.startsWith('git:')) return readRegularFile(file);
  const [only, ...others] = await readSource(file);
  if (only?.path === '' && others.length === 0) return only.bytes;
  throw invalidInput('is no file; name the policy itself', { file });
}

/** That of {@link policyOfItsOwn}, for a report; printed here too, unless people read the report. */
export async function policyWarning(
  named: string | undefined,
  { file, crdifyFile }: LoadedPolicy,
  old: string | undefined,
  format: string,
  isStart = false,
): Promise<readonly string[]> {
  if (named !== undefined) return [];
  const base = { old: old ?? '', isStart };
  const own = await policyOfItsOwn(file, base);
  const beside = file === undefined ? undefined : join(dirname(file), 'crdify.yaml');
  const ofCrdify = await policyOfItsOwn(crdifyFile, base, beside, file);
  const sentences = [own, ofCrdify].filter((sentence) => sentence !== undefined);
  if (format !== 'text') for (const sentence of sentences) printError(`olm-guard: ${sentence}`);
  return sentences;
}

/** A note where the policy is not that of the commit: the author of a change would decide about it. */
async function policyOfItsOwn(
  found: string | undefined,
  { old, isStart }: { readonly old: string; readonly isStart: boolean },
  place = policyOfRepository(process.cwd()).place,
  named?: string,
): Promise<string | undefined> {
  const file = found ?? place;
  const [commit] = /^git:[^:]+:/.exec(old) ?? [];
  if (commit === undefined || file === undefined) return undefined;
  const shown = relative(process.cwd(), file);
  const inCommit = (path: string): string =>
    `${commit}${path.startsWith('..') ? path : `./${path}`}`;
  const there = inCommit(shown);
  const before = await readPolicyBytes(there).catch((error: unknown) => {
    if (error instanceof NotInCommitError) return undefined;
    throw error;
  });
  const after = found === undefined ? undefined : await readRegularFile(found);
  if (before === undefined && after === undefined) return undefined;
  if (after !== undefined && before?.equals(after) === true) return undefined;
  const reference = commit
    .slice('git:'.length, -1)
    .replace(/^[0-9a-f]{40}$/, (id) => id.slice(0, 12));
  const way = named === undefined ? there : inCommit(relative(process.cwd(), named));
  const otherwise = `; to use that one: --policy ${way}`;
  if (after === undefined) return `${shown} is gone since ${reference}${otherwise}`;
  const [what, end] = isStart
    ? ['where the branch began', 'it is merged']
    : ['which is compared with', 'OLD has it'];
  return before === undefined
    ? `${shown} decides, and ${reference}, ${what}, does not have it: it comes with the change, and this warning goes once ${end}`
    : `${shown} decides, and differs from that in ${reference}${otherwise}`;
}

/** Up to the top of the repository; outside of one none: in a folder writable for all any user would decide. */
export function policyOfRepository(from: string): {
  readonly file?: string;
  /** Where it would be, when there is none. */
  readonly place?: string;
} {
  let nearest: string | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    if (nearest === undefined) {
      const [file, other] = repositoryFiles
        .map((name) => join(folder, name))
        .filter((each) => existsSync(each));
      if (other !== undefined) {
        const message = `stands beside ${repositoryFile}, and only one can decide: keep one of the two`;
        throw invalidInput(message, { file: relative(from, other) });
      }
      nearest = file;
    }
    if (existsSync(join(folder, '.git'))) {
      return nearest === undefined ? { place: join(folder, repositoryFile) } : { file: nearest };
    }
    if (dirname(folder) === folder) return {};
  }
}

export interface DecisionOptions {
  readonly strict?: boolean;
  readonly all?: boolean;
  readonly acknowledge?: string;
}

/** The policy, unless the command line asks for more or less. @throws InvalidInputError for an empty reason */
export function decidingPolicy(
  { policy }: LoadedPolicy,
  { strict, acknowledge }: DecisionOptions,
): Policy {
  if (acknowledge?.trim() === '') {
    throw invalidInput('--acknowledge needs the reason, or the label that gives it');
  }
  const acknowledged = acknowledge === undefined ? {} : { acknowledged: acknowledge.trim() };
  return { ...(strict === true ? strictPolicy(policy) : policy), ...acknowledged };
}

/** CI knows the target of a pull request; the branch that is checked out may be named by the change's author. */
export async function withTargetBranch(policy: Policy, old = ''): Promise<Policy> {
  if (!policy.promises.some(({ branches }) => branches !== undefined)) return policy;
  const [, named] =
    /^(?:go:)?git:(?:refs\/remotes\/)?origin\/([^:]+?)(?:\.{3})?(?::|$)/.exec(old) ?? [];
  const target = targetInCi() ?? named;
  if (target !== undefined) return { ...policy, branch: { name: target, isCertain: true } };
  const name = await currentBranch();
  return name === undefined ? policy : { ...policy, branch: { name, isCertain: false } };
}

/** Of a pull request the branch that it goes to, else the one that was pushed to. */
function targetInCi(): string | undefined {
  const { GITHUB_REF_NAME, GITHUB_REF_TYPE, CI_COMMIT_BRANCH } = process.env;
  const pushed = GITHUB_REF_TYPE === 'branch' ? GITHUB_REF_NAME : undefined;
  return [targetOfRequest(), pushed, CI_COMMIT_BRANCH].find(Boolean);
}
