import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedObjectsUnreachable = defineStoredRule({
  id: 'StoredObjectsUnreachable',
  severity: 'error',
  about: 'content',
  checks: 'A definition that still has objects, and serves no version any more.',
  why: 'Nobody can read or write the objects, and nobody can count them before the definition is deleted with all of them.',
  instead: 'Serve one version until the objects are gone.',
  source: from.apiextensions('pkg/apiserver/customresource_handler.go', 'ServeHTTP'),
  messages: {
    unreachable:
      'no version of {name} is served any more, so that nobody can read, write or count {stored}',
    uncounted:
      'no version of {name} is served any more, so that nobody can read, write or count what is stored; whether anything is, could not be seen: {why}',
  },
  example: {
    before: `
      properties: { size: { type: integer } }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after: 'spec: { versions: [{ name: v1, served: false, storage: true }] }',
    says: 'no version of widgets.example.com is served any more, so that nobody can read, write or count 1 stored Widget',
  },
});
