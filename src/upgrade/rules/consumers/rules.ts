import { from, rulesWith, type Rule } from '../../../rule/index.js';

const defineConsumerRule = rulesWith({
  family: 'crd-upgrade-safety',
  subject: 'consumers',
  audience: 'clients',
  // The two definitions alone show that something needed is removed.
  awaitsProof: false,
});

const neededDefinition = `
      spec:
        versions:
        - name: v1
          served: true
          storage: true
          subresources: { status: {}, scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size } }
          schema: { openAPIV3Schema: { properties: { spec: { properties: { size: { type: integer } } } } } }`;

export const consumerVersionRemoved = defineConsumerRule({
  id: 'ConsumerVersionRemoved',
  severity: 'error',
  checks: 'A version that goes, or is no longer served, while somebody who is known needs it.',
  why: 'Requests in this version are answered with 404: its consumer cannot read, write or watch a single object, and OLM calls a ClusterServiceVersion that requires it pending.',
  instead: 'Serve the version until its consumer uses another one.',
  source: from.us('docs/consumers.md'),
  messages: { gone: '{consumer} needs version {version}, which is no longer served' },
  example: {
    before: `
      spec: { versions: [{ name: v1, served: true, storage: true }, { name: v1beta1, served: true, storage: false }] }
      ---
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata: { name: shop.v1, namespace: shop }
      spec: { customresourcedefinitions: { required: [{ name: widgets.example.com, version: v1beta1, kind: Widget }] } }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'ClusterServiceVersion shop/shop.v1 needs version v1beta1',
    accepted:
      'spec: { versions: [{ name: v2, served: true, storage: true }, { name: v1beta1, served: true, storage: false }] }',
  },
});

export const consumerFieldRemoved = defineConsumerRule({
  id: 'ConsumerFieldRemoved',
  severity: 'error',
  checks:
    'A field that goes while somebody who is known uses it: a manifest, the definition of another bundle, or a ClusterServiceVersion that describes it.',
  why: 'API servers prune the field from everything that its consumer writes, without an error, and from everything that it reads.',
  instead: 'Keep the field, or change its consumer first.',
  source: from.us('docs/consumers.md'),
  messages: { gone: '{consumer} uses {field} of version {version}, which is gone' },
  example: {
    before: `
      properties: { size: { type: integer }, color: { type: string } }
      ---
      { apiVersion: example.com/v1, kind: Widget, metadata: { name: big, namespace: shop }, spec: { color: red } }`,
    after: 'properties: { size: { type: integer } }',
    says: 'Widget shop/big uses spec.color of version v1',
    accepted: 'properties: { color: { type: string } }',
  },
});

export const consumerSubresourceRemoved = defineConsumerRule({
  id: 'ConsumerSubresourceRemoved',
  severity: 'error',
  checks:
    'The status or the scale subresource goes while somebody who is known uses it: an autoscaler, or a role with rights to it.',
  why: 'Requests to the subresource are answered with 404: nothing is scaled, and no status is written. A role alone is a warning, for a right need not be used.',
  instead: 'Keep the subresource.',
  source: from.us('docs/consumers.md'),
  messages: {
    gone: '{consumer} uses the {subresource} subresource of version {version}, which is gone',
    notPreferred:
      '{consumer} uses the {subresource} subresource of the preferred version, which is now {version} and has none',
    mayBeUsed:
      '{consumer} has rights to the {subresource} subresource of version {version}, which is gone',
  },
  example: {
    before: `${neededDefinition}
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: widgets, namespace: shop }
      spec: { scaleTargetRef: { apiVersion: example.com/v1, kind: Widget, name: big } }`,
    after: 'properties: { size: { type: integer } }',
    says: 'HorizontalPodAutoscaler shop/widgets uses the scale subresource of version v1',
    accepted: neededDefinition,
  },
});

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

export const consumerRules: readonly Rule[] = [
  consumerVersionRemoved,
  consumerFieldRemoved,
  consumerSubresourceRemoved,
  compatibilityRequirementUnmet,
];
