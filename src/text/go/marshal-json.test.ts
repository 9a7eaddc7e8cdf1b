import { expect } from 'chai';
import { parseJson } from '../documents/index.js';
import { encodeJson, marshalJson, marshalTexts } from './marshal-json.js';

describe('go: encoding/json', () => {
  const rows: [json: string, marshalled: string, encoded: string][] = [
    ['{"b":1,"a":[null,true,{}]}', '{"a":[null,true,{}],"b":1}', '{"a":[null,true,{}],"b":1}'],
    ['"<&>\u2028\u2029"', '"\\u003c\\u0026\\u003e\\u2028\\u2029"', '"<&>\\u2028\\u2029"'],
    ['"\\ud800"', '"\ufffd"', '"\ufffd"'],
    ['"\\\\ud800"', '"\\\\ud800"', '"\\\\ud800"'],
    ['9007199254740993', '9007199254740993', '9007199254740992'],
    ['18446744073709551615', '18446744073709552000', '18446744073709552000'],
    ['[1.0,1e3,4.20]', '[1,1000,4.2]', '[1,1000,4.2]'],
    ['-0', '0', '-0'],
    ['-0.0', '-0', '-0'],
    ['{"__proto__":[]}', '{"__proto__":[]}', '{"__proto__":[]}'],
  ];
  for (const [json, marshalled, encoded] of rows) {
    it(`writes ${json}`, () => {
      expect(marshalJson(parseJson(json))).to.equal(marshalled);
      expect(encodeJson(parseJson(json))).to.equal(encoded);
    });
  }

  it('writes a list of texts, and null for one that was never made', () => {
    expect(marshalTexts(['a', '<'])).to.equal('["a","\\u003c"]');
    expect(marshalTexts([])).to.equal('null');
  });

  it('writes ten thousand levels', () => {
    const text = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
    expect(marshalJson(parseJson(text))).to.equal(text);
  });
});
