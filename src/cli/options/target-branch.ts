/** The branch that a change is for, as `promises` of a policy name it. */
import type { Policy } from '../../policy/index.js';
import { currentBranch, targetOfRequest } from '../../text/documents/git-revision.js';

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
