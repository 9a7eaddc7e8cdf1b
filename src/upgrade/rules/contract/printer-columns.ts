import { type JsonObject, stringifyJson } from '../../../text/documents/index.js';
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import { type ContractDifference, type ContractPair, defineContractRule } from './rule.js';
import { objectsAt } from '../../../text/documents/fields.js';
import { textOf } from './subresources.js';
import { from } from '../../../rule/index.js';

interface ColumnPair {
  readonly before: ReadonlyMap<string, JsonObject>;
  readonly after: ReadonlyMap<string, JsonObject>;
  readonly at: Pick<ContractDifference, 'version' | 'place'>;
}

function columnPairs({ shared }: ContractPair): ColumnPair[] {
  return shared.map(({ old, new: updated }) => ({
    before: columnsOf(old),
    after: columnsOf(updated),
    at: {
      version: updated.name,
      place: { side: 'new', keys: ['spec', 'versions', updated.index] },
    },
  }));
}

function columnsOf(version: DefinitionVersion): Map<string, JsonObject> {
  const columns = objectsAt(version.document, 'additionalPrinterColumns');
  return new Map(columns.map((column) => [textOf(column, 'name'), column]));
}

/** Without white space in a filter, and with one kind of quotes. */
export function normalizedJsonPath(column: JsonObject): string {
  return textOf(column, 'jsonPath').replace(
    /'([^'"\\]*)'|"([^'"\\]*)"|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\s+/g,
    (space, single?: string, double?: string, other?: string) =>
      other ?? (space.trim() === '' ? '' : `"${single ?? double ?? ''}"`),
  );
}

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
