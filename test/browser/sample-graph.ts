/** A package with everything that a picture can show, at 200 versions. */
import { loadCatalog } from '../../src/olm/catalogs/load.js';
import { packageOf } from '../../src/olm/catalogs/upgrades/upgrade-path.js';
import { explainPaths } from '../../src/olm/catalogs/upgrades/explain-paths.js';
import { packageGraph, type PackageGraph } from '../../src/olm/catalogs/upgrades/graph.js';

const count = 200;
const version = (index: number): string =>
  `${1 + Math.floor(index / 50)}.${Math.floor(index / 10) % 5}.${index % 10}`;
const name = (index: number): string => `big.v${version(index)}`;
const all = [...Array(count).keys()];

const channel = (
  channelName: string,
  indexes: readonly number[],
  entry: (index: number, place: number) => object,
) => ({
  schema: 'olm.channel',
  package: 'big',
  name: channelName,
  entries: indexes.map((index, place) => ({ name: name(index), ...entry(index, place) })),
});
const stable = all.filter((index) => index % 10 < 6 || index > 190);
const replaces = (indexes: readonly number[], place: number): object =>
  place === 0 ? {} : { replaces: name(indexes[place - 1] ?? 0) };

const objects = [
  { schema: 'olm.package', name: 'big', defaultChannel: 'stable' },
  channel('stable', stable, (index, place) => ({
    ...replaces(stable, place),
    ...(index % 10 === 0 && index > 20 && { skips: [name(index - 6), name(index - 7)] }),
    ...(index % 10 === 5 && { skipRange: `>=1.0.0 <${version(index)}` }),
  })),
  channel('stranded', all, (index, place) => (index === 77 ? {} : replaces(all, place))),
  channel('a-channel-with-a-rather-long-name', all.slice(0, 50), (_, place) =>
    place === 49 ? { skips: all.slice(0, 49).map(name) } : {},
  ),
  ...all.map((index) => ({
    schema: 'olm.bundle',
    package: 'big',
    name: name(index),
    image: `example.com/big:${index}`,
    properties: [{ type: 'olm.package', value: { packageName: 'big', version: version(index) } }],
  })),
  {
    schema: 'olm.deprecations',
    package: 'big',
    entries: [
      { reference: { schema: 'olm.package' }, message: 'Please use the bigger operator.' },
      ...all.slice(0, 30).map((index) => ({
        reference: { schema: 'olm.bundle', name: name(index) },
        message: `${name(index)} is end of life.`,
      })),
    ],
  },
];

export function sampleGraph(): PackageGraph {
  const content = objects.map((object) => JSON.stringify(object)).join('\n');
  const { catalog } = loadCatalog([{ path: 'big.json', content }]);
  const found = packageOf(catalog, 'big', { name: 'big' });
  const { paths } = explainPaths({
    packageName: 'big',
    catalogs: found === undefined ? [] : [found],
    from: '3.0.1',
    channel: 'stable',
    only: 'classic',
  });
  const graph = packageGraph(catalog, {
    packageName: 'big',
    path: paths[0]?.path.steps ?? [],
    breaks: (from, to) =>
      from === name(191) && to === name(192) ? 'things: size is refused' : undefined,
  });
  if (graph === undefined) throw new Error('the sample has no graph');
  return graph;
}
