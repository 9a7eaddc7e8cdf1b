/**
 * How long OLM v1's choice takes over 30,000 bundles that are loaded: `npx tsx bench/upgrade-v1.ts`. One
 * package holds them all, or 300 packages do; each of 15 rounds resolves another installed version. Prints
 * the first answer, the median and the worst, the limit and the ratio; exits 1 when the median passes it.
 */
import type { Catalog, CatalogBundle, CatalogChannel } from '../src/olm/catalogs/catalog.js';
import { packageOf, ResolutionError } from '../src/olm/catalogs/upgrades/upgrade-path.js';
import { resolveV1 } from '../src/olm/catalogs/upgrades/resolve-v1.js';

const limitMs = 50;
const rounds = 15;
const bundlesInAll = 30_000;

interface Case {
  readonly name: string;
  readonly packages: number;
  readonly installed: boolean;
  readonly range: string;
}

const cases: readonly Case[] = [
  { name: 'one package, update', packages: 1, installed: true, range: '' },
  { name: 'one package, update in a range', packages: 1, installed: true, range: '>=1.0.0 <9999' },
  { name: 'one package, first installation', packages: 1, installed: false, range: '' },
  { name: '300 packages, update in a range', packages: 300, installed: true, range: '>=1.0.0' },
];

const failed = cases.filter((each) => !measure(each));
process.exitCode = failed.length === 0 ? 0 : 1;

function measure({ name, packages, installed, range }: Case): boolean {
  const size = bundlesInAll / packages;
  const catalog = makeCatalog(packages, size);
  const cpu: number[] = [];
  const times = Array.from({ length: rounds }, (_, round) => {
    const packageName = `p${round % packages}`;
    const version = versionOf(Math.floor((size * (round + 1)) / (rounds + 2)));
    const start = performance.now();
    const startCpu = process.cpuUsage();
    const found = packageOf(catalog, packageName, { name: 'cat' });
    let chosen = '';
    try {
      const resolution = resolveV1({
        packageName,
        catalogs: found === undefined ? [] : [found],
        version: range,
        ...(installed && { installed: { name: `${packageName}.v${version}`, version } }),
      });
      chosen = resolution.chosen.name;
    } catch (error) {
      if (!(error instanceof ResolutionError)) throw error;
    }
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(startCpu);
    cpu.push((user + system) / 1000);
    if (chosen === '') throw new Error(`${name}: nothing was chosen`);
    return ms;
  });
  const [first = 0] = times;
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(rounds / 2)] ?? 0;
  console.log(
    `upgrade-v1, ${name}: median ${median.toFixed(1)} of ${limitMs} ms (ratio ${(median / limitMs).toFixed(2)}), ` +
      `processor time ${(cpu.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0).toFixed(1)} ms; ` +
      `first ${first.toFixed(1)}, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms`,
  );
  return median <= limitMs;
}

function versionOf(index: number): string {
  return `${1 + Math.floor(index / 1000)}.${Math.floor(index / 10) % 100}.${index % 10}`;
}

/** Five channels: in each every fifth release, with a range over the last fifty. */
function makeCatalog(packages: number, size: number): Catalog {
  const channels: CatalogChannel[] = [];
  const bundles: CatalogBundle[] = [];
  const place = { file: 'bench.json', line: 1 };
  for (let index = 0; index < packages; index++) {
    const owner = `p${index}`;
    const name = (at: number): string => `${owner}.v${versionOf(at)}`;
    for (let at = 0; at < size; at++) {
      const value = { packageName: owner, version: versionOf(at) };
      bundles.push({
        package: owner,
        name: name(at),
        image: `example.com/${owner}:${at}`,
        properties: [{ type: 'olm.package', value }],
        relatedImages: [],
        packageProperties: [{ ...value, release: '' }],
        objectCount: 0,
        place,
      });
    }
    for (let channel = 0; channel < 5; channel++) {
      const entries = [];
      for (let at = channel; at < size; at += 5) {
        entries.push({
          name: name(at),
          replaces: at < 5 ? '' : name(at - 5),
          skips: at < 10 ? [] : [name(at - 10)],
          skipRange: `>=${versionOf(Math.max(0, at - 50))} <${versionOf(at)}`,
        });
      }
      channels.push({ package: owner, name: `c${channel}`, entries, place });
    }
  }
  const items = Array.from({ length: packages }, (_, index) => ({
    name: `p${index}`,
    defaultChannel: 'c0',
    description: '',
    properties: [],
    place,
  }));
  return { packages: items, channels, bundles, deprecations: [], others: [] };
}
