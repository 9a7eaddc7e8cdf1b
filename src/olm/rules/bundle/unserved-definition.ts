import { defineRule, from, sources } from '../../../rule/index.js';
import { textAt } from '../../../text/documents/fields.js';
import { v1beta1, type Bundle } from './bundle.js';
import { documents, exampleCrd, exampleCsv, ownsCats } from './example-bundle.js';
import type { Finding } from '../../../rule/index.js';
import { locate } from './finding.js';

const owner = exampleCsv({ owned: ownsCats });

export const unservedDefinition = defineRule({
  id: 'UnservedDefinition',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'error',
  checks: 'The definitions of a bundle are written in apiextensions.k8s.io/v1.',
  why: 'No API server has served v1beta1 since Kubernetes 1.22. OLM classic creates the definition in the version of its manifest, so the InstallPlan fails; OLM v1 applies it as it is, and is refused too.',
  otherwise: 'the server could not find the requested resource',
  instead:
    'Convert the definition to apiextensions.k8s.io/v1: each version needs a schema, and spec.preserveUnknownFields must be false.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/step.go', 'NewCRDV1Beta1Step'),
    from.kubernetesPages('Deprecated API Migration Guide'),
  ),
  messages: {
    unserved:
      'CustomResourceDefinition {definition} is written in {apiVersion}: OLM classic\'s InstallPlan fails with "the server could not find the requested resource", OLM v1 with "no matches for kind"; its schema is not judged',
  },
  example: {
    after: documents(owner, exampleCrd().replace('k8s.io/v1,', 'k8s.io/v1beta1,')),
    says: 'CustomResourceDefinition cats.example.com is written in apiextensions.k8s.io/v1beta1',
    accepted: documents(owner, exampleCrd()),
  },
});

export function* checkServedDefinitions({ definitions }: Bundle): Generator<Finding> {
  for (const part of definitions) {
    if (textAt(part.value, 'apiVersion') !== v1beta1) continue;
    const data = {
      definition: textAt(part.value, 'metadata', 'name') ?? '',
      apiVersion: v1beta1,
    };
    yield locate(unservedDefinition.finding({ id: 'unserved', data }), part, 'apiVersion');
  }
}
