import { visible } from '../text/visible.js';

/** Left-aligned columns with two spaces between them and none at the end of a line. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(visible));
  const widths = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return all
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Each line stays one line, whatever it holds. */
export function renderSections(sections: readonly (readonly string[])[]): string {
  return sections.map((lines) => lines.map((line) => `${visible(line)}\n`).join('')).join('\n');
}
