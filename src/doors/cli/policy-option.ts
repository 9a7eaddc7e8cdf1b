/** `--policy FILE`, as every check takes it; else the repository's own `.olm-guard.yaml` or `.yml`. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defaultPolicy, type Policy } from '../../check/policy.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { say } from './output.js';

const repositoryFile = '.olm-guard.yaml';
/** Each is written by somebody; an ending that is not read would be a policy that is not heard. */
const repositoryFiles = [repositoryFile, '.olm-guard.yml'];

/** A policy, and the file that says it. */
export interface LoadedPolicy {
  readonly policy: Policy;
  readonly file?: string;
}

/** @throws InvalidInputError when the file cannot be read or is no policy. */
export async function loadPolicy(named: string | undefined): Promise<Policy> {
  return (await openPolicy(named)).policy;
}

/** The same, for whoever goes on with the file. */
export async function openPolicy(named: string | undefined): Promise<LoadedPolicy> {
  const here = process.cwd();
  const file = named ?? policyOfRepository(here).file;
  if (file === undefined) return { policy: defaultPolicy };
  // Whoever reads the verdict has not asked for it.
  if (named === undefined) say(`olm-guard: decides by ${relative(here, file)}`);
  const [{ readPolicy }, { ruleNames }] = await Promise.all([
    import('../server/policy-file.js'),
    import('../../operations/rules.js'),
  ]);
  return { policy: await readPolicy({ file }, ruleNames), file };
}

/**
 * The nearest one from the working directory up to the top of its repository. Outside of one there
 * is none: in a folder that everybody may write to, anybody would decide.
 *
 * @throws InvalidInputError where a folder has it under both of its names
 */
export function policyOfRepository(from: string): {
  readonly file?: string;
  /** Where it would be, if it is not there. */
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
        throw new InvalidInputError('E_INPUT', message, { file: relative(from, other) });
      }
      nearest = file;
    }
    if (existsSync(join(folder, '.git'))) {
      return nearest === undefined ? { place: join(folder, repositoryFile) } : { file: nearest };
    }
    if (dirname(folder) === folder) return {};
  }
}
