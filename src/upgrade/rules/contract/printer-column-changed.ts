import { from } from '../../../rule/index.js';
import { stringifyJson } from '../../../text/documents/index.js';
import { columnPairs, normalizedJsonPath } from './column-pairs.js';
import { defineContractRule } from './rule.js';
import { textOf } from './subresources.js';

export const printerColumnChanged = defineContractRule({
  id: 'PrinterColumnChanged',
  audience: 'display',
  fields: ['spec.versions[].additionalPrinterColumns'],
  checks: 'A column that kubectl get shows reads another field.',
  why: 'People and scripts that read the table read another value under the same heading.',
  instead: 'Add a column with another name, and keep what the old one shows.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: {
    added: 'column "{name}" is added',
    changed: 'column "{name}" shows {is} instead of {was}',
    restyled: 'column "{name}" looks different',
    reordered: 'the column order changes',
  },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }] }] }',
    after:
      'spec: { versions: [{ name: v1, served: true, storage: true, additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .status.size }] }] }',
    says: 'column "Size" shows .status.size instead of .spec.size',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size, priority: 1 }] }] }',
  },
  *compare(pair) {
    for (const { before, after, at } of columnPairs(pair)) {
      for (const [name, column] of after) {
        const old = before.get(name);
        if (old === undefined) {
          yield { ...at, id: 'added', data: { name }, isHarmless: true };
        } else if (normalizedJsonPath(old) !== normalizedJsonPath(column)) {
          const [is, was] = [textOf(column, 'jsonPath'), textOf(old, 'jsonPath')];
          yield { ...at, id: 'changed', data: { name, is, was } };
        } else if (stringifyJson(old) !== stringifyJson(column)) {
          yield { ...at, id: 'restyled', data: { name }, isHarmless: true };
        }
      }
      const [order, now] = [[...before.keys()], [...after.keys()]];
      const isMoved =
        order.length === now.length &&
        order.every((name) => after.has(name)) &&
        order.join('\0') !== now.join('\0');
      if (isMoved) yield { ...at, id: 'reordered', isHarmless: true };
    }
  },
});
