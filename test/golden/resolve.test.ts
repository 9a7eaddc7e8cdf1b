import { expect } from 'chai';
import { isObject, own, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { answer, differingFields, goldenRows, sameJson } from './golden.js';

const notCompared = ['stable', 'runs', 'variants', 'count'];

describe('golden: resolve', () => {
  for (const row of [...goldenRows('resolve'), ...goldenRows('resolve-synthetic')]) {
    it(row.id, async () => {
      const answered = await answer('resolve', row['input'] ?? null);
      const output = own(answered, 'output');
      const expected = own(row, 'expect');
      if (!isObject(output) || !isObject(expected)) throw new Error(stringifyJson(answered));
      const stable = own(expected, 'stable') === true;
      const listed = own(expected, 'variants');
      const variants = stable || !Array.isArray(listed) ? [expected] : listed.filter(isObject);
      const differences = variants.map((variant) => differencesFrom(variant, output, stable));
      expect(
        differences.some((fields) => fields.length === 0),
        stringifyJson({ output, differences }),
      ).to.equal(true);
    });
  }
});

/** Where OLM's own text varies only the kind of the failure counts. */
function differencesFrom(expected: JsonObject, output: JsonObject, stable: boolean): string[] {
  if (!stable && own(expected, 'ok') === false) {
    return ['ok', 'errorKind'].filter((key) => !sameJson(own(expected, key), own(output, key)));
  }
  return differingFields(expected, output).filter(
    (field) =>
      !notCompared.includes(field) &&
      !(isEmptyList(own(expected, field)) && isEmptyList(own(output, field))),
  );
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
