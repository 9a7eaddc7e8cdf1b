/** The table of docs/performance.md: what was measured when, beside its limit. */
import { figure, type Measure } from './measure.js';

/** The last figure of a day counts, by day, the first first, and by what was measured. */
export type History = Readonly<Record<string, Readonly<Record<string, Omit<Measure, 'what'>>>>>;

const columns = 6;

export function withMeasures(history: History, day: string, measures: readonly Measure[]): History {
  const today = { ...history[day] };
  for (const { what, ...measured } of measures) today[what] = measured;
  return { ...history, [day]: today };
}

const table = /^\|(?:.*\n\|)*.*$/m;

/** The page with its table made anew; its words are its own. */
export function performancePage(page: string, history: History): string {
  const days = Object.keys(history).sort().slice(-columns);
  const names = [...new Set(days.flatMap((day) => Object.keys(history[day] ?? {})))].sort();
  const rows = names.map((what) => {
    const measured = days.map((day) => history[day]?.[what]);
    const latest = measured.findLast((each) => each !== undefined);
    const limit = latest?.limit === undefined ? '' : `${latest.limit}${latest.unit}`;
    return [what, limit, ...measured.map(cell)];
  });
  const made = markdownTable([['measured', 'at most', ...days], ...rows]);
  return page.replace(table, () => made);
}

function cell(measured: Omit<Measure, 'what'> | undefined): string {
  if (measured === undefined) return '';
  const text = `${figure(measured.value)}${measured.unit}`;
  return measured.value <= (measured.limit ?? Infinity) ? text : `**${text}**`;
}

/** As prettier writes it. */
function markdownTable([titles = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = titles.map((_, at) =>
    Math.max(3, ...[titles, ...rows].map((row) => (row[at] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}
