import { expect } from 'chai';
import fc from 'fast-check';
import { syntaxError } from './decode-json.js';

describe('JSON text as Go reads it', () => {
  const refused: [text: string, message: string][] = [
    ['', 'unexpected end of JSON input'],
    ['[1,', 'unexpected end of JSON input'],
    ['[1 2]', "invalid character '2' after array element"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
    ['01', "invalid character '1' after top-level value"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['-', "invalid character ' ' in numeric literal"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\q"', "invalid character 'q' in string escape code"],
    ['"\\u12g"', "invalid character 'g' in \\u hexadecimal character escape"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(syntaxError(text)).to.equal(message);
    });
  }

  it('refuses more than ten thousand levels', () => {
    expect(syntaxError('['.repeat(10_000) + ']'.repeat(10_000))).to.equal(undefined);
    expect(syntaxError('['.repeat(10_001))).to.equal('exceeded max depth');
    expect(syntaxError(`[x${'['.repeat(10_001)}`)).to.equal(
      "invalid character 'x' looking for beginning of value",
    );
  });

  it('takes what JSON.parse takes, and nothing else', () => {
    const fragment = fc.constantFrom(
      ...'{}[],:"-01.e\\u x\n\té',
      'true',
      'null',
      '"a"',
      '\\u00e9',
      '1.5',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(syntaxError(text) === undefined).to.equal(isJson);
      }),
      { numRuns: 2000 },
    );
  });
});
