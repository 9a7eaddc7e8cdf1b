/** The rows themselves: each file is described, and each row has a name of its own. */
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goldenRows } from './golden.js';

const folder = join(import.meta.dirname, 'data');
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl.br'));

describe('golden rows', () => {
  const table = readFileSync(join(folder, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const described = new Map(
    table.flatMap(([, names = '', counts = '']) => {
      const rows = counts.split(', ').map(Number);
      return names
        .replaceAll('`', '')
        .split(', ')
        .map((name, index): [string, number | undefined] => [name, rows[index]]);
    }),
  );

  for (const file of files) {
    const name = file.slice(0, -'.jsonl.br'.length);
    it(`README.md describes ${name}, with its number of rows`, () => {
      const rows = goldenRows(name);
      expect(described.get(name)).to.equal(rows.length);
      const names = rows.map((row) => row.id ?? row['name']);
      expect(new Set(names).size).to.equal(rows.length);
    });
  }
});
