import { expect } from 'chai';
import { parseJson, sameJson } from './index.js';

describe('sameJson', () => {
  const rows: [rule: string, left: string, right: string, same: boolean][] = [
    ['equal scalars', '"a"', '"a"', true],
    ['texts and numbers differ', '"1"', '1', false],
    ['null is not absent', '{"a":null}', '{}', false],
    ['keys in another order', '{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
    ['lists in another order', '[1,2]', '[2,1]', false],
    ['a list is no object', '[]', '{}', false],
    ['numbers by their text', '1.0', '1.0', true],
    ['1.0 is not 1', '1.0', '1', false],
    ['what objects inherit does not count', '{"toString":null}', '{"b":null}', false],
    ['__proto__ is a key', '{"__proto__":1}', '{"__proto__":2}', false],
  ];
  for (const [rule, left, right, same] of rows) {
    it(rule, () => {
      expect(sameJson(parseJson(left), parseJson(right))).to.equal(same);
      expect(sameJson(parseJson(right), parseJson(left))).to.equal(same);
    });
  }

  it('treats an absent value as equal only to an absent one', () => {
    expect(sameJson(undefined, null)).to.equal(false);
    expect(sameJson(undefined, undefined)).to.equal(true);
  });
});
