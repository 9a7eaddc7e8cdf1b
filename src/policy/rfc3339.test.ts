import { expect } from 'chai';
import { parseEnd, parseTime } from './rfc3339.js';

describe('points in time', () => {
  const rows: [text: string, time: number | undefined][] = [
    ['2026-12-31T00:00:00Z', Date.UTC(2026, 11, 31)],
    ['2026-12-31t00:00:00z', Date.UTC(2026, 11, 31)],
    ['2026-12-31T23:59:59.25+01:30', Date.UTC(2026, 11, 31, 22, 29, 59, 250)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2026-02-29T00:00:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-12-00T00:00:00Z', undefined],
    ['2026-12-31T24:00:00Z', undefined],
    ['2026-12-31T23:60:00Z', undefined],
    ['2026-12-31T23:59:60Z', undefined],
    ['2026-12-31T23:59:59+24:00', undefined],
    ['2026-12-31T23:59:59+01:60', undefined],
    ['2026-12-31T23:59:59', undefined],
    ['2026-12-31 23:59:59Z', undefined],
    ['2026-12-31', undefined],
    ['', undefined],
  ];
  for (const [text, time] of rows) {
    it(`${JSON.stringify(text)} is ${time === undefined ? 'none' : 'one'}`, () => {
      expect(parseTime(text)).to.equal(time);
    });
  }

  it('an exemption may also end with a date, at its first moment', () => {
    expect(parseEnd('2026-12-31')).to.equal(Date.UTC(2026, 11, 31));
    expect(parseEnd('2026-12-31T01:00:00Z')).to.equal(Date.UTC(2026, 11, 31, 1));
    for (const text of ['2026-02-30', '2026-12', '31.12.2026', '2026-12-31 ']) {
      expect(parseEnd(text), text).to.equal(undefined);
    }
  });
});
