import { expect } from 'chai';
import { checkExpression, CelMistakes, kubernetes, listOfType, types, typeText } from './index.js';

const variables = new Map([
  ['l', listOfType(types.string)],
  ['d', types.double],
  ['i', types.int],
]);

describe('checkExpression', () => {
  const rows: readonly (readonly [text: string, type: string])[] = [
    ['[] == l', 'bool'],
    ['[] in [l]', 'bool'],
    ['{}', 'map(dyn, dyn)'],
    ['.5 < d', 'bool'],
    ['{}.?a.b.hasValue()', 'bool'],
    ['[?l[?0]]', 'list(string)'],
    ['dyn([1.0]).sum()', 'dyn'],
    ['l.map(x, size(x))', 'list(int)'],
    ['optional.of(i).optMap(x, d)', 'optional_type(double)'],
    ['type(i)', 'type(int)'],
    ['i < 1.5', 'bool'],
  ];
  for (const [text, type] of rows) {
    it(`${text} is ${type}`, () => {
      expect(typeText(checkExpression(text, variables, kubernetes).type)).to.equal(type);
    });
  }

  const refused: readonly (readonly [text: string, mistake: string])[] = [
    ["1 + 'a'", "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
    ['x', "1:1: undeclared reference to 'x' (in container '')"],
    ['i.a', "1:2: type 'int' does not support field selection"],
    ['!i', "1:1: found no matching overload for '!_' applied to '(int)'"],
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ['i && true', "1:1: expected type 'bool' but found 'int'"],
    ['[1].all(x, x + 1)', "1:14: expected type 'bool' but found 'int'"],
    ["l.exists(x, x.matches('('))", '1:23: invalid matches argument'],
    ["duration('1')", '1:10: invalid duration argument'],
    ["'%d'.format(['a'])", '1:14: error during formatting: decimal clause can only be used on integers, was given string'],
  ]; // prettier-ignore
  for (const [text, mistake] of refused) {
    it(`refuses ${text}`, () => {
      let message = '';
      try {
        checkExpression(text, variables, kubernetes);
      } catch (error) {
        if (!(error instanceof CelMistakes)) throw error;
        message = error.message;
      }
      expect(message.split('\n')[0]?.replace('ERROR: <input>:', '')).to.equal(mistake);
    });
  }
});
