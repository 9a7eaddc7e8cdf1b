import { from } from '../../../rule/index.js';
import { describeComparison } from './rule.js';

export const unhandledRule = describeComparison({
  id: 'unhandled',
  checks:
    'A field differs in a keyword that no rule of crdify knows, such as its CEL rules (x-kubernetes-validations).',
  why: 'Nobody has thought about what the change does to stored objects.',
  instead: 'See what profile proof says about it: olm-guard check crd OLD NEW --profile proof.',
  source: from.crdify('pkg/validations/compare.go', 'CompareProperties', 'checkUnhandled'),
  example: {
    before: 'properties: { size: { type: integer } }',
    after:
      'properties: { size: { type: integer, x-kubernetes-validations: [{ rule: self > 0 }] } }',
    says: 'v1: ^.spec.size: unhandled',
  },
});
