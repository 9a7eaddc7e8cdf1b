import { from } from '../../../rule/index.js';
import { ownedMessages } from './owned-messages.js';
import { defineStoredRule } from './rule.js';

export const ownerReferenceCollects = defineStoredRule({
  id: 'OwnerReferenceCollects',
  severity: 'error',
  about: 'bookkeeping',
  checks: 'An owner reference by which the garbage collector deletes the definition.',
  why: 'A definition whose owners do not exist is deleted within seconds with all of its objects, by the garbage collector, which nobody holds up. Of an owner that exists it is a warning: its deletion is one of the definition from then on. It is one too while the definition has no objects yet, as when it is created.',
  instead: 'Name an owner that exists by its uid, or none.',
  source: from.kubernetesPages('Garbage Collection'),
  messages: {
    ...ownedMessages,
    collects: 'the garbage collector deletes {name} and {stored} with it: {why}',
    unknown:
      'whether the owners exist that {name} is given could not be seen ({why}); if they do not, the garbage collector deletes it and {stored} with it',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after:
      'metadata: { name: widgets.example.com, ownerReferences: [{ apiVersion: v1, kind: Namespace, name: gone, uid: u1 }] }',
    says: 'the garbage collector deletes widgets.example.com and 1 stored Widget with it: no Namespace "gone" has that uid',
  },
});
