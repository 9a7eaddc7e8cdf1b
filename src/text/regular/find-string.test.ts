import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { findString, type StringAnswer, type StringQuestion } from './find-string.js';
import { samples } from '../../rule/testing/samples.js';

const label = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

describe('containment: strings of patterns', () => {
  const rows: [string, StringQuestion, StringAnswer][] = [
    ['a shortest match', { matches: ['^v[0-9]+$'] }, { kind: 'found', text: 'v0' }],
    ['a search matches anywhere', { matches: ['b'], misses: '^b' }, { kind: 'found', text: 'ab' }],
    [
      'a label is a subdomain',
      { matches: [label], misses: `${label.slice(0, -1)}(\\.[a-z0-9]+)*$` },
      { kind: 'none' },
    ],
    [
      'a subdomain is not a label',
      { matches: ['^[a-z0-9.]+$'], misses: label },
      { kind: 'found', text: '.' },
    ],
    ['too long', { matches: ['^a*$'], minLength: 4 }, { kind: 'found', text: 'aaaa' }],
    ['no room', { matches: ['^a{3,5}$'], minLength: 6 }, { kind: 'none' }],
    ['no room above', { matches: ['^a{3,5}$'], maxLength: 2 }, { kind: 'none' }],
    ['a choice', { matches: ['^(a|b)$'], misses: '^[ab]$' }, { kind: 'none' }],
    [
      'a choice with more',
      { matches: ['^(a|b|c)$'], misses: '^[ab]$' },
      { kind: 'found', text: 'c' },
    ],
    [
      'a length alone, too long to be made',
      { matches: [], minLength: 100_001 },
      { kind: 'unknown' },
    ],
    [
      'a length that no search reaches',
      { matches: ['a+'], minLength: Number.MAX_SAFE_INTEGER },
      { kind: 'unknown' },
    ],
    [
      'a length below none',
      { matches: ['^[ab]+$'], misses: '^a+$', minLength: -1 },
      { kind: 'found', text: 'b' },
    ],
    [
      'a length between two, which a schema may ask though Kubernetes refuses it',
      { matches: ['^a+$'], minLength: 1.5 },
      { kind: 'found', text: 'aa' },
    ],
    ['a length below none alone', { matches: [], minLength: -1 }, { kind: 'found', text: '' }],
    ['two patterns at once', { matches: ['^[ab]*$', 'b.$'] }, { kind: 'found', text: 'ba' }],
    ['no pattern: every string', { matches: [], misses: 'a' }, { kind: 'found', text: '' }],
    ['(?i) is two cases', { matches: ['^(?i)ab$'], misses: '^[aA][bB]$' }, { kind: 'none' }],
    [
      '(?i) holds for the other alternatives of its group too',
      { matches: ['(?i)^a$|^b$'], misses: '^[aA]$|^b$' },
      { kind: 'found', text: 'B' },
    ],
    ['and for none outside', { matches: ['^((?i)a|c)d$'], misses: '^[aAcC]d$' }, { kind: 'none' }],
    ['(?i) takes letters beyond ASCII for words', { matches: ['(?i)^\\w$'] }, { kind: 'unknown' }],
    [
      'what \\Q quotes is repeated in part',
      { matches: ['^\\Qab\\E*$'], misses: '^(ab)*$' },
      { kind: 'unknown' },
    ],
    ['nothing before a count', { matches: ['^(?:{2}a)$'] }, { kind: 'unknown' }],
    ['flags are not repeated', { matches: ['^a(?i){2}$'] }, { kind: 'unknown' }],
    [
      'a count with a zero in front is text',
      { matches: ['^a{01}$'] },
      { kind: 'found', text: 'a{01}' },
    ],
    [
      'one of listed texts',
      { matches: ['.b', '^(?:a\\|b|\\\\|cb|b)$'], misses: '^c' },
      { kind: 'found', text: 'a|b' },
    ],
    [
      'none of listed texts',
      { matches: ['^(?:ab|c)$'], minLength: 2, misses: 'b' },
      { kind: 'none' },
    ],
    ['the empty one of listed texts', { matches: ['^(?:a|)$'] }, { kind: 'found', text: '' }],
    ['an escaped dot', { matches: ['^a.b$'], misses: '^a\\.b$' }, { kind: 'found', text: 'aab' }],
    ['more than the empty string', { matches: [], misses: '$^' }, { kind: 'found', text: 'a' }],
    ['the empty string', { matches: ['^$|^a$'], misses: 'a' }, { kind: 'found', text: '' }],
    [
      'characters past the halves of surrogate pairs are there too',
      { matches: [], misses: '^[\\x00-\\x{D7FF}\\x{E000}-\\x{FFFF}]*$' },
      { kind: 'found', text: '\u{10000}' },
    ],
    [
      'the halves of surrogate pairs are no characters',
      { matches: [], misses: '^[\\x00-\\x{D7FF}\\x{E000}-\\x{10FFFF}]*$' },
      { kind: 'none' },
    ],
    ...[0xd7ff, 0xe000, 0xfffd, 0x10000].map((point): [string, StringQuestion, StringAnswer] => {
      const without = [
        `\\x00-\\x{${(point - 1).toString(16)}}`,
        `\\x{${(point + 1).toString(16)}}`,
      ];
      return [
        `U+${point.toString(16)} is told from its neighbours`,
        { matches: [], misses: `^[${without.join('')}-\\x{10ffff}]*$` },
        { kind: 'found', text: String.fromCodePoint(point) },
      ];
    }),
    ['word boundaries are not followed', { matches: ['\\ba'] }, { kind: 'unknown' }],
    ['Unicode classes are not followed', { matches: ['\\pL'] }, { kind: 'unknown' }],
  ];
  for (const [title, question, answer] of rows) {
    it(title, () => expect(findString(question)).to.deep.equal(answer));
  }

  it('end early when nobody waits any more, and are looked for anew by the next', () => {
    const question = { matches: ['^[ab]*a[ab]{8}$'], misses: '^[ab]*a[ab]{8}c?$' };
    const budget = {
      ...{ left: Infinity, spend: () => undefined, check: () => undefined },
      strings: new Map<string, StringAnswer>(),
    };
    const check = (): never => {
      throw new Error('gone');
    };
    expect(() => findString(question, { ...budget, check })).to.throw('gone');
    expect(findString(question, budget)).to.deep.equal({ kind: 'none' });
  });

  it('pay for each state that they visit, once for each question', () => {
    // After n characters the automaton is in one of 2^n sets of up to n states.
    const spent = (count: number, times = 1): number => {
      let sum = 0;
      const budget = {
        ...{ left: Infinity, spend: (values: number) => (sum += values), check: () => undefined },
        strings: new Map<string, StringAnswer>(),
      };
      const question = { matches: [`^[ab]*a[ab]{${count}}$`], misses: `^[ab]*a[ab]{${count}}c?$` };
      for (let time = 0; time < times; time++) findString(question, budget);
      return sum;
    };
    expect(spent(8)).to.be.greaterThan(2 ** 8 * 8);
    expect(spent(8, 10)).to.equal(spent(8) + 9);
    expect(spent(8) / spent(6)).to.be.greaterThan(4);
    expect(spent(300)).to.be.lessThan(100_000);
  });

  const piece = fc.constantFrom(
    'a',
    'b',
    '[ab]',
    '.',
    'a*',
    'b+',
    '(a|b)?',
    '[^a]',
    'a{1,2}',
    '(?:ab|b)*',
    '\\d',
    '(?i)',
    '|',
    '(?:(?i)a|b)',
    '\\Qab\\E',
    '{01}',
  );
  const pattern = fc
    .tuple(fc.constantFrom('', '^'), fc.array(piece, { maxLength: 4 }), fc.constantFrom('', '$'))
    .map(([start, pieces, end]) => `${start}${pieces.join('')}${end}`);

  it('finds what RE2 agrees with, and none only where no short string is one', () => {
    const short = [
      '',
      ...'ab1',
      ...['aa', 'ab', 'ba', 'bb', 'a1', '1b', 'aab', 'aba', 'bab', 'abb', 'A', 'B', 'aB', 'a{01}'],
    ];
    fc.assert(
      fc.property(pattern, pattern, (matches, misses) => {
        const answer = findString({ matches: [matches], misses });
        const holds = (text: string): boolean =>
          RE2JS.compile(matches).matcher(text).find() &&
          !RE2JS.compile(misses).matcher(text).find();
        if (answer.kind === 'found') expect(holds(answer.text), answer.text).to.equal(true);
        if (answer.kind === 'none') expect(short.filter(holds)).to.deep.equal([]);
      }),
      { numRuns: samples(20) },
    );
  });
});
