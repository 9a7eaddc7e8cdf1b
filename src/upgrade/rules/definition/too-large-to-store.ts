import { defineRule, from } from '../../../rule/index.js';

export const tooLargeToStore = defineRule({
  id: 'TooLargeToStore',
  family: 'definition',
  subject: 'CustomResourceDefinition',
  severity: 'error',
  checks: 'A definition that is larger than etcd, a request, or a Secret or ConfigMap may be.',
  why: 'etcd takes requests of up to 1.5 MiB, and the API server of up to 3 MiB. Secrets and ConfigMaps hold 1 MiB, which is a warning: Helm and OLM compress what they keep there.',
  instead: 'Take descriptions out, or move parts of the kind into another one.',
  source: from.kubernetesPages('Operating etcd clusters for Kubernetes'),
  messages: {
    secret:
      'larger than a Secret or ConfigMap, in which Helm keeps its releases and OLM what it unpacks{already}: {size}, and at most {limit} may be; both only fit what they can compress',
    request: 'larger than {taker} takes: {size}, and at most {limit} may be',
  },
  example: {
    // No example of this size helps a reader: the test of the findings makes one.
    after: 'properties: { text: { type: string } }',
    says: '',
  },
});
