/**
 * Package manifests: the catalogs of OLM classic before file-based ones. A package names the head of
 * each channel; ClusterServiceVersions name what they replace and skip.
 * Rule: operator-framework's "How do operator upgrades work in OLM".
 */
import {
  type Document,
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
  metaOf,
  own,
} from '../../text/documents/index.js';
import type {
  Catalog,
  CatalogBundle,
  CatalogChannel,
  CatalogPackage,
  ChannelEntry,
  ObjectPlace,
} from './catalog.js';
import { compareBytes } from '../../text/go/index.js';
import { append } from '../../text/long-lists.js';
import { objectAt, textAt } from '../../text/documents/fields.js';

interface CsvManifest {
  readonly name: string;
  readonly version: string;
  readonly replaces: string;
  readonly skips: readonly string[];
  readonly skipRange: string;
  readonly place: ObjectPlace;
}

export function isPackageManifest(value: JsonValue): boolean {
  return (
    isObject(value) &&
    typeof own(value, 'packageName') === 'string' &&
    own(value, 'kind') === undefined
  );
}

/** A ClusterServiceVersion that no document holds is an entry without a bundle. @throws `E_CATALOG` */
export function readPackageManifests(documents: readonly Document[]): Catalog {
  const manifests = new Map<string, CsvManifest>();
  for (const document of documents) {
    const csv = readCsv(document);
    if (csv !== undefined) manifests.set(csv.name, csv);
  }
  const packages: CatalogPackage[] = [];
  const channels: CatalogChannel[] = [];
  const bundles: CatalogBundle[] = [];
  for (const document of documents) {
    if (!isObject(document.value) || !isPackageManifest(document.value)) continue;
    const { item, heads } = readPackage(document.value, placeOf(document));
    packages.push(item);
    const reached = new Set<string>();
    for (const [name, head] of heads) {
      const entries = entriesFrom(head, manifests);
      for (const entry of entries) reached.add(entry.name);
      channels.push({ package: item.name, name, entries, place: item.place });
    }
    for (const name of [...reached].sort(compareBytes)) {
      const csv = manifests.get(name);
      if (csv !== undefined) bundles.push(bundleOf(item.name, csv));
    }
  }
  return { packages, channels, bundles, deprecations: [], others: [] };
}

function readPackage(
  manifest: JsonObject,
  place: ObjectPlace,
): { item: CatalogPackage; heads: Map<string, string> } {
  const name = textAt(manifest, 'packageName') ?? '';
  const fail = (message: string): InvalidInputError =>
    new InvalidInputError('E_CATALOG', `package manifest ${name}: ${message}`, place);
  const channels = own(manifest, 'channels');
  if (!Array.isArray(channels) || channels.length === 0) throw fail('has no channels');
  const heads = new Map<string, string>();
  for (const [index, channel] of channels.entries()) {
    const channelName = textAt(channel, 'name') ?? '';
    const head = textAt(channel, 'currentCSV') ?? '';
    if (channelName === '' || head === '') {
      throw fail(`channels[${index}] needs a name and a currentCSV`);
    }
    if (heads.has(channelName)) throw fail(`has two channels ${channelName}`);
    heads.set(channelName, head);
  }
  const [only] = heads.size === 1 ? heads.keys() : [];
  const defaultChannel = textAt(manifest, 'defaultChannel') || (only ?? '');
  if (defaultChannel === '') throw fail('has several channels and names no defaultChannel');
  if (!heads.has(defaultChannel))
    throw fail(`names ${defaultChannel} as its defaultChannel, which is no channel of it`);
  return { item: { name, defaultChannel, description: '', place }, heads };
}

function readCsv(document: Document): CsvManifest | undefined {
  const { value } = document;
  if (!isObject(value) || own(value, 'kind') !== 'ClusterServiceVersion') return undefined;
  const meta = metaOf(value);
  const spec = objectAt(value, 'spec') ?? {};
  const { name } = meta;
  const skips = own(spec, 'skips');
  return {
    name,
    // OpenShift's documentation prints CSVs without a version; their names end in it.
    version: textAt(spec, 'version') || (/\.v?(\d+\.\d+\.\d+.*)$/.exec(name)?.[1] ?? ''),
    replaces: textAt(spec, 'replaces') ?? '',
    skips: Array.isArray(skips) ? skips.filter((skip) => typeof skip === 'string') : [],
    skipRange: meta.annotation('olm.skipRange') ?? '',
    place: placeOf(document),
  };
}

/** From the head along `replaces`, with what is skipped on the way; a cycle ends where it closes. */
function entriesFrom(head: string, manifests: ReadonlyMap<string, CsvManifest>): ChannelEntry[] {
  const entries = new Map<string, ChannelEntry>();
  const waiting = [head];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (entries.has(name)) continue;
    const csv = manifests.get(name);
    // A missing ClusterServiceVersion can be upgraded from, but the head must be there.
    if (csv === undefined && name !== head) continue;
    const { replaces = '', skips = [], skipRange = '' } = csv ?? {};
    entries.set(name, { name, replaces, skips, skipRange });
    if (replaces !== '') waiting.push(replaces);
    append(waiting, skips);
  }
  return [...entries.values()];
}

function bundleOf(packageName: string, csv: CsvManifest): CatalogBundle {
  const value = { packageName, version: csv.version };
  return {
    package: packageName,
    name: csv.name,
    image: '',
    properties: [{ type: 'olm.package', value }],
    relatedImages: [],
    packageProperties: [{ ...value, release: '' }],
    // The ClusterServiceVersion itself is in the bundle.
    objectCount: 1,
    place: csv.place,
  };
}

function placeOf({ file, line }: Document): ObjectPlace {
  return file === undefined ? { line } : { file, line };
}
