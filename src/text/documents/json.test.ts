import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidInputError } from './error.js';
import { parseJson, stringifyJson } from './json.js';
import { isObject, NumberText, own, sameJson } from './value.js';

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
    ['{9999E9999 :1}', 'property name expected', 1, 2],
    ['', 'the input is empty', 1, 1],
    ['{"a":1', 'the input ends too early', 1, 7],
    ['{\n  "a": bad\n}', 'value expected', 2, 8],
    ['[1,]', 'value expected', 1, 4],
    ['{"a":1} x', 'end of file expected', 1, 9],
    ['[01]', 'comma expected', 1, 3],
    ['[1.]', 'comma expected', 1, 3],
    ['// no\n{}', 'value expected', 1, 1],
  ];
  for (const [text, reason, line, column] of refused) {
    it(`says where ${JSON.stringify(text)} is not JSON`, () => {
      const error = refusal(() => parseJson(text, { file: 'f.json' }));
      expect(error.code).to.equal('E_JSON');
      expect(error.message).to.include(reason);
      expect(error.where).to.deep.equal({ file: 'f.json', line, column });
    });
  }

  const nested = (levels: number, [before, after]: readonly [string, string], inner: string) =>
    before.repeat(levels) + inner + after.repeat(levels);
  const containers = [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const;
  for (const container of containers) {
    it(`reads, compares and writes ten thousand levels of ${container.join('')}`, () => {
      const text = nested(10_000, container, '1.0');
      const value = parseJson(text);
      expect(stringifyJson(value)).to.equal(text);
      expect(sameJson(value, parseJson(text))).to.equal(true);
      expect(sameJson(value, parseJson(nested(10_000, container, '1')))).to.equal(false);
    });

    it(`refuses more levels of ${container.join('')} than an API server reads with E_LIMIT`, () => {
      const error = refusal(() => parseJson(nested(10_011, container, '1')));
      expect(error.code).to.equal('E_LIMIT');
      expect(error.message).to.equal('nests 10011 levels deep; at most 10010 are read');
    });

    it(`says so when ten thousand levels of ${container.join('')} are not closed`, () => {
      expect(refusal(() => parseJson(container[0].repeat(10_000))).code).to.equal('E_JSON');
    });
  }

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
