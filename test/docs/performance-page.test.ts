import { expect } from 'chai';
import { besideRow } from '../../bench/beside-table.js';
import { growthRow, performancePage, withMeasures } from '../../bench/history.js';

const page = `# Performance

Words above.

| reviews of large updates | stale |
| ------------------------ | ----- |

| measured | stale |
| -------- | ----- |
| gone     | 1     |

Words between.

\`\`\`mermaid
stale
\`\`\`

| a table | of the page's own |
| ------- | ----------------- |
`;

describe('the page of what benchmarks measured', () => {
  const ready = { what: 'gate: time to ready', unit: ' s', limit: 1 };
  const first = withMeasures({}, '2026-01-01', [
    { ...ready, value: 0.5 },
    { what: besideRow('Go and crdify', 'memory at most'), value: 446.4, unit: ' MB' },
    { what: 'without a limit', value: 12.345, unit: '×' },
  ]);
  const history = withMeasures(first, '2026-01-02', [{ ...ready, value: 2 }]);
  const made = performancePage(page, history);
  const rowsOf = (text: string, first: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`| ${first} `))
      .map((line) => line.split('|').map((each) => each.trim()).slice(1, -1)); // prettier-ignore

  it('holds the last figure beside its limit, in bold what passes it, and of the rest nothing', () => {
    expect(rowsOf(made, 'gate: time to ready')).to.deep.equal([
      ['gate: time to ready', '1 s', '**2 s**', '2026-01-02'],
    ]);
    expect(made).to.not.include('without a limit');
  });

  it('holds the gate beside Go in one table, and nowhere else', () => {
    expect(rowsOf(made, 'memory at most')).to.deep.equal([
      ['memory at most', '', '', '446 MB', ''],
    ]);
    expect(made).to.not.include('beside Go: ');
  });

  it('leaves words and further tables alone, and nothing stale', () => {
    for (const own of ['Words above.', 'Words between.', "| a table | of the page's own |"]) {
      expect(made).to.include(own);
    }
    expect(made).to.not.include('stale').and.not.include('gone');
  });

  it('stays the same when it is made again', () => {
    expect(performancePage(made, history)).to.equal(made);
  });

  it('draws growth in powers of ten', () => {
    const grown = withMeasures(history, '2026-01-03', [
      { what: growthRow('proofs', 10), value: 10, unit: '×' },
      { what: growthRow('proofs', 100), value: 1000, unit: '×' },
    ]);
    expect(performancePage(page, grown)).to.include('line "proofs" [0, 1.00, 3.00]');
  });

  it('has figures of today replaced, and none of an earlier day', () => {
    const again = withMeasures(first, '2026-01-01', [{ ...ready, value: 0.75 }]);
    expect(rowsOf(performancePage(page, again), ready.what)).to.deep.equal([
      [ready.what, '1 s', '0.75 s', '2026-01-01'],
    ]);
  });
});
