import { expect } from 'chai';
import { parseJson } from '../documents/index.js';
import { formatBool, formatValue, typeName } from './marshal-json.js';

describe('go: fmt', () => {
  const rows: [json: string, float64: string, int64: string, bool: string][] = [
    ['null', '<nil>', '<nil>', '%!t(<nil>)'],
    ['true', 'true', 'true', 'true'],
    ['"a"', 'a', 'a', '%!t(string=a)'],
    ['1000000', '1e+06', '1000000', '%!t(float64=1e+06)'],
    ['1.0', '1', '1', '%!t(float64=1)'],
    [
      '9007199254740993',
      '9.007199254740992e+15',
      '9007199254740993',
      '%!t(float64=9.007199254740992e+15)',
    ],
    ['[]', '[]', '[]', '[]'],
    ['{}', 'map[]', 'map[]', 'map[]'],
    [
      '[1,[null,"b c"]]',
      '[1 [<nil> b c]]',
      '[1 [<nil> b c]]',
      '[%!t(float64=1) [<nil> %!t(string=b c)]]',
    ],
    [
      '{"b":{"\u{1f600}":1,"\uff5e":2},"a":false}',
      'map[a:false b:map[\uff5e:2 \u{1f600}:1]]',
      'map[a:false b:map[\uff5e:2 \u{1f600}:1]]',
      'map[%!t(string=a):false %!t(string=b):map[%!t(string=\uff5e):%!t(float64=2) %!t(string=\u{1f600}):%!t(float64=1)]]',
    ],
  ];
  for (const [json, float64, int64, bool] of rows) {
    it(`prints ${json}`, () => {
      const value = parseJson(json);
      expect(formatValue(value, 'float64')).to.equal(float64);
      expect(formatValue(value, 'int64')).to.equal(int64);
      expect(formatBool(value)).to.equal(bool);
    });
  }

  const types: [json: string, float64: string, int64: string][] = [
    ['1', 'float64', 'int64'],
    ['1.0', 'float64', 'float64'],
    ['18446744073709551615', 'float64', 'float64'],
    ['[1]', '[]interface {}', '[]interface {}'],
    ['{}', 'map[string]interface {}', 'map[string]interface {}'],
    ['null', '<nil>', '<nil>'],
    ['"a"', 'string', 'string'],
    ['true', 'bool', 'bool'],
  ];
  for (const [json, float64, int64] of types) {
    it(`names the type of ${json}`, () => {
      expect(typeName(parseJson(json), 'float64')).to.equal(float64);
      expect(typeName(parseJson(json))).to.equal(int64);
    });
  }

  it('prints ten thousand levels', () => {
    const levels = 10_000;
    const value = parseJson('['.repeat(levels) + ']'.repeat(levels));
    expect(formatValue(value)).to.equal('['.repeat(levels) + ']'.repeat(levels));
  });
});
