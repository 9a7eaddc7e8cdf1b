/** docs/performance.md: what was measured when, beside its limit, and what it says. */
import { figure, type Measure } from './measure.js';

/** The last figure of a day counts, by day, the first first, and by what was measured. */
export type History = Readonly<Record<string, Readonly<Record<string, Omit<Measure, 'what'>>>>>;

const columns = 6;

export function withMeasures(history: History, day: string, measures: readonly Measure[]): History {
  const today = { ...history[day] };
  for (const { what, ...measured } of measures) today[what] = measured;
  return { ...history, [day]: today };
}

const head = `# What it costs

\`npm run bench\` measures, prints each figure beside its limit, and writes this page and its history (bench/history.json); \`npm run bench -- startup growth\` measures some of it. Times are processor time and ratios are to something that ran in turns with it in the same run, because machines are shared; they still move by a tenth or two from run to run. What passes its limit stands in bold.
`;

const remarks = `
## Where the time of a review goes

The rows \`part of a large review\` are medians over the ten largest updates of public definitions, 0.7 to 1.3 MB with both sides, as multiples of \`JSON.parse\` of the whole body (\`bench/review-parts.ts\`). Reading it whole holds the pass before parsing.

A review is read twice, by the event loop, which must know whom it is about, and by the thread that judges it, which gets the bytes. The event loop passes over the bytes before anything is built (depth, count of values, numbers that lose) and holds each list and object against the one in its place on the other side: where both are equal it goes on behind, and neither it nor the thread builds the second. The thread gets the bytes with what was measured, so that the pass is made once. The two sides of an update share most of their bytes; reading one whole, with the pass, still costs most of a \`JSON.parse\` that makes no pass and shares nothing. Whatever compares the sides sees at once where both are one value, and two versions are compared once for the rules and the contract. TLS and HTTP alone, to a server that looks at nothing, and that one pass come to about as much as the limit allows, before a value is built or a rule has looked at anything: that is why a review does not get below it. A single reading, in the thread, would save one of two times building; but then an overloaded gate could not say by itself what it is asked about, and which stored objects an update concerns is asked of the schemas.

## What misses its limit, and why

- \`check crd\` of two small files: a quarter is Node itself, the rest is reading and compiling about a megabyte of code: rules, proof, and what API servers of eight minors say. Only the subcommand that is asked for is loaded; a cache of compiled code takes a newer Node.
- A catalog: \`JSON.parse\` alone forgets each object at once; what is read besides is the shape of each blob, image references, versions and the graph, which is kept.
- 30,000 bundles: all of them can be chosen, so all are looked at and numbered each time, and the heap is held at 190 MB. Where nothing is in the way no search is made, and of their dependencies, two numbers each, only those of what is picked are written down.

## What grows faster than its input

A proof of which every field differs: each difference that is not settled at once is tried with random whole objects, so differences times the size of an object, until the proof's budget ends it. With a tenth of the fields changed a proof grows as its input does (\`bench/proof.ts\`).

## What a migration waits for

The API server writes, and reads every object of a kind into its cache before it lists fast: \`bench/migrate.ts\` waits for that, as a kind that controllers follow has it done. On two cores the API server takes 215 to 240 of the 250 writes a second that \`--qps\` allows; with the work of five others beside it (load 7 to 12) 105 to 200, and the run took 646 s. Of 100,000 objects, killed by SIGKILL on the way and started again, with two writers beside it that wrote 7,772, every one was in etcd in the new version afterwards, as it was written last.

## What is not built

A catalog's verdict is not kept on disk: to know that one is unchanged its bytes have to be hashed, and SHA-256 alone costs 0.14 of \`JSON.parse\` of the same bytes, the fastest of those that Node has.
`;

export function performancePage(history: History): string {
  const days = Object.keys(history).sort().slice(-columns);
  const names = [...new Set(days.flatMap((day) => Object.keys(history[day] ?? {})))].sort();
  const rows = names.map((what) => {
    const measured = days.map((day) => history[day]?.[what]);
    const latest = measured.findLast((each) => each !== undefined);
    const limit = latest?.limit === undefined ? '' : `${latest.limit}${latest.unit}`;
    return [what, limit, ...measured.map(cell)];
  });
  const table = markdownTable([['measured', 'at most', ...days], ...rows]);
  return `${head}\n${table}\n${remarks}`;
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
