/** From a catalog's listing to the entries the resolver searches. */
import { readTolerantVersion } from '../../text/versions/index.js';
import { SearchedCatalog } from './catalog.js';
import {
  entryId,
  readBundle,
  readSkipRange,
  type EntryBundle,
  type CatalogKey,
  type Entry,
} from './entry.js';
import type { GivenBundle, GivenPackage, CatalogState } from './namespace.js';
import { type Property, propertyOfDependency, type Requirements } from './requirement.js';
import { valueUnless } from '../once.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';

/** Rule: `registrySource.Snapshot` and `newOperatorFromBundle` of OLM classic. */
export function loadCatalog(
  state: CatalogState,
  requirements: Requirements,
  firstSlot: number,
): SearchedCatalog {
  const key = { name: state.name, namespace: state.namespace };
  const priority = state.priority ?? 0;
  const error = unhealthy(state);
  if (error !== undefined) return new SearchedCatalog(key, priority, [], firstSlot, error);
  const entries: Entry[] = [];
  for (const item of state.packages ?? []) addEntries(entries, firstSlot, item, key, requirements);
  return new SearchedCatalog(key, priority, entries, firstSlot);
}

function addEntries(
  entries: Entry[],
  firstSlot: number,
  { name, defaultChannel, channels, bundles }: GivenPackage,
  catalog: CatalogKey,
  requirements: Requirements,
): void {
  const readable = new Map(
    (bundles ?? []).map((bundle) => [bundle.name, read(bundle, name, requirements)]),
  );
  for (const channel of channels ?? []) {
    for (const item of channel.entries ?? []) {
      const bundle = readable.get(item.name);
      if (bundle === undefined) continue;
      entries.push({
        slot: firstSlot + entries.length,
        id: entryId(catalog, channel.name, item.name),
        name: item.name,
        catalog,
        package: name,
        channel: channel.name,
        inDefaultChannel: channel.name === (defaultChannel ?? ''),
        replaces: item.replaces ?? '',
        skips: item.skips ?? [],
        skipRange: readSkipRange(item.skipRange ?? ''),
        bundle,
        installed: false,
        subscription: undefined,
      });
    }
  }
}

function read(
  { version, properties, dependencies }: GivenBundle,
  packageName: string,
  requirements: Requirements,
): EntryBundle | undefined {
  const required = valueUnless(ResolutionError, () =>
    (dependencies ?? []).flatMap((item) => propertyOfDependency(item) ?? []),
  );
  if (required === undefined) return undefined;
  const all: Property[] = [...(properties ?? []), ...required];
  if (!all.some(({ type }) => type === 'olm.package')) {
    all.push({ type: 'olm.package', value: { packageName, version: version ?? '' } });
  }
  return readBundle(
    all,
    requirements.version(version ?? '') ?? readTolerantVersion(version ?? ''),
    requirements,
  );
}

function unhealthy({ name, namespace, error, noClient }: CatalogState): string | undefined {
  const text =
    noClient === true
      ? `no registry client established for catalogsource ${namespace}/${name}`
      : error === undefined || error === null || error === ''
        ? undefined
        : `failed to list bundles: ${error}`;
  return text === undefined ? undefined : `error using catalogsource ${namespace}/${name}: ${text}`;
}
