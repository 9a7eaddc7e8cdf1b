import { from } from '../../../rule/index.js';
import { defineObjectRule } from './rule.js';

export const unknownField = defineObjectRule({
  id: 'UnknownField',
  severity: 'warning',
  checks: 'Fields of manifests that their definition does not have.',
  why: 'kubectl refuses to apply the manifest (--validate=strict is its default); every other tool applies it, and the API server drops the field without an error.',
  otherwise: 'strict decoding error: unknown field "spec.sise"',
  instead: 'Write the field as the definition has it, or take it out.',
  source: from.apiextensions('pkg/apiserver/schema/pruning/algorithm.go', 'PruneWithOptions'),
  messages: {
    unknown: 'unknown field "{field}"{meant}',
    lost: 'field "{field}" is dropped: the old definition has it, and the new one does not{meant}',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '{ kind: Widget, metadata: { name: big }, spec: { sise: 12 } }',
    says: 'unknown field "spec.sise" (did you mean "size"?)',
    accepted: '{ kind: Widget, metadata: { name: big }, spec: { size: 12 } }',
  },
});
