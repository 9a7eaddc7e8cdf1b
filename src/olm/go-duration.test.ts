import { expect } from 'chai';
import { parseGoDuration } from './go-duration.js';

describe('parseGoDuration', () => {
  const rows: [text: string, expected: number | string][] = [
    ['30m0s', 1800e9],
    ['1.5h', 5400e9],
    ['-5m', -300e9],
    ['+1ms', 1e6],
    ['0', 0],
    ['.5s', 5e8],
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['abc', 'time: invalid duration "abc"'],
    ['.s', 'time: invalid duration ".s"'],
    ['10', 'time: missing unit in duration "10"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['5é', String.raw`time: unknown unit "\xc3\xa9" in duration "5\xc3\xa9"`],
    ['"\n\\', String.raw`time: invalid duration "\"\x0a\\"`],
    ['1h 2m', 'time: unknown unit "h " in duration "1h 2m"'],
  ];
  for (const [text, expected] of rows) {
    it(JSON.stringify(text), () => {
      const result = parseGoDuration(text);
      expect('error' in result ? result.error : result.nanoseconds).to.equal(expected);
    });
  }
});
