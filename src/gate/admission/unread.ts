/** The answers to reviews that no rule has judged: one holds too much, for another there was no time. */
import { isNeverDenied, type Policy } from '../../policy/index.js';
import { allowed, denied } from './admission-review.js';
import { nothing, unjudged, type Reviewed } from './review.js';
import type { ReviewHead } from './review-head.js';
import type { Reviewer } from './reviewer.js';

/** Denies where the policy would deny what an object may hide: size is no way past the gate. Deletes pass. */
export function tooLarge(
  head: ReviewHead,
  reviewers: readonly Reviewer[],
  policy: Policy,
  sentence: string,
): Reviewed {
  const { uid, operation } = head;
  const reviewer = reviewerOf(head, reviewers);
  if (reviewer === undefined) {
    return { response: allowed(uid), decision: 'allowed', ...nothing };
  }
  if (isAlwaysAllowed(head) || operation === 'DELETE' || operation === 'CONNECT') {
    return unjudged(uid, policyFor(head, policy), sentence);
  }
  const message = `olm-guard reads no review that is this large: ${sentence}`;
  return (policy.modes.get(reviewer.family) ?? 'deny') === 'deny'
    ? { response: denied(uid, message, undefined), decision: 'denied', ...nothing }
    : { response: allowed(uid, [message]), decision: 'warned', ...nothing };
}

/**
 * Denies an update of a definition for which there was no time, before its turn or after it, wherever
 * the policy would deny what it might break: neither a burst nor what takes long must be a way past
 * the gate. All else is as the policy says of what is not judged.
 */
export function noTime(
  head: ReviewHead,
  reviewers: readonly Reviewer[],
  policy: Policy,
  sentence: string,
): Reviewed {
  const { uid, operation = 'UPDATE' } = head;
  const family = reviewerOf(head, reviewers)?.family;
  const isDenied =
    family === 'crd-upgrade-safety' &&
    operation === 'UPDATE' &&
    (policy.modes.get(family) ?? 'deny') === 'deny' &&
    !isAlwaysAllowed(head);
  if (!isDenied) return unjudged(uid, policyFor(head, policy), sentence);
  const message = `olm-guard lets no update of a definition pass unjudged: ${sentence}; try again`;
  const response = denied(uid, message, undefined);
  return { response, decision: 'unjudged', unjudged: sentence, ...nothing };
}

function reviewerOf(
  { resource }: ReviewHead,
  reviewers: readonly Reviewer[],
): Reviewer | undefined {
  return reviewers.find(
    (each) => each.resource === resource?.resource && each.group === resource.group,
  );
}

/** A review that is never denied is not denied unread either, also where policy denies what cannot be judged. */
export function policyFor(head: ReviewHead, policy: Policy): Policy {
  return isAlwaysAllowed(head) ? { ...policy, unjudged: 'allow' } : policy;
}

/** A write of a status may bring labels, annotations, owners and finalizers; its head does not say whether it does. */
function isAlwaysAllowed({ subResource, userInfo, resource }: ReviewHead): boolean {
  const isDefinition = resource?.resource === 'customresourcedefinitions';
  return isNeverDenied({ subResource, user: userInfo?.username }, isDefinition);
}
