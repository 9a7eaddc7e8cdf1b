import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const leavingVersionUsed = defineStoredRule({
  id: 'LeavingVersionUsed',
  severity: 'warning',
  about: 'content',
  checks:
    'Who wrote stored objects in a version that is served no longer, by metadata.managedFields: names of field managers and counts.',
  why: 'Whoever still writes in that version gets 404 from then on; and while an object remembers having been applied in a version that is gone, every server-side apply of it fails.',
  otherwise: 'request to convert CR to an invalid group/version: example.com/v1alpha1',
  instead:
    'Move the named tools to another version first, then let olm-guard migrate run NAME --leaving VERSION move what the objects remember.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    used: 'still used: {uses}; once nobody writes it any more, olm-guard migrate run {name}{leaving} moves what objects remember of it',
    withheld:
      'stored {kinds} were written in a version that is removed; by whom and how many is for those who may list {name}',
  },
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      ---
      kind: Widget
      metadata:
        name: blue
        namespace: default
        managedFields:
          - { manager: argocd-controller, operation: Apply, apiVersion: example.com/v1alpha1, time: 2026-11-03T08:00:00Z }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'argocd-controller applied 1 Widget as v1alpha1, last 2026-11-03',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: true, deprecated: true }, { name: v1, served: true, storage: true }] }',
  },
});
