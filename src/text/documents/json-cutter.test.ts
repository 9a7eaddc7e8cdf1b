import { expect } from 'chai';
import fc from 'fast-check';
import { JsonCutter, LineSplitter } from './json-cutter.js';

const limits = { maxBytes: 1000, maxDepth: 10 };

function split(text: string, cuts: readonly number[]): string[] {
  const cutter = new JsonCutter(limits);
  const found = chunks(text, cuts).flatMap((chunk) => cutter.push(chunk));
  const rest = cutter.finish();
  return [...found, ...(rest === undefined ? [] : [rest])].map(
    (slice) => `${slice.line}:${slice.text}`,
  );
}

function chunks(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('JsonCutter', () => {
  const rows: { rule: string; text: string; objects: string[] }[] = [
    {
      rule: 'objects with and without space between',
      text: '{"a":1}{"b":2}\n\n {"c":3}',
      objects: ['1:{"a":1}', '1:{"b":2}', '3:{"c":3}'],
    },
    {
      rule: 'brackets and quotes in strings',
      text: '{"a":"}{\\"}"}\n{"b":"\\\\"}',
      objects: ['1:{"a":"}{\\"}"}', '2:{"b":"\\\\"}'],
    },
    {
      rule: 'long strings',
      text: `{"a":"${'x'.repeat(90)}\\"${'y'.repeat(90)}\\\\"}{}`,
      objects: [`1:{"a":"${'x'.repeat(90)}\\"${'y'.repeat(90)}\\\\"}`, '1:{}'],
    },
    {
      rule: 'what is no object, to the end of its line',
      text: '{}\nnope {\n{}',
      objects: ['1:{}', '2:nope {', '3:{}'],
    },
    { rule: 'an object that is cut off', text: '{"a":{"b"', objects: ['1:{"a":{"b"'] },
    { rule: 'letters of several bytes', text: '{"é":"😀"}\n{}', objects: ['1:{"é":"😀"}', '2:{}'] },
  ];
  for (const { rule, text, objects } of rows) {
    it(rule, () => {
      expect(split(text, [])).to.deep.equal(objects);
    });
    it(`${rule}, however the bytes come`, () => {
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 6 }), (cuts) => {
          expect(split(text, cuts)).to.deep.equal(objects);
        }),
        { numRuns: 50 },
      );
    });
  }

  it('refuses what is too deep or too large', () => {
    expect(() => split('['.repeat(11), [])).to.throw(/levels deep/);
    expect(() => split(`{"a":"${'x'.repeat(2000)}`, [])).to.throw(/more than 1000 bytes/);
  });
});

describe('LineSplitter', () => {
  it('cuts where a line begins with {, however the bytes come', () => {
    const text = '{"a":1}\n{\n  "b": {\n  }\n}\n{"c":3}\n';
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 6 }), (cuts) => {
        const splitter = new LineSplitter(1000);
        const found: string[] = [];
        for (const chunk of chunks(text, cuts)) {
          for (const { bytes, line } of splitter.push(chunk))
            found.push(`${line}:${bytes.toString()}`);
        }
        const rest = splitter.finish();
        if (rest !== undefined) found.push(`${rest.line}:${rest.bytes.toString()}`);
        expect(found).to.deep.equal(['1:{"a":1}\n', '2:{\n  "b": {\n  }\n}\n', '6:{"c":3}\n']);
      }),
      { numRuns: 100 },
    );
  });
});
