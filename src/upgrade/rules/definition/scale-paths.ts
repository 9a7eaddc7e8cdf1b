import { defineRefusalRule, validation } from './rule.js';

export const scalePaths = defineRefusalRule({
  id: 'ScalePaths',
  checks: 'Paths of the scale subresource that lead elsewhere than to spec and status.',
  why: 'The definition is refused as a whole.',
  instead: 'Let specReplicasPath begin with .spec. and statusReplicasPath with .status.',
  source: validation('ValidateCustomResourceDefinitionSubresources'),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, subresources: { scale: { specReplicasPath: .replicas, statusReplicasPath: .status.replicas } } }] }',
    says: 'should be a json path under .spec',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } }, subresources: { scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } } }] }',
  },
  covers: ({ field }) => field.includes('subresources.scale.'),
});
