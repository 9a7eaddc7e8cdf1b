/** The tables and the picture of docs/performance.md: what was measured when, beside its limit. */
import { besideRows } from './beside-table.js';
import { figure, type Measure } from './measure.js';

/** The last figure of a day counts, by day, the first first, and by what was measured. */
export type History = Readonly<Record<string, Readonly<Record<string, Omit<Measure, 'what'>>>>>;

export function withMeasures(history: History, day: string, measures: readonly Measure[]): History {
  const today = { ...history[day] };
  for (const { what, ...measured } of measures) today[what] = measured;
  return { ...history, [day]: today };
}

/** What users meet; everything else is in history.json alone. */
const atAGlance: readonly string[] = [
  'small review as shipped: p50',
  'large review as shipped: p50, of JSON.parse',
  'large review as shipped: p99, of JSON.parse',
  'large reviews over 8 connections: time for each',
  'API server beside 1,280 unauthenticated clients: p99',
  'gate: peak memory under 500 large reviews over 8 connections',
  'gate: time to ready',
  'check crd OLD NEW, of node -e 0',
  'check crd OLD NEW on Node 22, of node -e 0',
  'check crd OLD NEW on Node 24, of node -e 0',
  'check crd of 15 large definitions, of JSON.parse',
  'the same unchanged, of JSON.parse',
  'check crd of 200 small definitions, half of them unchanged',
  'keystroke in a definition of 1 MB: 95th percentile of processor time',
  'check objects of 100 kustomizations, without a second, of the same by hand',
  'check objects of 100 kustomizations, unchanged since the last run',
  'catalog of 370 MB: peak memory',
  'migrate run of 100,000 objects, killed once: time',
];

const tables = /^\|(?:.*\n\|)*.*$/gm;
const picture = /^```mermaid\n[^`]*```$/m;

export function growthRow(name: string, times: number): string {
  return `${name}: ${times} times as much takes`;
}

/** The page with its tables and its picture made anew; its words are its own. */
export function performancePage(page: string, history: History): string {
  const days = Object.keys(history).sort();
  const latest = atAGlance.flatMap((what) => {
    const day = days.findLast((each) => history[each]?.[what] !== undefined);
    const measured = day === undefined ? undefined : history[day]?.[what];
    if (day === undefined || measured === undefined) return [];
    const limit = measured.limit === undefined ? '' : `${measured.limit}${measured.unit}`;
    return [[what, limit, cell(measured), day]];
  });
  const lastOf = (what: string): string =>
    cell(days.map((day) => history[day]?.[what]).findLast((each) => each !== undefined));
  const made = [
    markdownTable(besideRows(lastOf)),
    markdownTable([['measured', 'at most', 'last', 'on'], ...latest]),
  ];
  return page
    .replace(tables, (known) => made.shift() ?? known)
    .replace(picture, () => growthPicture(history));
}

/** Both axes count powers of ten, so that what is linear is a straight line from corner to corner. */
const kinds = [
  ...['reviews', 'objects', 'proofs', 'catalogs'],
  ...['kustomizations', 'promises', 'appliers'],
];

function growthPicture(history: History): string {
  const all = Object.assign({}, ...Object.values(history)) as History[string];
  const lines = kinds.map((name) => {
    const powers = [10, 100].map((times) => Math.log10(all[growthRow(name, times)]?.value ?? 1));
    return `    line "${name}" [0, ${powers.map((power) => power.toFixed(2)).join(', ')}]`;
  });
  return [
    '```mermaid',
    'xychart-beta',
    '    title "How time grows with size (linear would end at 2)"',
    '    x-axis "times as much" ["1", "10", "100"]',
    '    y-axis "times as long, in powers of ten" 0 --> 2.2',
    ...lines,
    '```',
  ].join('\n');
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
