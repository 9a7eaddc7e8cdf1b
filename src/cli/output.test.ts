import { expect } from 'chai';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { guarded, type Form } from './output.js';
import { anyText } from '../text/testing/any-text.js';
import { samples } from '../rule/testing/samples.js';

/** What a runner obeys: GitHub's of either age, Azure's, TeamCity's. */
const commands = /^\s*::|##(?:vso|teamcity)?\[/im;

describe('what a command writes', () => {
  const rows: [what: string, form: Form, text: string, sent: string][] = [
    [
      'a command at the beginning of a line',
      'lines',
      'a\n  ::set-output name=x::y\n',
      'a\n  \\x3a:set-output name=x::y\n',
    ],
    ['one in the middle of a line', 'lines', 'a ##[group]b', 'a \\x23#[group]b'],
    ['one of Azure', 'lines', 'a ##VSO[task.setvariable]b', 'a \\x23#VSO[task.setvariable]b'],
    ['colons that are no command', 'lines', 'a::b\nhttps://[::1]:1', 'a::b\nhttps://[::1]:1'],
    ['our own annotations', 'github', '::error title=x::a##[b]\n', '::error title=x::a\\x23#[b]\n'],
    ["somebody else's", 'github', '::set-output name=x::y\n', '\\x3a:set-output name=x::y\n'],
    ['our own colours', 'coloured lines', '\u001b[1ma\u001b[22m', '\u001b[1ma\u001b[22m'],
    ['other sequences', 'coloured lines', '\u001b[8ma\u001b[2K', '\\x1b[8ma\\x1b[2K'],
    ['colours without a terminal', 'lines', '\u001b[1ma', '\\x1b[1ma'],
    ['JSON', 'json', '{"a": "\u009b##[x]\u202e"}', '{"a": "\\u009b\\u0023#[x]\\u202e"}'],
    ['markup', 'markup', '<p>\n::x ##[y]\u0000</p>', '<p>\n&#58;:x &#35;#[y]\\x00</p>'],
    ['YAML', 'yaml', 'a: b\n', 'a: b\n'],
    ['YAML that hides something', 'yaml', 'a: b\u202e\n', '{\n  "a": "b\\u202e"\n}\n'],
    ['YAML with a command', 'yaml', 'a: |\n  ::x\n', '{\n  "a": "::x\\n"\n}\n'],
  ];
  for (const [what, form, text, sent] of rows) {
    it(what, () => expect(guarded(text, form)).to.equal(sent));
  }

  it('never contains a workflow command, in any form', () => {
    const piece = fc.oneof(
      anyText,
      fc.constantFrom(
        '::',
        ' ::error::',
        '##[',
        '##vso[',
        '#',
        '\n',
        '\r',
        '\u2028',
        ' ',
        '\u001b',
      ),
    );
    const anyLines = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(anyLines, (text) => {
        for (const form of ['lines', 'coloured lines', 'markup', 'github'] as const) {
          const sent = guarded(text, form);
          const others =
            form === 'github' ? sent.replaceAll(/^::(?:error|warning|notice) /gm, '') : sent;
          expect(others).not.to.match(commands);
          // eslint-disable-next-line no-control-regex -- these are what is looked for
          expect(sent).not.to.match(/[\0-\x08\x0b-\x1a\x7f-\x9f\u2028-\u202e]/);
        }
        const json = JSON.stringify({ text }, undefined, 2);
        expect(JSON.parse(guarded(json, 'json'))).to.deep.equal({ text });
        expect(guarded(json, 'json')).not.to.match(commands);
        expect(load(guarded(json, 'yaml'))).to.deep.equal({ text });
        expect(guarded(json, 'yaml')).not.to.match(commands);
      }),
      { numRuns: samples(10) },
    );
  });
});
