import { from } from '../../../rule/index.js';
import { defineConsumerRule } from './rule.js';

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
