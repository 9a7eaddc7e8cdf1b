/** Where a catalog comes from, as command lines name it: a folder, a file, `git:REF:path`, or a URL of catalogd. */
import {
  type Catalog,
  isPackageManifest,
  type LoadedCatalog,
  readPackageManifests,
} from '../../olm/index.js';
import { InvalidInputError, parseDocuments } from '../../text/documents/index.js';
import { readSource } from '../../text/documents/sources.js';
import { readCatalogd, type CatalogdOptions } from './catalogd.js';
import { readCatalogCommit, readCatalogFolder } from './folder.js';

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
