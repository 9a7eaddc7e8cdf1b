import type { JsonValue, Place } from '../../text/documents/index.js';
import { groupBy } from '../../text/group.js';
import { oncePer } from '../once.js';
import { compareBytes } from '../../text/go/index.js';

export interface CatalogFile {
  /** Relative to the catalog's root, parts separated by `/`. */
  readonly path: string;
  readonly content: string | Buffer;
}

/** The line on which an object begins. */
export type ObjectPlace = Pick<Place, 'file' | 'line'>;

export interface Property<Value = JsonValue | undefined> {
  readonly type: string;
  /** Undefined when it is missing, or was not kept (see `LoadOptions.keep`). */
  readonly value: Value;
}

export interface CatalogPackage {
  readonly name: string;
  readonly defaultChannel: string;
  readonly description: string;
  readonly icon?: { readonly base64data: string; readonly mediatype: string };
  readonly place: ObjectPlace;
}

export interface ChannelEntry {
  readonly name: string;
  readonly replaces: string;
  readonly skips: readonly string[];
  readonly skipRange: string;
}

export interface CatalogChannel {
  readonly package: string;
  readonly name: string;
  readonly entries: readonly ChannelEntry[];
  readonly place: ObjectPlace;
  readonly headPlaces?: ReadonlyMap<string, ObjectPlace>;
}

export interface PackageProperty {
  readonly packageName: string;
  readonly version: string;
  readonly release: string;
}

export interface CatalogBundle {
  readonly package: string;
  readonly name: string;
  readonly image: string;
  readonly properties: readonly Property[];
  /** Empty when they were not kept (see `LoadOptions.keep`). */
  readonly relatedImages: readonly { readonly name: string; readonly image: string }[];
  readonly relatedImageProblem?: string;
  /** The content of its `olm.package` properties; a valid bundle has exactly one. */
  readonly packageProperties: readonly PackageProperty[];
  readonly propertyProblem?: string;
  /** How many `olm.bundle.object` properties it has. */
  readonly objectCount: number;
  /** Where its ClusterServiceVersion, or `olm.csv.metadata`, says that it can be installed; undefined without either. */
  readonly installation?: BundleInstallation | undefined;
  /** The annotation of its ClusterServiceVersion, which OLM does not read in a catalog. */
  readonly skipRangeAnnotation?: string;
  readonly place: ObjectPlace;
}

export interface BundleInstallation {
  readonly modes: readonly string[];
  readonly ownsApiServices: boolean;
  readonly minKubeVersion?: string;
}

interface DeprecationEntry {
  readonly schema: string;
  readonly name: string;
  readonly message: string;
}

export interface CatalogDeprecation {
  readonly package: string;
  readonly entries: readonly DeprecationEntry[];
  readonly place: ObjectPlace;
}

export interface OtherObject {
  readonly schema: string;
  readonly package: string;
  readonly name: string;
  readonly value: JsonValue | undefined;
  readonly place: ObjectPlace;
}

/** Where an object is not as the schema of file-based catalogs has it, and opm says nothing. */
export interface BlobProblem {
  readonly schema: string;
  readonly name: string;
  readonly problem: string;
  readonly place: ObjectPlace;
}

export interface Catalog {
  readonly packages: readonly CatalogPackage[];
  readonly channels: readonly CatalogChannel[];
  readonly bundles: readonly CatalogBundle[];
  readonly deprecations: readonly CatalogDeprecation[];
  readonly others: readonly OtherObject[];
  readonly blobProblems?: readonly BlobProblem[];
}

export type Channel = Pick<CatalogChannel, 'name' | 'entries'>;

export type Bundle = Pick<CatalogBundle, 'name' | 'properties' | 'installation'>;

export interface PackageContents<Item = Bundle> {
  readonly channels: readonly Channel[];
  readonly bundles: readonly Item[];
  /** The bundles in the package's first `olm.deprecations`. */
  readonly deprecatedBundles: ReadonlySet<string>;
}

const byPackage = oncePer((catalog: Catalog) => ({
  channels: groupBy(catalog.channels, ownerOf),
  bundles: groupBy(catalog.bundles, ownerOf),
  deprecations: groupBy(catalog.deprecations, ownerOf),
}));

function ownerOf(object: { readonly package: string }): string {
  return object.package;
}

export function contentsOf(catalog: Catalog, packageName: string): PackageContents<CatalogBundle> {
  const { channels, bundles, deprecations } = byPackage(catalog);
  const deprecated = deprecations.get(packageName)?.[0]?.entries ?? [];
  return {
    channels: channels.get(packageName) ?? [],
    bundles: bundles.get(packageName) ?? [],
    deprecatedBundles: new Set(
      deprecated.flatMap(({ schema, name }) => (schema === 'olm.bundle' ? [name] : [])),
    ),
  };
}

interface Counts {
  readonly packages: number;
  readonly channels: number;
  readonly bundles: number;
  readonly deprecations: number;
  readonly others: number;
}

export function countObjects(catalog: Catalog): Counts {
  return {
    packages: catalog.packages.length,
    channels: catalog.channels.length,
    bundles: catalog.bundles.length,
    deprecations: catalog.deprecations.length,
    others: catalog.others.length,
  };
}

/** Rule: `Channel.Head` of operator-registry's model; a channel has exactly one. */
export function channelHeads(entries: readonly ChannelEntry[]): ChannelEntry[] {
  const incoming = new Set<string>();
  for (const { replaces, skips } of entries) {
    if (replaces !== '') incoming.add(replaces);
    for (const skip of skips) incoming.add(skip);
  }
  return entries.filter(({ name }) => !incoming.has(name));
}

/** `replaces` must reach all that is not skipped. Rule: `validateReplacesChain` of operator-registry's model. */
export function replacesChainProblem(entries: readonly ChannelEntry[]): string | undefined {
  const heads = channelHeads(entries);
  const [head] = heads;
  if (head === undefined) return 'no channel head found in graph';
  if (heads.length > 1) {
    const names = heads.map(({ name }) => name).sort(compareBytes);
    return `multiple channel heads found in graph: ${names.join(', ')}`;
  }
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const skipped = new Set(entries.flatMap(({ skips }) => skips));
  const chain = [head.name];
  const reached = new Set(chain);
  for (let current: ChannelEntry | undefined = head; current !== undefined;) {
    const { replaces } = current;
    // An edge to a skipped entry does not count, so what lies behind it is not reached by it.
    if (skipped.has(replaces)) break;
    if (reached.has(replaces)) {
      const cycle = [...chain.slice(chain.indexOf(replaces)), replaces];
      return `detected cycle in replaces chain of upgrade graph: ${cycle.join(' -> ')}`;
    }
    chain.push(replaces);
    reached.add(replaces);
    current = byName.get(replaces);
  }
  const stranded = [...byName.keys()]
    .filter((name) => !reached.has(name) && !skipped.has(name))
    .sort(compareBytes);
  if (stranded.length === 0) return undefined;
  return `channel contains one or more stranded bundles: ${stranded.join(', ')}`;
}
