import { expect } from 'chai';
import {
  InvalidInputError,
  isObject,
  own,
  parseJson,
  parseYaml,
  stringifyJson,
} from '../../src/text/documents/index.js';
import { goldenRows, sameJson } from './golden.js';

describe('golden: YAML as sigs.k8s.io/yaml reads it', () => {
  for (const row of goldenRows('yaml')) {
    const input = own(row, 'input');
    const text = isObject(input) ? own(input, 'yaml') : undefined;
    const expected = own(row, 'expect');
    if (typeof text !== 'string' || !isObject(expected)) throw new Error(`${row.id} has no text`);
    const json = own(expected, 'json');
    it(`${row.id} ${JSON.stringify(text)}`, () => {
      if (typeof json !== 'string') {
        expect(() => parseYaml(text)).to.throw(InvalidInputError);
        return;
      }
      const value = parseYaml(text);
      // Numbers by their text: 1.0 is not 1, and 9007199254740993 is not its neighbour.
      expect(sameJson(value, parseJson(json)), `${stringifyJson(value)} is not ${json}`).to.equal(
        true,
      );
    });
  }
});
