/** The answer to a review that holds more than the gate reads. */
import { guarantee } from '../../check/guarantees.js';
import type { Policy } from '../../check/policy.js';
import { allowed, denied } from './response.js';
import { nothing, policyFor, unjudged, type Reviewed } from './review.js';
import type { ReviewHead } from './review-head.js';
import type { Reviewer } from './reviewer.js';

/**
 * Denies a write for its size, wherever the policy would deny what it might hide: how much an object
 * holds is its writer's doing, and must not be a way past the gate. What is only deleted is not judged.
 */
export function tooLarge(
  head: ReviewHead,
  reviewers: readonly Reviewer[],
  policy: Policy,
  sentence: string,
): Reviewed {
  const { uid, resource, operation, subResource, userInfo } = head;
  const reviewer = reviewers.find(
    (each) => each.resource === resource?.resource && each.group === resource.group,
  );
  if (reviewer === undefined) {
    return { response: allowed(uid), decision: 'allowed', ...nothing };
  }
  const isSpared = guarantee({ subResource, user: userInfo?.username }) !== undefined;
  if (isSpared || operation === 'DELETE' || operation === 'CONNECT') {
    return unjudged(uid, policyFor(head, policy), sentence);
  }
  const message = `olm-guard reads no review that is this large: ${sentence}`;
  return (policy.modes.get(reviewer.family) ?? 'deny') === 'deny'
    ? { response: denied(uid, message, undefined), decision: 'denied', ...nothing }
    : { response: allowed(uid, [message]), decision: 'warned', ...nothing };
}
