import { defineRule, from } from '../../rule/index.js';

export const newSwitchOff = defineRule({
  id: 'NewSwitchOff',
  family: 'crd-upgrade-safety',
  subject: 'switch-off',
  severity: 'warning',
  about: 'bookkeeping',
  checks: 'A request that switches checks off for later ones, or names an owner that does.',
  why: 'What is stored switches checks off: a release that brings it would open the gate to the next one. It counts only when it was set by itself. It is an error, which no switch-off excuses, when it would count and the policy reserves it for others, or when the same request changes more.',
  instead:
    'Set it by itself: kubectl annotate customresourcedefinition NAME olm-guard.io/disable=crd-upgrade-safety.',
  source: from.us('docs/decisions/switch-offs-set-by-themselves.md'),
  messages: {
    refused: '{switchOff} must not be set here{why}',
    counts: '{switchOff} counts from the next change on{scope}{why}',
    ignored: '{switchOff} will not count{why}',
  },
  example: {
    before: '{ kind: CustomResourceDefinition, metadata: { name: widgets.example.com } }',
    after: `
      kind: CustomResourceDefinition
      metadata:
        name: widgets.example.com
        annotations: { olm-guard.io/disable: all }
        managedFields:
          - manager: helm
            fieldsV1: { f:metadata: { f:annotations: { f:olm-guard.io/disable: {} } }, f:spec: {} }`,
    says: 'will not count: "helm" set it together with other fields',
  },
});

export const frozenChanged = defineRule({
  id: 'FrozenChanged',
  family: 'crd-upgrade-safety',
  subject: 'promises',
  severity: 'error',
  awaitsProof: false,
  checks: 'Something other than a description changes where the policy promises that nothing does.',
  why: 'Users of a frozen branch or version take its patch releases without looking at the API.',
  instead: 'Make the change on the branch or in the version that is open for it.',
  source: from.us('docs/policy.md'),
  messages: {
    changed: 'frozen by the policy: {what} changed',
    added: 'frozen by the policy: {what} was added',
    removed: 'frozen by the policy: {what} was removed',
  },
  example: {
    before: 'properties: { size: { type: integer, description: How many. } }',
    after: 'properties: { size: { type: integer, maximum: 5 } }',
    says: 'frozen by the policy: maximum was added',
    accepted: 'properties: { size: { type: integer, description: The number of them. } }',
  },
});
