/** The branch that a change is for, as `promises` of a policy name it. */
import type { Policy } from '../../policy/index.js';
import { currentBranch } from '../../text/documents/git-revision.js';

/**
 * The policy with the branch, where one of its promises asks for it. CI knows the target of a pull request
 * and OLD may name it; the branch that is checked out may have been named by the author of the change.
 */
export async function withTargetBranch(policy: Policy, old = ''): Promise<Policy> {
  if (!policy.promises.some(({ branches }) => branches !== undefined)) return policy;
  const [, named] =
    /^(?:go:)?git:(?:refs\/remotes\/)?origin\/([^:]+?)(?:\.{3})?(?::|$)/.exec(old) ?? [];
  const target = targetInCi(process.env) ?? named;
  if (target !== undefined) return { ...policy, branch: { name: target, isCertain: true } };
  const name = await currentBranch();
  return name === undefined ? policy : { ...policy, branch: { name, isCertain: false } };
}

/** Of a pull request the branch that it goes to, else the one that was pushed to. */
function targetInCi(environment: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_BASE_REF, GITHUB_REF_NAME, GITHUB_REF_TYPE } = environment;
  const { CI_MERGE_REQUEST_TARGET_BRANCH_NAME, CI_COMMIT_BRANCH } = environment;
  const pushed = GITHUB_REF_TYPE === 'branch' ? GITHUB_REF_NAME : undefined;
  return [GITHUB_BASE_REF, CI_MERGE_REQUEST_TARGET_BRANCH_NAME, pushed, CI_COMMIT_BRANCH].find(
    (name) => name !== undefined && name !== '',
  );
}
