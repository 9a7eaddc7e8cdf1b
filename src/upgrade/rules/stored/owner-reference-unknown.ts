import { from } from '../../../rule/index.js';
import { ownedMessages } from './owned-messages.js';
import { defineStoredRule } from './rule.js';

export const ownerReferenceUnknown = defineStoredRule({
  id: 'OwnerReferenceUnknown',
  severity: 'warning',
  about: 'bookkeeping',
  checks:
    'An owner reference, of a definition that has objects, that OLM did not set: to an object of another kind than OLM sets, or set by somebody else.',
  why: 'Whoever may delete that owner, such as a ClusterExtension of his own, has the garbage collector delete the definition with all of its objects, and nobody is asked.',
  instead:
    'Set no owner; OLM sets the ClusterExtension or its revision (ClusterExtensionRevision, ClusterObjectSet) that installs the definition. Where OLM runs under another account, name it in trusted.olmServiceAccounts of the policy.',
  source: from.kubernetesPages('Garbage Collection'),
  messages: ownedMessages,
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }
      ---
      { apiVersion: v1, kind: Namespace, metadata: { name: bait, uid: u1 } }`,
    after:
      'metadata: { name: widgets.example.com, ownerReferences: [{ apiVersion: v1, kind: Namespace, name: bait, uid: u1 }] }',
    says: 'from now on the deletion of Namespace "bait" deletes widgets.example.com and 1 stored Widget with it',
  },
});
