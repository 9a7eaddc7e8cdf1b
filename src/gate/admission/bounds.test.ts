import { expect } from 'chai';
import { boundWarnings, cutAtCharacter, cutAtLine } from './bounds.js';

const more = (count: number): string => `and ${count} more`;

describe('cutAtLine', () => {
  const rows: [name: string, text: string, maxBytes: number, expected: string][] = [
    ['a text that fits', 'one\ntwo', 7, 'one\ntwo'],
    ['whole lines', `one\ntwo\n${'3'.repeat(30)}`, 24, 'one\ntwo\nand 1 more'],
    [
      'a first line that is too long',
      `${'1'.repeat(30)}\ntwo`,
      24,
      `${'1'.repeat(10)}…\nand 1 more`,
    ],
    ['one long line', 'a'.repeat(30), 20, `${'a'.repeat(6)}…`],
    ['characters of several bytes', 'ä'.repeat(30), 24, `${'ä'.repeat(5)}…`],
  ];
  for (const [name, text, maxBytes, expected] of rows) {
    it(name, () => {
      const cut = cutAtLine(text, maxBytes, more);
      expect(cut).to.equal(expected);
      expect(Buffer.byteLength(cut)).to.be.at.most(maxBytes);
    });
  }
});

describe('cutAtCharacter', () => {
  it('cuts between characters', () => {
    expect(cutAtCharacter('a😀b', 4)).to.equal('a');
    expect(cutAtCharacter('a😀b', 5)).to.equal('a😀');
  });
});

describe('boundWarnings', () => {
  it('keeps what the API server passes on, each on one line and once', () => {
    expect(boundWarnings(['a\n  b', 'a b', 'c'])).to.deep.equal(['a b', 'c']);
  });

  it('shortens and counts what it would drop', () => {
    const warnings = boundWarnings(
      Array.from({ length: 40 }, (_, index) => `${index}${'x'.repeat(400)}`),
    );
    expect(warnings.join('').length).to.be.at.most(4096);
    expect(warnings[0]).to.have.length(256);
    expect(warnings.at(-1)).to.match(/^and 2\d more warnings/);
  });
});
