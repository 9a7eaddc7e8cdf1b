/** `--policy FILE`, as every check takes it; else the repository's own `.olm-guard.yaml`. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defaultPolicy, type Policy } from '../../check/policy.js';
import { say } from './output.js';

const repositoryFile = '.olm-guard.yaml';

/** @throws InvalidInputError when the file cannot be read or is no policy. */
export async function loadPolicy(named: string | undefined): Promise<Policy> {
  const here = process.cwd();
  const file = named ?? policyOfRepository(here);
  if (file === undefined) return defaultPolicy;
  // Whoever reads the verdict has not asked for it.
  if (named === undefined) say(`olm-guard: decides by ${relative(here, file)}`);
  const [{ readPolicy }, { ruleNames }] = await Promise.all([
    import('../server/policy-file.js'),
    import('../../operations/rules.js'),
  ]);
  return readPolicy({ file }, ruleNames);
}

/**
 * The nearest one from the working directory up to the top of its repository. Outside of one there
 * is none: in a folder that everybody may write to, anybody would decide.
 */
function policyOfRepository(from: string): string | undefined {
  let nearest: string | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, repositoryFile);
    if (nearest === undefined && existsSync(file)) nearest = file;
    if (existsSync(join(folder, '.git'))) return nearest;
    if (dirname(folder) === folder) return undefined;
  }
}
