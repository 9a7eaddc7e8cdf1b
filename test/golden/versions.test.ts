import { expect } from 'chai';
import { isObject, own, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { answer, differingFields, goldenRows } from './golden.js';

/** The text of the answer's error is compared with `expect.error` here, not a field of the output. */
for (const operation of ['range', 'version', 'upgrade-v1']) {
  describe(`golden: ${operation}`, () => {
    for (const row of goldenRows(operation)) {
      it(row.id, async () => {
        const answered = await answer(operation, row['input'] ?? null);
        const expected = own(row, 'expect');
        if (!isObject(expected)) throw new Error(`row ${row.id} expects nothing`);
        const actual = flatten(answered);
        const compared = own(expected, 'panics') === true ? withoutText(expected) : expected;
        expect(differingFields(compared, actual), stringifyJson(answered)).to.deep.equal([]);
      });
    }
  });
}

for (const operation of ['upgrade-classic', 'cluster-compatibility', 'image-template']) {
  describe(`golden: ${operation}`, () => {
    for (const row of goldenRows(operation)) {
      it(row.id, async () => {
        const answered = await answer(operation, row['input'] ?? null);
        const output = own(answered, 'output');
        const expected = own(row, 'expect');
        if (!isObject(output) || !isObject(expected)) throw new Error(stringifyJson(answered));
        const text = own(expected, 'error');
        const panics = typeof text === 'string' && text.startsWith('panic:');
        const compared = panics ? withoutText(expected) : expected;
        expect(differingFields(compared, output), stringifyJson(answered)).to.deep.equal([]);
      });
    }
  });
}

/** Output and error in one object, as the rows have them. */
function flatten(answered: JsonObject): JsonObject {
  const output = own(answered, 'output');
  const error = own(answered, 'error');
  if (isObject(output)) return output;
  if (!isObject(error)) throw new Error(stringifyJson(answered));
  return { ...error, error: own(error, 'message') ?? null };
}

/** Where the reference crashes, only what is left of the row counts: there must be an answer. */
function withoutText(expected: JsonObject): JsonObject {
  const rest = Object.entries(expected).filter(([key]) => key !== 'error' && key !== 'panics');
  return Object.fromEntries(rest);
}
