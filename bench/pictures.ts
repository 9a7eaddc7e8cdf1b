/**
 * How long pictures take that are as large as they get: `npx tsx bench/pictures.ts`.
 *
 * An update graph of 3,000 entries, each of which takes over from all below it. Processor time, against
 * a calibration on the same machine: a picture takes no longer than sorting a million numbers five times.
 */
import { loadCatalog } from '../src/olm/catalogs/load.js';
import { packageGraph } from '../src/olm/catalogs/upgrades/graph.js';
import { graphFormats, renderGraph } from '../src/report/graph/index.js';

const limit = 5;

function seconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const numbers = Array.from({ length: 1_000_000 }, () => Math.random());
const unit = seconds(() => numbers.toSorted((a, b) => a - b));

function report(what: string, work: () => unknown): void {
  const taken = seconds(work);
  const ratio = taken / unit;
  if (ratio > limit) process.exitCode = 1;
  console.log(`${what}: ${taken.toFixed(2)} s, ${ratio.toFixed(1)} of at most ${limit} units`);
}

const count = 3000;
const content = [
  { schema: 'olm.package', name: 'op', defaultChannel: 'stable' },
  {
    schema: 'olm.channel',
    package: 'op',
    name: 'stable',
    entries: Array.from({ length: count }, (_, index) => ({
      name: `op.v1.0.${index}`,
      ...(index > 0 && { replaces: `op.v1.0.${index - 1}` }),
      skipRange: `<1.0.${index}`,
    })),
  },
];
const text = content.map((each) => JSON.stringify(each)).join('\n');
const { catalog } = loadCatalog([{ path: 'c.json', content: text }]);

for (const format of graphFormats) {
  report(`${count} dense entries as ${format}`, () => {
    const graph = packageGraph(catalog, { packageName: 'op' });
    if (graph !== undefined) renderGraph(graph, format);
  });
}
