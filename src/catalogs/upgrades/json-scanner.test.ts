import { expect } from 'chai';
import { JsonScanner, JsonSyntaxError } from './json-scanner.js';

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
      const scanner = new JsonScanner(text);
      expect(() => {
        scanner.value();
        scanner.end();
      })
        .to.throw(JsonSyntaxError)
        .with.property('message', message);
    });
  }
  it('gives a value as it is written', () => {
    expect(new JsonScanner(' { "a" : [1.0, "\\u0041"] } , ').value()).to.equal(
      '{ "a" : [1.0, "\\u0041"] }',
    );
  });
});
