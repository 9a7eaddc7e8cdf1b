import { expect } from 'chai';
import { formatPointer, readPointer } from './json-pointer.js';

describe('JSON Pointers', () => {
  const rows: [string, string[]][] = [
    ['', []],
    ['/', ['']],
    ['/spec/versions/0', ['spec', 'versions', '0']],
    ['/a~1b/c~0d', ['a/b', 'c~d']],
    ['/~01', ['~1']],
  ];
  for (const [pointer, keys] of rows) {
    it(`read and written: "${pointer}"`, () => {
      expect(readPointer(pointer)).to.deep.equal(keys);
      expect(formatPointer(keys)).to.equal(pointer);
    });
  }
});
