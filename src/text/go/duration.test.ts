import { expect } from 'chai';
import { parseDuration } from './numbers.js';

describe('parseDuration', () => {
  const rows: [text: string, expected: bigint | string][] = [
    ['30m0s', 1800000000000n],
    ['1.5h', 5400000000000n],
    ['-5m', -300000000000n],
    ['+1ms', 1000000n],
    ['0', 0n],
    ['.5s', 500000000n],
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['abc', 'time: invalid duration "abc"'],
    ['.s', 'time: invalid duration ".s"'],
    ['10', 'time: missing unit in duration "10"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['5é', String.raw`time: unknown unit "\xc3\xa9" in duration "5\xc3\xa9"`],
    ['"\n\\', String.raw`time: invalid duration "\"\x0a\\"`],
    ['1m30s', 90000000000n],
    ['250us', 250000n],
    ['9223372036854775807ns', 9223372036854775807n],
    ['-9223372036854775808ns', -9223372036854775808n],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['3000000h', 'time: invalid duration "3000000h"'],
    ['10 s', 'time: unknown unit " s" in duration "10 s"'],
    ['1h 2m', 'time: unknown unit "h " in duration "1h 2m"'],
  ];
  for (const [text, expected] of rows) {
    it(JSON.stringify(text), () => {
      const result = parseDuration(text);
      expect('error' in result ? result.error : result.nanoseconds).to.equal(expected);
    });
  }
});
