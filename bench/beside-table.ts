/** The gate beside a webhook in Go, in one table. */

const columns = ['olm-guard', 'olm-guard, profile crdify', 'Go and crdify', 'JSON.parse'] as const;
const rows = [
  'half of them take at most',
  '99 of 100 take at most',
  'a second, over 8 connections',
  'memory, at most',
] as const;

/** What a figure of the table is called in the history. */
export function besideRow(who: string, what: (typeof rows)[number]): string {
  return `${besideMark}${who}: ${what}`;
}

/** Figures of this table stand in no other. */
export const besideMark = 'beside Go: ';

/** @param cell what was measured last under a name; empty where nothing was */
export function besideRows(cell: (what: string) => string): string[][] {
  return [
    ['large reviews', ...columns],
    ...rows.map((what) => [what, ...columns.map((who) => cell(besideRow(who, what)))]),
  ];
}
