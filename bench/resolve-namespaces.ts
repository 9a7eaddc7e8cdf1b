/** Namespaces of any size whose dependencies form layers, or none. */
import type { NamespaceState } from '../src/olm/resolver/namespace.js';
import type { Property } from '../src/olm/resolver/requirement.js';

type Dependencies = (index: number, version: number) => readonly Property[];

/**
 * Each bundle needs two packages and an API of the next of ten layers, with ranges that leave half of
 * their versions; the first layer is subscribed to.
 */
export function layeredNamespace(packages: number, bundles: number): NamespaceState {
  const layers = 10;
  const width = Math.ceil(packages / layers);
  return namespaceOf(packages, bundles, Math.min(width, packages), (index, version) => {
    const layer = Math.floor(index / width);
    if (layer === layers - 1) return [];
    const below = (offset: number): number =>
      Math.min(packages - 1, (layer + 1) * width + ((index + offset) % width));
    return [
      needsPackage(below(0), `>=1.0.${Math.floor(version / 2)}`),
      needsPackage(below(1), `>=1.0.${Math.floor(version / 3)} <1.1.0`),
      needsApi(below(2)),
    ];
  });
}

/** Each bundle needs two to five packages or APIs anywhere, with random ranges; thirty are subscribed to. */
export function denseNamespace(packages: number, bundles: number, seed: number): NamespaceState {
  const random = generator(seed);
  return namespaceOf(packages, bundles, Math.min(30, packages), () =>
    Array.from({ length: 2 + Math.floor(random() * 4) }, () => {
      const other = Math.floor(random() * packages);
      if (random() < 0.4) return needsApi(other);
      const from = Math.floor(random() * bundles);
      const to = from + 1 + Math.floor(random() * bundles);
      return needsPackage(other, `>=1.0.${from} <1.0.${to}`);
    }),
  );
}

function namespaceOf(
  packages: number,
  bundles: number,
  subscribed: number,
  dependencies: Dependencies,
): NamespaceState {
  return {
    namespace: 'operators',
    globalCatalogNamespace: 'olm',
    operatorGroups: [{ name: 'all', namespace: 'operators' }],
    subscriptions: Array.from({ length: subscribed }, (_, index) => ({
      name: packageName(index),
      namespace: 'operators',
      package: packageName(index),
      channel: 'stable',
      catalog: 'large',
      catalogNamespace: 'olm',
    })),
    catalogs: [
      {
        name: 'large',
        namespace: 'olm',
        packages: Array.from({ length: packages }, (_, index) => ({
          name: packageName(index),
          defaultChannel: 'stable',
          channels: [
            {
              name: 'stable',
              entries: Array.from({ length: bundles }, (_, version) => ({
                name: csvName(index, version),
                ...(version === 0 ? {} : { replaces: csvName(index, version - 1) }),
              })),
            },
          ],
          bundles: Array.from({ length: bundles }, (_, version) => ({
            name: csvName(index, version),
            version: `1.0.${version}`,
            properties: [
              {
                type: 'olm.package',
                value: { packageName: packageName(index), version: `1.0.${version}` },
              },
              { type: 'olm.gvk', value: api(index) },
              ...dependencies(index, version),
            ],
          })),
        })),
      },
    ],
  };
}

const packageName = (index: number): string => `operator-${index}`;
const csvName = (index: number, version: number): string => `operator-${index}.v1.0.${version}`;
const api = (index: number): { group: string; version: string; kind: string } => ({
  group: `group-${index}.example.com`,
  version: 'v1',
  kind: 'Resource',
});

function needsPackage(index: number, versionRange: string): Property {
  return {
    type: 'olm.package.required',
    value: { packageName: packageName(index), versionRange },
  };
}

function needsApi(index: number): Property {
  return { type: 'olm.gvk.required', value: api(index) };
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
