/** Every resource that the gate reviews, in one list. */
import type { OlmState } from '../olm-state/olm-state.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { olmReviewers } from './olm-objects.js';
import type { Reviewer } from './reviewer.js';
import { withStoredObjects } from './stored-objects.js';
import { withResolution, type KnownCatalogs } from './subscription-resolution.js';

/**
 * @param state what OLM's objects are judged against
 * @param catalogs what Subscriptions are resolved from; undefined when no catalog is known
 */
export function createReviewers(state: OlmState, catalogs?: KnownCatalogs): readonly Reviewer[] {
  const olm = olmReviewers(state).map((reviewer) =>
    catalogs !== undefined && reviewer.resource === 'subscriptions'
      ? withResolution(reviewer, catalogs)
      : reviewer,
  );
  return [withStoredObjects(customResourceDefinitionReviewer), ...olm];
}
