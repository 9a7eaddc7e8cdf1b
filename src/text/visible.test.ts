import { expect } from 'chai';
import fc from 'fast-check';
import { anyText } from './testing/any-text.js';
import { visible, visibleJson, visibleLines } from './visible.js';

describe('visible text', () => {
  const rows: [what: string, text: string, shown: string][] = [
    ['what can be seen', 'größe 東京 🚀 a\u200cb', 'größe 東京 🚀 a\u200cb'],
    ['colours and cursors', 'a\u001b[2K\rb\u009b1m\bc', 'a\\x1b[2K\\rb\\x9b1m\\x08c'],
    ['nothing', 'a\0b', 'a\\x00b'],
    ['lines', 'a\nb\tc\u2028d\u0085e', 'a\\nb\\tc\\u2028d\\x85e'],
    ['the order of letters', 'gpj.\u202eexe\u2066', 'gpj.\\u202eexe\\u2066'],
    ['what has no width', 'a\u200bb\ufeffc\u{e0041}', 'a\\u200bb\\ufeffc\\U000e0041'],
    ['half a letter', 'a\ud800', 'a\\ud800'],
  ];
  for (const [what, text, shown] of rows) {
    it(what, () => expect(visible(text)).to.equal(shown));
  }

  it('keeps line breaks on request', () => {
    expect(visibleLines('a\n\tb\r\n')).to.equal('a\n\tb\\r\n');
  });

  it('writes JSON that means what it meant', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const written = visibleJson(JSON.stringify({ [text]: text }, undefined, 2));
        expect(JSON.parse(written)).to.deep.equal({ [text]: text });
        expect(visibleLines(written)).to.equal(written);
      }),
    );
  });

  it('does not escape twice', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visible(visible(text))).to.equal(visible(text));
        // eslint-disable-next-line no-control-regex -- these are what is looked for
        expect(visible(text)).to.match(/^[^\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]*$/);
      }),
    );
  });
});
