import { expect } from 'chai';
import fc from 'fast-check';
import { scanJson } from './scan.js';

const long = 'x'.repeat(40);

describe('scanJson', () => {
  const rows: [name: string, text: string, depth: number, lossy: string[]][] = [
    ['numbers in strings are none', '{"a": "1.0", "1.0": [1]}', 2, []],
    ['brackets in strings are none', '["[[[{{{"]', 1, []],
    ['a short escaped quote', '["a\\"[1.0", 1.0]', 1, ['1.0']],
    ['an escaped quote far into a string', `["${long}\\"[1.0", 1.0]`, 1, ['1.0']],
    ['an escaped backslash before the end', `["${long}\\\\", 1.0]`, 1, ['1.0']],
    ['three backslashes and a quote', `["${long}\\\\\\"", 1.0]`, 1, ['1.0']],
    ['backslashes where the fast search begins', `["${'\\\\'.repeat(12)}", 1.0]`, 1, ['1.0']],
    ['a string without an end', `["${long}`, 1, []],
    ['nothing', '', 0, []],
  ];
  for (const [name, text, depth, lossy] of rows) {
    it(name, () => {
      const scan = scanJson(text);
      expect(scan.depth).to.equal(depth);
      const literals: string[] = [];
      for (let index = 0; index < scan.lossyNumbers.length; index += 2) {
        literals.push(text.slice(scan.lossyNumbers[index], scan.lossyNumbers[index + 1]));
      }
      expect(literals).to.deep.equal(lossy);
    });
  }

  it('finds the number behind any string', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 80, unit: fc.constantFrom('\\', '"', '[', '1.0', 'x') }),
        (text) => {
          const json = `[${JSON.stringify(text)},1.50]`;
          const { depth, lossyNumbers } = scanJson(json);
          expect(depth).to.equal(1);
          expect(json.slice(...(lossyNumbers as [number, number]))).to.equal('1.50');
        },
      ),
    );
  });
});
