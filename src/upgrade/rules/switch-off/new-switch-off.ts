import { defineRule, from } from '../../../rule/index.js';

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
