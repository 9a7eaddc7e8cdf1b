import { expect } from 'chai';
import fc from 'fast-check';
import { scanJson } from './scan.js';

describe('documents: scan', () => {
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
      const scan = scanJson(text);
      expect(scan.depth).to.equal(depth);
      const found: string[] = [];
      for (let index = 0; index < scan.lossyNumbers.length; index += 2) {
        found.push(text.slice(scan.lossyNumbers[index], scan.lossyNumbers[index + 1]));
      }
      expect(found).to.deep.equal(lossy);
    });
  }

  const counted: [string, number, number?][] = [
    ['7', 1],
    ['{}', 2],
    ['[1,2,[3]]', 5],
    ['{"a":1,"b":"[,{"}', 3],
    ['[1.5,1.0,-0]', 12],
    [`[${'1,'.repeat(1000)}1]`, 4, 3],
  ];
  for (const [text, values, maxValues] of counted) {
    it(`counts the values of ${text.slice(0, 20)}`, () => {
      expect(scanJson(text, maxValues).values).to.equal(values);
    });
  }

  it('never takes what is in a string for a number or a bracket', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 20 }), (short, long) => {
        const { depth, lossyNumbers } = scanJson(JSON.stringify({ [short]: [long, short] }));
        expect([depth, lossyNumbers]).to.deep.equal([2, []]);
      }),
    );
  });
});
