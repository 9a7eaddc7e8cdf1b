import { apiKind, isDeprecated, isGone, lifecycleText } from '../../objects/kubernetes-apis.js';
import { textAt } from '../../../text/documents/fields.js';
import { defineRule, from, sources } from '../../../rule/index.js';
import { v1beta1, type Bundle } from './bundle.js';
import { documents, exampleCsv } from './example-bundle.js';
import type { Finding } from '../../../rule/index.js';
import { placeIn } from './finding.js';

const budget = (apiVersion: string): string =>
  documents(
    exampleCsv(),
    `{ apiVersion: ${apiVersion}, kind: PodDisruptionBudget, metadata: { name: cats } }`,
  );

export const removedApi = defineRule({
  id: 'RemovedApi',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'warning',
  checks:
    'The manifests of a bundle use API versions that Kubernetes still serves. What is deprecated only is a note.',
  why: 'On a cluster whose Kubernetes no longer serves the version, OLM cannot create the object: the InstallPlan fails, or the operator breaks at the cluster’s next update.',
  otherwise: 'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"',
  instead: 'Write the version that the finding names; kubectl convert rewrites a manifest.',
  source: sources(
    from.kubernetesPages('Deprecated API Migration Guide'),
    from.openShift('Update paths'),
  ),
  messages: { removed: '{kind} of {apiVersion} {lifecycle}' },
  example: {
    after: budget('policy/v1beta1'),
    says: 'PodDisruptionBudget of policy/v1beta1 is gone since Kubernetes 1.25; use policy/v1 PodDisruptionBudget',
    accepted: budget('policy/v1'),
  },
});

export function* checkRemovedApis({ objects }: Bundle): Generator<Finding> {
  for (const part of objects) {
    const apiVersion = textAt(part.value, 'apiVersion') ?? '';
    const kind = textAt(part.value, 'kind') ?? '';
    const api = apiKind(apiVersion, kind);
    // A definition of v1beta1 is an error, and a rule of its own.
    if (api === undefined || !isDeprecated(api) || apiVersion === v1beta1) continue;
    const removed = removedApi.finding({
      id: 'removed',
      data: { kind, apiVersion, lifecycle: lifecycleText(api) },
      severity: isGone(api) ? 'warning' : 'info',
      path: '$.apiVersion',
    });
    yield placeIn(removed, part, 'apiVersion');
  }
}
