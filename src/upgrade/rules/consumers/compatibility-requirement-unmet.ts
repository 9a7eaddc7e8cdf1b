import { from } from '../../../rule/index.js';
import { defineConsumerRule } from './rule.js';

export const compatibilityRequirementUnmet = defineConsumerRule({
  id: 'CompatibilityRequirementUnmet',
  severity: 'error',
  protects: 'cluster',
  checks:
    'A CompatibilityRequirement of OpenShift that the new definition does not meet: a version that it serves or a field that it has is missing, or the definition itself is deleted.',
  why: 'OpenShift’s own webhook denies the definition where the requirement says Deny, and warns where it says Warn.',
  otherwise: 'CRD is not compatible with CompatibilityRequirements',
  instead: 'Keep versions and fields, or have the requirement changed by whoever made it.',
  source: from.openShift('CompatibilityRequirement [apiextensions.openshift.io/v1alpha1]'),
  messages: {
    version: '{consumer} requires version {version}, which is not served',
    field: '{consumer} requires {field} of version {version}, which is not there',
    fields: '{consumer} requires {count} more fields of version {version}, which are not there',
    deleted: '{consumer} requires the definition, which is being deleted',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      apiVersion: apiextensions.openshift.io/v1alpha1
      kind: CompatibilityRequirement
      metadata: { name: cluster-api }
      spec:
        customResourceDefinitionSchemaValidation: { action: Deny }
        compatibilitySchema:
          requiredVersions: { defaultSelection: StorageOnly }
          customResourceDefinition:
            type: YAML
            data: |
              apiVersion: apiextensions.k8s.io/v1
              kind: CustomResourceDefinition
              metadata: { name: widgets.example.com }
              spec:
                group: example.com
                names: { plural: widgets, kind: Widget }
                scope: Namespaced
                versions:
                - name: v1
                  served: true
                  storage: true
                  schema: { openAPIV3Schema: { properties: { spec: { properties: { size: { type: integer } } } } } }`,
    after: 'properties: { other: { type: integer } }',
    says: 'CompatibilityRequirement cluster-api requires spec.size of version v1',
    accepted: 'properties: { size: { type: integer }, other: { type: integer } }',
  },
});
