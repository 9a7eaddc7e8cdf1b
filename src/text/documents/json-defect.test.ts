import { expect } from 'chai';
import fc from 'fast-check';
import { findDefect } from './json-defect.js';
import { samples } from '../../rule/testing/samples.js';

describe('documents: the first error of JSON', () => {
  const rows: [text: string, reason: string, offset: number][] = [
    [' \n', 'the input is empty', 0],
    ['{"a":1', 'the input ends too early', 6],
    ['["abc', 'the input ends too early', 5],
    ['[1 2]', 'comma expected', 3],
    ['[01]', 'comma expected', 2],
    ['[1,]', 'value expected', 3],
    ['[}', 'value expected', 1],
    ['{"a":}', 'value expected', 5],
    ['{"a":1,}', 'property name expected', 7],
    ['{,}', 'property name expected', 1],
    ['{"a"}', 'colon expected', 4],
    ['{"a":1]', 'comma expected', 6],
    ['{} x', 'end of file expected', 3],
    ['NaN', 'value expected', 0],
    ['// no\n{}', 'value expected', 0],
    ['"\t"', 'invalid character in a string', 1],
    ['"a\\x"', 'invalid escape character', 2],
  ];
  for (const [text, reason, offset] of rows) {
    it(`${JSON.stringify(text)}: ${reason}`, () => {
      expect(findDefect(text)).to.deep.include({ offset, reason });
    });
  }

  it('finds one where the engine refuses, and only there', () => {
    const mutation = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:\\019.e-ntx \n', ''));
    fc.assert(
      fc.property(mutation, ([json, place, character]) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + character + json.slice(at + 1);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(findDefect(text) === undefined, text).to.equal(isJson);
      }),
      { numRuns: samples(63) },
    );
  });

  it('needs no memory for long texts', () => {
    const length = 200_000;
    for (const text of [' ', '[', '"', 'x', '""', '1,', '\\', '{"a":'].map((each) =>
      each.repeat(length / each.length),
    )) {
      expect(findDefect(text)?.reason).to.be.a('string');
      expect(findDefect(`[${text}`)?.reason).to.be.a('string');
      expect(findDefect(`["${text}`)?.reason).to.be.a('string');
    }
  });
});
