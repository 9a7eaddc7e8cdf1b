/** Every resource that the gate reviews, in one list. */
import { policyForCluster } from '../../policy/index.js';
import type { OlmState } from '../../cluster/index.js';
import { withCompatibilityRequirements } from './compatibility-requirements.js';
import { withConversion } from './conversion.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { olmReviewers } from './olm-objects.js';
import type { Reviewer } from './reviewer.js';
import { withConsumers, DefinitionConsumers } from './definition-consumers.js';
import { withStoredObjects } from './stored-objects.js';
import { StoredScans } from './stored-scan.js';

export function createReviewers(
  state: OlmState,
  subscriptions: (reviewer: Reviewer) => Reviewer = (reviewer) => reviewer,
): readonly Reviewer[] {
  // Shared among reviews: the next one about the same definition goes on with a scan that one has begun.
  const scans = new StoredScans();
  const consumers = new DefinitionConsumers(state);
  const olm = olmReviewers(state, scans, consumers)
    .map((reviewer) => withClusterMinor(reviewer, state))
    .map((reviewer) =>
      reviewer.resource === 'subscriptions' ? subscriptions(reviewer) : reviewer,
    );
  const owned = withConsumers(customResourceDefinitionReviewer, state, consumers);
  const definitions = withClusterMinor(withConversion(withStoredObjects(owned, scans)), state);
  return [withCompatibilityRequirements(definitions, state), ...olm];
}

function withClusterMinor(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    assess: (request, context) =>
      inner.assess(request, {
        ...context,
        policy: policyForCluster(context.policy, state.kubernetesVersion),
      }),
  };
}
