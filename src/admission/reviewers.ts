/** Every resource that the gate reviews, in one list. */
import type { OlmState } from '../olm-state/olm-state.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { olmReviewers } from './olm-objects.js';
import type { Reviewer } from './reviewer.js';
import { withStoredObjects } from './stored-objects.js';

/** @param state what OLM's objects are judged against */
export function createReviewers(state: OlmState): readonly Reviewer[] {
  return [withStoredObjects(customResourceDefinitionReviewer), ...olmReviewers(state)];
}
