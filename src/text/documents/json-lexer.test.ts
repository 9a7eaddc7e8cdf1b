import { expect } from 'chai';
import fc from 'fast-check';
import { JsonLexer, kinds } from './json-lexer.js';
import { samples } from '../../rule/testing/samples.js';

function tokens(text: string): string[] {
  const lexer = new JsonLexer(text);
  const found: string[] = [];
  while (lexer.next() !== kinds.end) found.push(text.slice(lexer.start, lexer.end));
  return found;
}

describe('documents: tokens of JSON', () => {
  const rows: [text: string, found: string[]][] = [
    ['', []],
    [' \t\r\n', []],
    [
      '{"a": [1, -2.5e+3, true]}',
      ['{', '"a"', ':', '[', '1', ',', '-2.5e+3', ',', 'true', ']', '}'],
    ],
    [
      String.raw`["\"","\\","\\\""]`,
      ['[', String.raw`"\""`, ',', String.raw`"\\"`, ',', String.raw`"\\\""`, ']'],
    ],
    [`"${'x'.repeat(50)}\\"y" "z"`, [`"${'x'.repeat(50)}\\"y"`, '"z"']],
    ['nope/é', ['nope', '/', 'é']],
    ['"never ends', ['"never ends']],
  ];
  for (const [text, found] of rows) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(tokens(text)).to.deep.equal(found);
    });
  }

  it('counts the lines between tokens', () => {
    const lexer = new JsonLexer('[\n\n"a\nb"\n]');
    const lines: number[] = [];
    while (lexer.next() !== kinds.end) lines.push(lexer.line);
    expect(lines).to.deep.equal([1, 3, 4]);
  });

  it('passes over everything but brackets and numbers', () => {
    const text = '{"[1": [true, 12, "}"], "\\"": {}}';
    const lexer = new JsonLexer(text);
    const found: string[] = [];
    while (lexer.skim() !== kinds.end) found.push(text.slice(lexer.start, lexer.end));
    expect(found).to.deep.equal(['{', '[', '12', ']', '{', '}', '}']);
  });

  it('finds the same brackets however the text comes', () => {
    const brackets = (pieces: readonly string[]): string[] => {
      const lexer = new JsonLexer();
      const found: string[] = [];
      for (const piece of pieces) {
        lexer.feed(piece);
        for (let kind = lexer.next(); kind !== kinds.end; kind = lexer.next()) {
          const isBracket = kind >= kinds.openList && kind <= kinds.closeObject;
          if (isBracket) found.push(`${lexer.line}${String.fromCharCode(kind)}`);
        }
      }
      return [...found, lexer.isInString ? 'in a string' : ''];
    };
    const text = fc.stringMatching(/^[[\]{}"\\ \n:,a1-]{0,60}$/);
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 5 }), (whole, cuts) => {
        const ends = [...cuts, whole.length].sort((left, right) => left - right);
        const pieces = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
        expect(brackets(pieces)).to.deep.equal(brackets([whole]));
      }),
      { numRuns: samples(500) },
    );
  });
});
