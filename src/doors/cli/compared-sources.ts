/** What `check crd` compares where not everything is named: the rest is the policy's, or the convention. */
import { dirname, join, relative } from 'node:path';
import { InvalidInputError } from '../../text/documents/index.js';
import type { LoadedPolicy } from './policy-option.js';

export interface ComparedSources {
  readonly old: string;
  readonly new: string;
}

/** What a pull request starts from. */
const conventional = 'git:origin/main';

/**
 * OLD and NEW; NEW alone against the policy's `old`; each of its `paths` when nothing is named.
 *
 * @throws InvalidInputError when there is nothing to go by
 */
export function comparedSources(
  named: readonly string[],
  { policy, file }: LoadedPolicy,
): readonly ComparedSources[] {
  const [first, second] = named;
  if (first !== undefined && second !== undefined) {
    return [{ old: sideOf(first, second), new: second }];
  }
  const folder = file === undefined ? '.' : dirname(file);
  const paths = policy.paths?.map((path) => fromHere(join(folder, path)));
  const fresh = first === undefined ? paths : [first];
  if (fresh === undefined) {
    throw new InvalidInputError(
      'E_INPUT',
      'name OLD and NEW, or NEW alone, or what to compare as paths in .olm-guard.yaml',
    );
  }
  const old = policy.old ?? conventional;
  return fresh.map((path) => ({ old: sideOf(old, path), new: path }));
}

/** A commit alone is the path as it was there; what lies in no working tree has no path. */
function sideOf(old: string, path: string): string {
  if (!/^git:[^:]+$/.test(old) || path === '-' || path.startsWith('git:')) return old;
  return `${old}:${path}`;
}

/** With a leading `.`, so that git takes it from here and not from the top of the repository. */
function fromHere(path: string): string {
  const found = relative(process.cwd(), path);
  return found.startsWith('..') ? found : `./${found}`;
}
