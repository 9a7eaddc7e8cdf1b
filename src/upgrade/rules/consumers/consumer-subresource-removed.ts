import { from } from '../../../rule/index.js';
import { defineConsumerRule, neededDefinition } from './rule.js';

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
