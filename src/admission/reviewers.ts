/** Every resource that the gate reviews, in one list. */
import type { OlmState } from '../olm-state/olm-state.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { olmReviewers } from './olm-objects.js';
import type { Reviewer } from './reviewer.js';
import { withStoredObjects } from './stored-objects.js';

/**
 * @param state what OLM's objects are judged against
 * @param subscriptions what becomes of the reviewer of Subscriptions
 */
export function createReviewers(
  state: OlmState,
  subscriptions: (reviewer: Reviewer) => Reviewer = (reviewer) => reviewer,
): readonly Reviewer[] {
  const olm = olmReviewers(state).map((reviewer) =>
    reviewer.resource === 'subscriptions' ? subscriptions(reviewer) : reviewer,
  );
  return [withStoredObjects(customResourceDefinitionReviewer), ...olm];
}
