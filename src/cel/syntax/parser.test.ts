import { expect } from 'chai';
import { kubernetes } from '../index.js';
import { showMistakes } from './recovery.js';
import { parse } from './parser.js';

/** Without the line of the expression and the mark below it. */
function mistakesOf(text: string): string[] {
  const { mistakes } = parse(text, kubernetes);
  const shown = showMistakes(text, mistakes);
  return shown.split('\n').flatMap((line) => (line.startsWith('ERROR') ? [line.slice(15)] : []));
}

describe('parse', () => {
  for (const text of [
    '[?x]',
    "{?'k': v}",
    'a.?b[?c]',
    '.5 < 1.0',
    'a.b.c(1)[2].d',
    '- 1',
    '[1, 2,]',
  ]) {
    it(`reads ${text}`, () => {
      expect(mistakesOf(text)).to.deep.equal([]);
    });
  }

  const refused: readonly (readonly [text: string, ...mistakes: string[]])[] = [
    ['(1', "1:3: Syntax error: missing ')' at '<EOF>'"],
    ['[1][3:]', "1:6: Syntax error: extraneous input ':' expecting ']'"],
    ['has(1)', '1:5: invalid argument to has() macro'],
    ['9223372036854775808', '1:1: invalid int literal'],
    ['[1].all(x.y, true)', '1:10: argument must be a simple name'],
    ['a b', "1:3: Syntax error: extraneous input 'b' expecting <EOF>"],
  ];
  for (const [text, ...mistakes] of refused) {
    it(`refuses ${text}`, () => {
      expect(mistakesOf(text)).to.deep.equal(mistakes);
    });
  }

  it('ends where cel-go ends: at 250 levels and a hundred mistakes', () => {
    expect(mistakesOf(`${'('.repeat(200)}1${')'.repeat(200)}`)).to.deep.equal([]);
    for (const open of ['(', '[', '{1:', '!(', 'f(', 'a?b:(']) {
      const mistakes = mistakesOf(open.repeat(5000));
      expect(mistakes[0]).to.contain('recursion limit exceeded: 250');
    }
    expect(mistakesOf('? '.repeat(5000)).length).to.be.at.most(101);
  });

  it('does not read an expression that is too long', () => {
    expect(mistakesOf('1+'.repeat(60_000)).join()).to.contain('size exceeds limit');
  });
});
