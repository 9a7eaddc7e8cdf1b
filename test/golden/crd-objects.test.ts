import { expect } from 'chai';
import { isObject, own, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { answer, describeGolden, goldenRows } from './golden.js';

const files = ['crd-objects.jsonl.br', 'crd-objects-update.jsonl.br'] as const;

function results(from: JsonValue | undefined): JsonObject[] {
  const list = from !== undefined && isObject(from) ? own(from, 'results') : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function refusals(result: JsonObject): string[] {
  const errors = own(result, 'errors');
  return (Array.isArray(errors) ? errors : []).filter(isObject).map((error) => {
    return JSON.stringify([own(error, 'field'), own(error, 'type'), own(error, 'detail')]);
  });
}

describeGolden('crd-objects', () => {
  for (const file of files) {
    it(`${file}: says of each object what kube-apiserver 1.35.4 says, with its errors`, async () => {
      const differences: string[] = [];
      for (const row of goldenRows(file)) {
        const expected = results(own(row, 'expect'));
        const given = await answer('crd-objects', own(row, 'input') ?? null);
        const actual = results(own(given, 'output'));
        expected.forEach((wanted, index) => {
          const got = actual[index] ?? {};
          const same =
            own(wanted, 'valid') === own(got, 'valid') &&
            refusals(wanted).sort().join('\n') === refusals(got).sort().join('\n');
          if (!same) differences.push(`${row.id}[${index}]`);
        });
      }
      expect(differences).to.deep.equal([]);
    });
  }
});
