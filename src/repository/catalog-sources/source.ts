/** Where a catalog comes from, as command lines name it: a folder, a file, `git:REF:path`, or a URL of catalogd. */
import {
  type Catalog,
  isPackageManifest,
  type LoadedCatalog,
  readPackageManifests,
} from '../../olm/index.js';
import {
  InvalidInputError,
  parseDocuments,
  isObject,
  type JsonObject,
  metaOf,
  own,
} from '../../text/documents/index.js';
import { readSource, type SourceOptions } from '../../text/documents/sources.js';
import { readCatalogd, type CatalogdOptions } from './catalogd.js';
import { readCatalogCommit, readCatalogFolder } from './folder.js';
import { dirname } from 'node:path';

export interface ReadCatalog extends LoadedCatalog {
  readonly format: 'file-based' | 'package-manifests';
}

/** A folder with a package manifest and no file-based catalog is read as package manifests. */
export async function readCatalog(
  source: string,
  options: CatalogdOptions = {},
): Promise<ReadCatalog> {
  if (/^https?:\/\//.test(source)) {
    return { ...(await readCatalogd(source, options)), format: 'file-based' };
  }
  const loaded = source.startsWith('git:')
    ? await readCatalogCommit(source, options)
    : await readCatalogFolder(source, options);
  const isEmpty = loaded.catalog.packages.length === 0 && loaded.catalog.bundles.length === 0;
  const manifests =
    isEmpty && loaded.error !== undefined ? await packageManifests(source) : undefined;
  if (manifests === undefined) return { ...loaded, format: 'file-based' };
  return { catalog: manifests, filesRead: loaded.filesRead, format: 'package-manifests' };
}

/** Undefined when there is no package manifest, or something is no document at all. */
async function packageManifests(source: string): Promise<Catalog | undefined> {
  const files = await readSource(source);
  try {
    const documents = files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file }));
    if (!documents.some(({ value }) => isPackageManifest(value))) return undefined;
    return readPackageManifests(documents);
  } catch (error) {
    if (error instanceof InvalidInputError && error.code !== 'E_CATALOG') return undefined;
    throw error;
  }
}

export interface BundleFolder {
  readonly folder: string;
  readonly crds: readonly JsonObject[];
}

/** Manifests of one folder belong together, as in `bundle/manifests/`. @throws InvalidInputError */
export async function readBundleFolders(
  source: string,
  options: Pick<SourceOptions, 'onSkipped'> = {},
): Promise<ReadonlyMap<string, BundleFolder>> {
  const folders = new Map<string, { names: string[]; crds: JsonObject[] }>();
  for (const { file, bytes } of await readSource(source, options)) {
    const folder = folders.get(dirname(file)) ?? { names: [], crds: [] };
    folders.set(dirname(file), folder);
    for (const { value } of parseDocuments(bytes, { file })) {
      if (!isObject(value)) continue;
      if (own(value, 'kind') === 'CustomResourceDefinition') folder.crds.push(value);
      const name =
        own(value, 'kind') !== 'ClusterServiceVersion'
          ? undefined
          : metaOf(value).name || undefined;
      if (name !== undefined) folder.names.push(name);
    }
  }
  const found = new Map<string, BundleFolder>();
  for (const [folder, { names, crds }] of folders) {
    for (const name of names) found.set(name, { folder, crds });
  }
  return found;
}
