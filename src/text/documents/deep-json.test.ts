import { expect } from 'chai';
import fc from 'fast-check';
import { writeDeepJson } from './json.js';
import { NumberText } from './value.js';

describe('documents: deep JSON', () => {
  it('writes what JSON.stringify writes, on one line and indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(writeDeepJson(value, indent)).to.equal(JSON.stringify(value, undefined, indent));
      }),
    );
  });

  const odd: [string, unknown][] = [
    ['members that are undefined', { a: undefined, b: [undefined], c: () => 1 }],
    ['what knows its own JSON', { at: new Date(0), list: [{ toJSON: (key: string) => key }] }],
    ['__proto__ as a name', JSON.parse('{"__proto__":{"a":1}}')],
    ['nothing', undefined],
  ];
  for (const [name, value] of odd) {
    it(`writes ${name} as JSON.stringify does`, () => {
      expect(writeDeepJson(value)).to.equal(JSON.stringify(value) ?? 'null');
      expect(writeDeepJson(value, 2)).to.equal(JSON.stringify(value, undefined, 2) ?? 'null');
    });
  }

  it('keeps the notation of numbers', () => {
    expect(writeDeepJson({ a: [new NumberText('1.0')] })).to.equal('{"a":[1.0]}');
  });
});
