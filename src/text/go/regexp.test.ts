import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { samples } from '../../rule/testing/samples.js';
import { compilePattern, findAll } from './regexp.js';

const token = fc.constantFrom(
  ...[
    '^',
    '$',
    '.',
    '|',
    '(?:',
    '(?!',
    '(?=',
    '(?<a>',
    '(',
    ')',
    ')?',
    '*',
    '+',
    '?',
    '*?',
    '+?',
    '??',
    'a',
    'B',
    '0',
  ],
  ...[
    '{2}',
    '{2,}',
    '{01}',
    '{0,01}',
    '{0,3}',
    '{3,2}',
    '{12}?',
    '{99}',
    '[a-z]',
    '[z-a]',
    '[^a]',
    '[^]',
    '[]',
    '[^^]',
    '[a-z0-9.-]',
    '[\\w-]',
  ],
  ...['[^\\d]', '\\d', '\\w', '\\.', '\\-', '\\/', '-', '_', ' ', '/', '\\b', '\\pL', '(?i)', 'é'],
);
const pattern = fc
  .tuple(fc.constantFrom('^', ''), fc.array(token, { maxLength: 8 }))
  .map(([start, rest]) => start + rest.join(''));
const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'B', '0', '.', '-', '\n', 'é', ' '), { maxLength: 8 }))
  .map(([letters]) => letters.join(''));

describe('compilePattern', () => {
  it('takes, refuses and matches what RE2 does, texts of any length', () => {
    let taken = 0;
    fc.assert(
      fc.property(pattern, text, (source, short) => {
        // Go takes a name twice, which re2js does not.
        let name = 0;
        const named = source.replaceAll('(?<a>', () => `(?<a${name++}>`);
        let reference: RE2JS | undefined;
        try {
          reference = RE2JS.compile(named);
        } catch {
          // Refused.
        }
        const compiled = compilePattern(source);
        expect(typeof compiled === 'string', source).to.equal(reference === undefined);
        if (reference === undefined || typeof compiled === 'string') return;
        taken++;
        for (const each of [short, short.padEnd(300, short || 'a')]) {
          const matcher = reference.matcher(each);
          const first = matcher.find() ? [matcher.group()] : [];
          expect(compiled.test(each), `${source} in ${each}`).to.equal(first.length === 1);
          expect(findAll(source, each, 1), `${source} in ${each}`).to.deep.equal(first);
        }
      }),
      { numRuns: samples(600) },
    );
    expect(taken).to.be.above(samples(60));
  });

  it('finds an empty group where that is the first way', () => {
    const rows = [
      ['^(|a)?', 'a'],
      ['^(a*?)?', 'aa'],
      ['^b(?:|a)?', 'ba'],
      ['^(|a)??', 'a'],
      ['^a|b*b*c', 'bbc'],
    ] as const;
    for (const [source, each] of rows) {
      const matcher = RE2JS.compile(source).matcher(each);
      expect(matcher.find(), source).to.equal(true);
      expect(findAll(source, each, 1), source).to.deep.equal([matcher.group()]);
    }
  });

  it('answers at once, however many ways a backtracking engine would try', () => {
    const many = (part: string): string => part.repeat(60);
    for (const choices of ['(a|a)', '(?:a|a)', 'a?', '(a)?', '(a|)', 'a{0,1}', 'a??']) {
      const compiled = compilePattern(`^${many(choices)}${many('a')}b`) as RE2JS;
      expect(compiled.test(many('aa')), choices).to.equal(false);
      expect(compiled.test(`${many('aa')}b`), choices).to.equal(true);
    }
    const alternatives = compilePattern(`^(a|b)$|^a?${many('(a|a)')}$`) as RE2JS;
    expect(alternatives.test(`${many('a')}b`)).to.equal(false);
  });

  const refused: Record<string, string> = {
    '[^]': 'missing closing ]: `[^]`',
    'a\\': 'trailing backslash at end of expression: ``',
    ['('.repeat(1_001) + ')'.repeat(1_001)]:
      `expression nests too deeply: \`${'('.repeat(1_001) + ')'.repeat(1_001)}\``,
    '(a{999,}){2}': 'invalid repeat count: `{2}`',
  };
  for (const [source, reason] of Object.entries(refused)) {
    it(`says what Go says of ${source.slice(0, 20)}`, () => {
      expect(compilePattern(source)).to.equal(`error parsing regexp: ${reason}`);
    });
  }
});
