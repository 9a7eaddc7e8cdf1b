import { from } from '../../../rule/index.js';
import { columnPairs } from './column-pairs.js';
import { defineContractRule } from './rule.js';

export const printerColumnRemoved = defineContractRule({
  id: 'PrinterColumnRemoved',
  audience: 'display',
  fields: ['spec.versions[].additionalPrinterColumns'],
  checks: 'A column that kubectl get shows is removed.',
  why: 'People and scripts that read the table miss the column.',
  instead: 'Keep the column; for scripts, kubectl get -o jsonpath does not depend on it.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { removed: 'column "{name}" is removed' },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }] }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'column "Size" is removed',
  },
  *compare(pair) {
    for (const { before, after, at } of columnPairs(pair)) {
      for (const name of before.keys()) {
        if (!after.has(name)) yield { ...at, id: 'removed', data: { name } };
      }
    }
  },
});
