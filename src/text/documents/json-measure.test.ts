import { expect } from 'chai';
import fc from 'fast-check';
import { measureJson } from './json-measure.js';

describe('documents: measuring JSON', () => {
  const long = 'x'.repeat(40);
  const rows: [string, number, string[]][] = [
    ['{"a":[1,{"b":2}]}', 3, []],
    ['{"a":"1.0 [[[["}', 1, []],
    [`{"${long}[1.0":1.0}`, 1, ['1.0']],
    [`{"a":"${long}\\"[[ 1.0"}`, 1, []],
    [`{"a":"${long}\\\\","b":1e3}`, 1, ['1e3']],
    ['["\\\\",-0,"\\"",0.5,12345678901234567]', 1, ['-0', '12345678901234567']],
    [`"${long}`, 0, []],
  ];
  for (const [text, depth, lossy] of rows) {
    it(`reads ${text.replaceAll(long, '…')}`, () => {
      const measure = measureJson(text);
      expect(measure.depth).to.equal(depth);
      const found: string[] = [];
      for (let index = 0; index < measure.lossyNumbers.length; index += 2) {
        found.push(text.slice(measure.lossyNumbers[index], measure.lossyNumbers[index + 1]));
      }
      expect(found).to.deep.equal(lossy);
    });
  }

  const firsts: [text: string, from: number, first: string][] = [
    ['{"a":[1]} {"b":2}', 0, '{"a":[1]}'],
    ['{"a":1}{"b":2}', 7, '{"b":2}'],
    ['"a" {}', 0, '"a"'],
    ['12 {}', 0, '12'],
    ['true,{}', 0, 'true'],
    ['{"a":"}"', 0, '{"a":"}"'],
    ['}{}', 0, '}'],
  ];
  for (const [text, from, first] of firsts) {
    it(`finds the end of ${first}`, () => {
      expect(text.slice(from, measureJson(text, { from, first: true }).end)).to.equal(first);
    });
  }

  const counted: [string, number, number?][] = [
    ['7', 1],
    ['{}', 2],
    ['[1,2,[3]]', 5],
    ['{"a":1,"b":"[,{"}', 3],
    ['[1.5,1.0,-0]', 12],
    [`[${'1,'.repeat(1000)}1]`, 4, 3],
    ['1,2', 2],
  ];
  for (const [text, values, maxValues] of counted) {
    it(`counts the values of ${text.slice(0, 20)}`, () => {
      expect(measureJson(text, { maxValues }).values).to.equal(values);
    });
  }

  it('never takes what is in a string for a number or a bracket', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 20 }), (short, long) => {
        const { depth, lossyNumbers } = measureJson(JSON.stringify({ [short]: [long, short] }));
        expect([depth, lossyNumbers]).to.deep.equal([2, []]);
      }),
    );
  });
});
