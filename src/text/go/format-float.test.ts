import { expect } from 'chai';
import { formatFloat, formatFloat32 } from './numbers.js';

describe('go: floats', () => {
  const rows: [value: number, double: string, single: string][] = [
    [0, '0', '0'],
    [-0, '-0', '-0'],
    [0.1, '0.1', '0.1'],
    [1.5, '1.5', '1.5'],
    [123456, '123456', '123456'],
    [1e6, '1e+06', '1e+06'],
    [1234567, '1.234567e+06', '1.234567e+06'],
    [0.0001, '0.0001', '0.0001'],
    [0.00001, '1e-05', '1e-05'],
    [1e21, '1e+21', '1e+21'],
    [1e-100, '1e-100', '0'],
    [16777217, '1.6777217e+07', '1.6777216e+07'],
    [1 / 3, '0.3333333333333333', '0.33333334'],
  ];
  for (const [value, double, single] of rows) {
    it(`writes ${Object.is(value, -0) ? '-0' : value}`, () => {
      expect(formatFloat(value)).to.equal(double);
      expect(formatFloat32(value)).to.equal(single);
    });
  }

  it('prints NaN and infinities', () => {
    expect([NaN, Infinity, -Infinity].map(formatFloat)).to.deep.equal(['NaN', '+Inf', '-Inf']);
  });
});
