/** Contents of a catalog, at a glance and package by package. */
import { didYouMean } from '../../text/nearest.js';
import { InvalidInputError } from '../../text/documents/index.js';
import {
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  channelHeads,
  type ObjectPlace,
} from './catalog.js';
import { textField } from './properties.js';
import { compareBytes } from '../../text/go/index.js';
import { groupBy } from '../../text/group.js';

interface ChannelSummary {
  readonly name: string;
  readonly isDefault: boolean;
  /** One, in a valid channel. */
  readonly heads: readonly string[];
  /** The version of the head, if there is one. */
  readonly version?: string;
  readonly entries: number;
  /** The message of its deprecation. */
  readonly deprecated?: string;
}

export interface PackageSummary {
  readonly name: string;
  readonly defaultChannel: string;
  readonly channels: readonly ChannelSummary[];
  readonly bundles: number;
  readonly deprecated?: string;
}

export interface EntryDetails {
  readonly name: string;
  readonly version?: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly skipRange?: string;
  readonly isHead: boolean;
  readonly deprecated?: string;
  readonly place?: ObjectPlace;
}

export interface PackageDetails extends PackageSummary {
  readonly description: string;
  readonly entries: Readonly<Record<string, readonly EntryDetails[]>>;
  /** APIs that any of its bundles provides or requires, as `Kind.version.group`. */
  readonly provides: readonly string[];
  readonly requires: readonly string[];
}

/** All packages by name; names that only channels or bundles mention are left out. */
export function listCatalog(catalog: Catalog): PackageSummary[] {
  const channels = groupBy(catalog.channels, (each) => each.package);
  const bundles = groupBy(catalog.bundles, (each) => each.package);
  return [...catalog.packages]
    .sort((a, b) => compareBytes(a.name, b.name))
    .map(({ name, defaultChannel }) => {
      const own = bundles.get(name) ?? [];
      const deprecations = deprecationsOf(catalog, name);
      const deprecated = deprecations.get('olm.package/');
      return {
        name,
        defaultChannel,
        channels: (channels.get(name) ?? []).map((channel) =>
          summarizeChannel(channel, defaultChannel, own, deprecations),
        ),
        bundles: own.length,
        deprecated,
      };
    });
}

/** @throws InvalidInputError `E_CATALOG` when there is no such package. */
export function showPackage(catalog: Catalog, name: string): PackageDetails {
  const item = catalog.packages.find((each) => each.name === name);
  const [summary] = listCatalog({ ...catalog, packages: item === undefined ? [] : [item] });
  if (item === undefined || summary === undefined) {
    const names = catalog.packages.map((each) => each.name);
    const guess = didYouMean(name, names);
    throw new InvalidInputError('E_CATALOG', `the catalog has no package "${name}"${guess}`);
  }
  const bundles = catalog.bundles.filter((bundle) => bundle.package === name);
  const channels = catalog.channels.filter((channel) => channel.package === name);
  const deprecations = deprecationsOf(catalog, name);
  const apis = (type: string): string[] =>
    [...new Set(bundles.flatMap((bundle) => apisOf(bundle, type)))].sort(compareBytes);
  return {
    ...summary,
    description: item.description,
    entries: Object.fromEntries(
      channels.map((channel) => [channel.name, entriesOf(channel, bundles, deprecations)]),
    ),
    provides: apis('olm.gvk'),
    requires: apis('olm.gvk.required'),
  };
}

function summarizeChannel(
  { name, entries }: CatalogChannel,
  defaultChannel: string,
  bundles: readonly CatalogBundle[],
  deprecations: ReadonlyMap<string, string>,
): ChannelSummary {
  const heads = channelHeads(entries).map((entry) => entry.name);
  const version = heads.length === 1 ? versionOf(bundles, heads[0] ?? '') : undefined;
  const deprecated = deprecations.get(`olm.channel/${name}`);
  return {
    name,
    isDefault: name === defaultChannel,
    heads,
    version,
    entries: entries.length,
    deprecated,
  };
}

function entriesOf(
  channel: CatalogChannel,
  bundles: readonly CatalogBundle[],
  deprecations: ReadonlyMap<string, string>,
): EntryDetails[] {
  const heads = new Set(channelHeads(channel.entries).map(({ name }) => name));
  const byName = new Map(bundles.map((bundle) => [bundle.name, bundle]));
  return channel.entries.map(({ name, replaces, skips, skipRange }) => {
    const version = byName.get(name)?.packageProperties[0]?.version;
    const deprecated = deprecations.get(`olm.bundle/${name}`);
    const place = byName.get(name)?.place;
    return {
      name,
      version,
      ...(replaces !== '' && { replaces }),
      ...(skips.length > 0 && { skips }),
      ...(skipRange !== '' && { skipRange }),
      isHead: heads.has(name),
      deprecated,
      place,
    };
  });
}

function versionOf(bundles: readonly CatalogBundle[], name: string): string | undefined {
  return bundles.find((bundle) => bundle.name === name)?.packageProperties[0]?.version;
}

/** Messages by schema and name: `olm.channel/stable`; the package itself is `olm.package/`. */
export function deprecationsOf(catalog: Catalog, name: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const deprecation of catalog.deprecations) {
    if (deprecation.package !== name) continue;
    for (const { schema, name: of, message } of deprecation.entries) {
      found.set(`${schema}/${of}`, message);
    }
  }
  return found;
}

function apisOf(bundle: CatalogBundle, type: string): string[] {
  return bundle.properties
    .filter((property) => property.type === type)
    .map(({ value }) => {
      const [group, version, kind] = ['group', 'version', 'kind'].map((key) =>
        textField(value, key),
      );
      return [kind, version, group].filter((part) => part !== '').join('.');
    });
}
