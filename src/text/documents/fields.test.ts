import { expect } from 'chai';
import { parseJson, type JsonValue } from './index.js';
import {
  flagAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from './fields.js';

const object: JsonValue = parseJson(
  '{"a":{"text":"x","flag":true,"texts":["p",1,null],"objects":[{},[],1],"big":9007199254740993},"labels":{"__proto__":"p","n":1}}',
);

describe('fields', () => {
  const rows: [rule: string, read: unknown, expected: unknown][] = [
    ['a text', textAt(object, 'a', 'text'), 'x'],
    ['a text that is none', textAt(object, 'a', 'flag'), undefined],
    ['a path through a text', textAt(object, 'a', 'text', 'length'), undefined],
    ['what Object.prototype has is absent', textAt(object, 'constructor', 'name'), undefined],
    ['a flag', flagAt(object, 'a', 'flag'), true],
    ['a flag that is a text', flagAt(object, 'a', 'text'), false],
    ['a number past 2^53', numberAt(object, 'a', 'big'), 9007199254740992],
    ['a list that is none', listAt(object, 'a', 'text'), []],
    ['texts among others', textsAt(object, 'a', 'texts'), ['p']],
    ['objects among others', objectsAt(object, 'a', 'objects'), [{}]],
    ['nothing in nothing', objectAt(undefined, 'a'), undefined],
    ['a map keeps __proto__', [...textMapAt(object, 'labels')], [['__proto__', 'p']]],
  ];
  for (const [rule, read, expected] of rows) {
    it(rule, () => expect(read).to.deep.equal(expected));
  }
});
