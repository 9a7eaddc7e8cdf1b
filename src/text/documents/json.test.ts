import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidInputError } from './error.js';
import { parseJson, stringifyJson } from './json.js';
import { isObject, NumberText, own } from './value.js';

describe('documents: JSON', () => {
  const kept = ['9007199254740993', '1.0', '1e400', '1e3', '-0', '-1.50', '12345678901234567890'];
  for (const text of kept) {
    it(`keeps the number ${text}`, () => {
      const value = parseJson(`{"a":[${text}, "${text}"]}`);
      expect(stringifyJson(value)).to.equal(`{"a":[${text},"${text}"]}`);
      expect(isObject(value) && Array.isArray(value['a']) && value['a'][0]).to.be.instanceOf(
        NumberText,
      );
    });
  }

  for (const text of [
    '0',
    '-1',
    '42',
    '0.5',
    '-2.25',
    '9007199254740991',
    '100000000000000000000',
  ]) {
    it(`reads ${text} as a plain number`, () => {
      expect(parseJson(text)).to.equal(Number(text));
    });
  }

  it('takes __proto__, constructor and toString for ordinary names', () => {
    const value = parseJson('{"__proto__":{"x":1.0},"constructor":2,"toString":3}');
    expect(isObject(value) && Object.keys(value)).to.deep.equal([
      '__proto__',
      'constructor',
      'toString',
    ]);
    expect(stringifyJson(value)).to.equal('{"__proto__":{"x":1.0},"constructor":2,"toString":3}');
    expect(own({}, 'toString')).to.equal(undefined);
  });

  const refused: [string, string, number, number][] = [
    ['', 'the input is empty', 1, 1],
    ['{"a":1', 'the input ends too early', 1, 7],
    ['{\n  "a": bad\n}', 'invalid symbol', 2, 8],
    ['[1,]', 'value expected', 1, 4],
    ['{"a":1} x', 'invalid symbol', 1, 9],
    ['[01]', 'comma expected', 1, 3],
    ['[1.]', 'unexpected end of number', 1, 2],
    ['// no\n{}', 'invalid comment token', 1, 1],
  ];
  for (const [text, reason, line, column] of refused) {
    it(`says where ${JSON.stringify(text)} is not JSON`, () => {
      const error = refusal(() => parseJson(text, { file: 'f.json' }));
      expect(error.code).to.equal('E_JSON');
      expect(error.message).to.include(reason);
      expect(error.where).to.deep.equal({ file: 'f.json', line, column });
    });
  }

  it('refuses ten thousand levels with E_LIMIT', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(refusal(() => parseJson(deep)).code).to.equal('E_LIMIT');
  });

  it('refuses an input past the limit of bytes', () => {
    expect(refusal(() => parseJson('"abcdef"', { maxBytes: 4 })).code).to.equal('E_LIMIT');
  });

  it('agrees with JSON.parse on everything that JavaScript can print back', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseJson(text))).to.equal(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('writes back every number literal as it stood', () => {
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.bigInt({ min: 0n, max: 10n ** 25n }),
        fc.constantFrom('', '.0', '.10', 'e5', 'E-3', 'e+400'),
      )
      .map(([sign, digits, rest]) => `${sign}${digits}${rest}`);
    fc.assert(
      fc.property(fc.array(literal), (literals) => {
        const text = `[${literals.join(',')}]`;
        expect(stringifyJson(parseJson(text))).to.equal(text);
      }),
    );
  });
});

function refusal(run: () => unknown): InvalidInputError {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
