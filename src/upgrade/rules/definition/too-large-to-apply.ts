import { defineRule, from } from '../../../rule/index.js';

export const tooLargeToApply = defineRule({
  id: 'TooLargeToApply',
  family: 'definition',
  subject: 'CustomResourceDefinition',
  severity: 'warning',
  checks: 'A definition that is too large for kubectl apply.',
  why: 'kubectl keeps the whole definition in an annotation, and annotations have 262,144 bytes: "metadata.annotations: Too long".',
  instead:
    'Apply with kubectl apply --server-side, or use kubectl create and replace; or take descriptions out.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    annotation:
      'too large for kubectl apply{already}: its annotations would have {size}, and at most {limit} may be; use kubectl apply --server-side or kubectl replace',
    near: 'near what kubectl apply takes: its annotations would have {size}, and at most {limit} may be; labels and annotations that Argo CD, Helm or Kustomize add are counted too',
  },
  example: {
    // No example of this size helps a reader: the test of the findings makes one.
    after: 'properties: { text: { type: string } }',
    says: '',
  },
});
