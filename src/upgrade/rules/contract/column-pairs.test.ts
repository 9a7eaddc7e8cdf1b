import { expect } from 'chai';
import { normalizedJsonPath } from './printer-columns.js';

describe('a column’s JSONPath', () => {
  const rows: [one: string, other: string, isSame: boolean][] = [
    [
      '.status.conditions[?(@.type=="Ready")].status',
      '.status.conditions[?(@.type == "Ready")].status',
      true,
    ],
    [
      '.status.conditions[?(@.type=="Ready")].status',
      ".status.conditions[?( @.type == 'Ready' )].status",
      true,
    ],
    ['.items[?(@.name=="a b")]', '.items[?(@.name=="ab")]', false],
    [".items[?(@.name=='a\"b')]", ".items[?(@.name=='a\" b')]", false],
    [".items[?(@.name=='')]", '.items[?(@.name=="")]', true],
    ['.spec.size', '.spec.sizes', false],
  ];
  for (const [one, other, isSame] of rows) {
    it(`${one} ${isSame ? 'reads what' : 'reads something else than'} ${other} reads`, () => {
      const [left, right] = [one, other].map((jsonPath) => normalizedJsonPath({ jsonPath }));
      expect(left === right).to.equal(isSame);
    });
  }
});
