/** Small namespaces for the tests of this room. */
import type { Property } from '../requirement.js';
import type { GivenBundle, InstalledCsv, NamespaceState, SubscriptionState } from '../namespace.js';

export interface BundleSketch {
  /** `b.v1.0.0` */
  readonly name: string;
  readonly provides?: readonly string[];
  readonly needs?: readonly Property[];
  readonly dependencies?: readonly Property[];
  readonly replaces?: string;
  readonly skips?: readonly string[];
}

const api = (kind: string): { group: string; version: string; kind: string } => ({
  group: 'example.com',
  version: 'v1',
  kind,
});
export const needsApi = (kind: string): Property => ({
  type: 'olm.gvk.required',
  value: api(kind),
});
export const needsPackage = (packageName: string, versionRange: string): Property => ({
  type: 'olm.package.required',
  value: { packageName, versionRange },
});
export const constraint = (value: Property['value']): Property => ({
  type: 'olm.constraint',
  value,
});

/** Properties of a sketch, its package and version taken from its name. */
function propertiesOf({ name, provides, needs }: BundleSketch): Property[] {
  const [packageName = '', version = ''] = split(name);
  return [
    { type: 'olm.package', value: { packageName, version } },
    ...(provides ?? []).map((kind) => ({ type: 'olm.gvk', value: api(kind) })),
    ...(needs ?? []),
  ];
}

/** One catalog, one channel `stable` per package, bundles in the order they are given, oldest first. */
export function namespaceWith(
  bundles: readonly BundleSketch[],
  subscriptions: readonly Partial<SubscriptionState>[],
  installed: readonly BundleSketch[] = [],
): NamespaceState {
  const packages = [...new Set(bundles.map(({ name }) => split(name)[0] ?? ''))];
  return {
    namespace: 'operators',
    globalCatalogNamespace: 'olm',
    operatorGroups: [{ name: 'group', namespace: 'operators' }],
    subscriptions: subscriptions.map((given) => ({
      name: given.package ?? '',
      namespace: 'operators',
      package: '',
      channel: 'stable',
      catalog: 'catalog',
      catalogNamespace: 'olm',
      currentCSV: given.installedCSV,
      ...given,
    })),
    installedCSVs: installed.map((sketch): InstalledCsv => ({
      name: sketch.name,
      namespace: 'operators',
      version: split(sketch.name)[1] ?? '',
      properties: propertiesOf(sketch),
    })),
    catalogs: [
      {
        name: 'catalog',
        namespace: 'olm',
        packages: packages.map((name) => {
          const own = bundles.filter((bundle) => split(bundle.name)[0] === name);
          return {
            name,
            defaultChannel: 'stable',
            channels: [
              {
                name: 'stable',
                entries: own.map(({ name: csv, replaces, skips }, index) => ({
                  name: csv,
                  replaces: replaces ?? own[index - 1]?.name ?? '',
                  skips: skips ?? [],
                })),
              },
            ],
            bundles: own.map((sketch): GivenBundle => {
              const dependencies = sketch.dependencies ?? [];
              const version = split(sketch.name)[1] ?? '';
              return { name: sketch.name, version, properties: propertiesOf(sketch), dependencies };
            }),
          };
        }),
      },
    ],
  };
}

function split(name: string): string[] {
  const [packageName = '', ...version] = name.split('.v');
  return [packageName, version.join('.v')];
}
