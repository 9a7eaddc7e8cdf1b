import { from } from '../source.js';
import { stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { quote } from '../../text/go/index.js';
import { objectsOf, textOf } from './subresources.js';
import { defineContractRule } from './rule.js';

export const printerColumnRemoved = defineContractRule({
  id: 'PrinterColumnRemoved',
  audience: 'display',
  fields: ['spec.versions[].additionalPrinterColumns'],
  checks: 'A column that kubectl get shows is removed, or shows something else.',
  why: 'People and scripts that read the table miss the column, or read another value in it.',
  instead: 'Keep the column; for scripts, kubectl get -o jsonpath does not depend on it.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }] }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'column "Size" goes',
  },
  *compare({ shared }) {
    for (const { old: before, new: after } of shared) {
      const [had, has] = [before, after].map(
        (version) =>
          new Map(
            objectsOf(version, 'additionalPrinterColumns').map((each) => [
              textOf(each, 'name'),
              each,
            ]),
          ),
      ) as [Map<string, JsonObject>, Map<string, JsonObject>];
      const keys = ['spec', 'versions', after.index];
      const common = { version: after.name, place: { side: 'new', keys } as const };
      for (const [name, column] of had) {
        const now = has.get(name);
        if (now === undefined) yield { ...common, reason: `column ${quote(name)} goes` };
        else if (stringifyJson(now) !== stringifyJson(column)) {
          const isOther = textOf(now, 'jsonPath') !== textOf(column, 'jsonPath');
          yield isOther
            ? {
                ...common,
                reason: `column ${quote(name)} shows ${textOf(now, 'jsonPath')} in place of ${textOf(column, 'jsonPath')}`,
              }
            : { ...common, reason: `column ${quote(name)} is shown otherwise`, isHarmless: true };
        }
      }
      for (const name of has.keys()) {
        if (!had.has(name))
          yield { ...common, reason: `column ${quote(name)} is added`, isHarmless: true };
      }
      const [order, now] = [[...had.keys()], [...has.keys()]];
      const isMoved =
        order.length === now.length &&
        order.every((name) => has.has(name)) &&
        order.join('\0') !== now.join('\0');
      if (isMoved) yield { ...common, reason: 'columns stand in another order', isHarmless: true };
    }
  },
});
