import { from } from '../../../rule/index.js';
import { defineConsumerRule } from './rule.js';

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
