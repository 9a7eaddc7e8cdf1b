/** Expressions as the compiler, the cost estimate and the evaluator of an API server answer them. */
import { expect } from 'chai';
import { isObject, own, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { answer, type Answer } from '../reference/cel/answer.js';
import { goldenRows } from './golden.js';

function answerTo(input: JsonObject): Answer {
  const [schema, self] = [own(input, 'schema'), own(input, 'self')];
  return answer({
    rule: own(input, 'rule') as string,
    ...(schema !== undefined && { schema: stringifyJson(schema) }),
    ...(self !== undefined && { self: stringifyJson(self) }),
  });
}

describe('golden: cel', () => {
  for (const row of goldenRows('cel')) {
    it(row.id, () => {
      const [input, expected] = [own(row, 'input'), own(row, 'expect')];
      if (!isObject(input) || !isObject(expected)) throw new Error(`row ${row.id} is not complete`);
      const { tree, ...answered } = answerTo(input);
      const ours = own(expected, 'tree') === undefined ? answered : { ...answered, tree };
      expect(ours, stringifyJson(input)).to.deep.equal(expected);
    });
  }
});
