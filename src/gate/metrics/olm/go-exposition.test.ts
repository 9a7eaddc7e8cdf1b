import { expect } from 'chai';
import { Counter, Gauge, Registry } from 'prom-client';
import { goExposition } from './go-exposition.js';
import { formatFloat } from '../../../text/go/index.js';

describe('formatFloat', () => {
  const rows: [value: number, text: string][] = [
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-1, '-1'],
    [999999, '999999'],
    [1e6, '1e+06'],
    [1234567, '1.234567e+06'],
    [1e21, '1e+21'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [0.1 + 0.2, '0.30000000000000004'],
    [5e-324, '5e-324'],
    [NaN, 'NaN'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
  ];
  for (const [value, text] of rows) it(text, () => expect(formatFloat(value)).to.equal(text));
});

describe('goExposition', () => {
  it('sorts families, series and labels, escapes, and leaves empty families out', async () => {
    const registry = new Registry();
    const registers = [registry];
    const zebra = new Gauge({
      name: 'zebra',
      help: 'back\\slash\nline',
      labelNames: ['b', 'a'],
      registers,
    });
    zebra.set({ b: '2', a: 'y' }, 1.5);
    zebra.set({ b: '1', a: 'y' }, 2);
    zebra.set({ b: '9', a: 'q"\\\n' }, 3);
    new Counter({ name: 'ant_total', help: 'ants', registers }).inc(0);
    new Gauge({ name: 'empty', help: 'none', labelNames: ['x'], registers });
    expect(await goExposition(registry)).to.equal(
      [
        '# HELP ant_total ants',
        '# TYPE ant_total counter',
        'ant_total 0',
        '# HELP zebra back\\\\slash\\nline',
        '# TYPE zebra gauge',
        'zebra{a="q\\"\\\\\\n",b="9"} 3',
        'zebra{a="y",b="1"} 2',
        'zebra{a="y",b="2"} 1.5',
        '',
      ].join('\n'),
    );
  });
});
