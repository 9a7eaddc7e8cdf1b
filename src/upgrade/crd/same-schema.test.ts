import { expect } from 'chai';
import { isObject, NumberText, parseJson, type JsonObject } from '../../text/documents/index.js';
import { SameValues, sameLeaf } from './same-schema.js';

function schema(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error('not a schema');
  return value;
}

const sameSchema = (left: JsonObject, right: JsonObject): boolean =>
  new SameValues().same(left, right);

describe('schemas that are the same', () => {
  const rows: [rule: string, left: string, right: string, leaf: boolean, deep: boolean][] = [
    [
      'equal keywords',
      '{"type":"string","maxLength":3}',
      '{"maxLength":3,"type":"string"}',
      true,
      true,
    ],
    ['one more keyword', '{"type":"string"}', '{"type":"string","maxLength":3}', false, false],
    ['one keyword less', '{"type":"string","maxLength":3}', '{"type":"string"}', false, false],
    ['another value', '{"type":"string"}', '{"type":"integer"}', false, false],
    ['a keyword that objects inherit', '{"toString":1}', '{"type":1}', false, false],
    ['a list is no leaf', '{"required":["a"]}', '{"required":["a"]}', false, true],
    [
      'an empty list may be dropped on one side',
      '{"required":[]}',
      '{"required":[]}',
      false,
      false,
    ],
    ['null may mean nothing', '{"default":null}', '{"default":null}', false, false],
    ['an empty object too', '{"default":{}}', '{"default":{}}', false, false],
    ['a default with content', '{"default":{"a":[1]}}', '{"default":{"a":[1]}}', false, true],
    ['a number that keeps its text', '{"minimum":1.0}', '{"minimum":1.0}', false, false],
    [
      'fields below',
      '{"properties":{"a":{"type":"string"},"__proto__":{"type":"string"}}}',
      '{"properties":{"a":{"type":"string"},"__proto__":{"type":"string"}}}',
      false,
      true,
    ],
    [
      'a field named __proto__ that differs',
      '{"properties":{"__proto__":{"type":"string"}}}',
      '{"properties":{"__proto__":{"type":"integer"}}}',
      false,
      false,
    ],
    [
      'a field with another name',
      '{"properties":{"a":{"type":"x"}}}',
      '{"properties":{"toString":{"type":"x"}}}',
      false,
      false,
    ],
    ['fields that are none', '{"properties":"a"}', '{"properties":"a"}', false, true],
    ['no fields', '{"properties":{}}', '{"properties":{}}', false, false],
    ['a field that is no schema', '{"properties":{"a":3}}', '{"properties":{"a":3}}', false, true],
    ['items', '{"items":{"type":"string"}}', '{"items":{"type":"string"}}', false, true],
    ['items that are no schema', '{"items":true}', '{"items":true}', false, false],
    ['alternatives', '{"anyOf":[{"type":"x"}]}', '{"anyOf":[{"type":"x"}]}', false, true],
    [
      'alternatives that differ',
      '{"anyOf":[{"type":"x"}]}',
      '{"anyOf":[{"type":"y"}]}',
      false,
      false,
    ],
    ['alternatives that are no schemas', '{"anyOf":[3]}', '{"anyOf":[3]}', false, true],
    [
      'more alternatives',
      '{"anyOf":[{"type":"x"}]}',
      '{"anyOf":[{"type":"x"},{"type":"y"}]}',
      false,
      false,
    ],
  ];
  for (const [rule, left, right, leaf, deep] of rows) {
    it(rule, () => {
      expect(sameLeaf(schema(left), schema(right)), 'as leaves').to.equal(leaf);
      expect(sameSchema(schema(left), schema(right)), 'to the bottom').to.equal(deep);
    });
  }

  it('does not take one number with a text for the same as another', () => {
    const one = (): JsonObject => ({ minimum: new NumberText('1.0') });
    expect(sameSchema(one(), one())).to.equal(false);
  });
});
