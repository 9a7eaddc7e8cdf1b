import { expect } from 'chai';
import { isObject, own, stringifyJson } from '../../src/text/documents/index.js';
import { answer, differingFields, goldenRows } from './golden.js';

for (const operation of [
  'operatorgroup-targets',
  'install-modes',
  'operatorgroup-intersection',
  'operatorgroup-roles',
]) {
  describe(`golden: ${operation}`, () => {
    for (const row of goldenRows(operation)) {
      it(row.id, async () => {
        const answered = await answer(operation, row['input'] ?? null);
        const output = own(answered, 'output');
        const expected = own(row, 'expect');
        if (!isObject(output) || !isObject(expected)) throw new Error(stringifyJson(answered));
        expect(differingFields(expected, output), stringifyJson(output)).to.deep.equal([]);
      });
    }
  });
}
