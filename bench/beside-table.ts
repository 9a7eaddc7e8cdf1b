/** The table that compares the gate with a webhook in Go. */

const columns = ['olm-guard', 'olm-guard, profile crdify', 'Go and crdify', 'JSON.parse'] as const;
const rows = ['p50', 'p99', 'reviews a second, over 8 connections', 'memory at most'] as const;

/** The name of a figure of the table in the history. */
export function besideRow(who: string, what: (typeof rows)[number]): string {
  return `${besideMark}${who}: ${what}`;
}

/** The beginning of these names: other tables leave such figures out. */
export const besideMark = 'beside Go: ';

/** @param cell the newest figure with a name; empty if there is none */
export function besideRows(cell: (what: string) => string): string[][] {
  return [
    ['reviews of large updates', ...columns],
    ...rows.map((what) => [what, ...columns.map((who) => cell(besideRow(who, what)))]),
  ];
}
